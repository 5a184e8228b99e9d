import CoreDataModel
import CoreDataModelChanges
import CoreDataPredicates
import Foundation

/// The three passes of a migration, each over all entity mappings.
///
/// ```
/// create      objects with attributes
/// relate      relationships between them
/// validate    the developer's rules, then the model's
/// ```
///
/// Sources are read in batches. If the destination is a SQLite file, the new objects are saved after each batch,
/// unfinished as they are, so that memory holds a batch and the identities of all sources and their results; other
/// types of stores hold everything in memory anyway.
struct MappingRun {
  private let manager: NSMigrationManager
  private let source: MappingStack
  private let destination: MappingStack
  private let steps: [MappingWork.Step]
  private let isStepwise: Bool

  /// Objects in a batch.
  private static let batchSize = 500

  init(_ manager: NSMigrationManager, _ work: MappingWork) throws {
    self.manager = manager
    source = work.source
    destination = work.destination
    isStepwise = work.destination.store.backend is any StreamingStore
    steps = try work.mapping.mappings.map { mapping in
      MappingWork.Step(mapping: mapping, policy: try PolicyClass.policy(for: mapping))
    }
  }

  func perform() throws {
    destination.context.defersValidation = isStepwise
    for (place, step) in steps.enumerated() { try create(step, place) }
    for (place, step) in steps.enumerated() { try relate(step, steps.count + place) }
    for (place, step) in steps.enumerated() { try validate(step, 2 * steps.count + place) }
    try finish()
  }
}

// MARK: - First pass

extension MappingRun {
  private func create(_ step: MappingWork.Step, _ place: Int) throws {
    let mapping = step.mapping
    try enter(step, place)
    try ask(step, "begin") { try $0.begin(mapping, with: manager) }
    if mapping.mappingType.hasInstances {
      let sources = try sources(of: mapping)
      try inBatches(sources, place) { batch in
        for object in try load(batch, in: source.context) {
          try ask(step, "createDestinationInstances") { policy in
            try policy.createDestinationInstances(forSource: object, in: mapping, manager: manager)
          }
        }
      }
    }
    try ask(step, "endInstanceCreation") {
      try $0.endInstanceCreation(forMapping: mapping, manager: manager)
    }
    try saveUnfinished()
  }

  /// The identities of the objects that a mapping takes over, in order.
  private func sources(of mapping: NSEntityMapping) throws -> [NSManagedObjectID] {
    guard let tree = expression(of: mapping) else { return [] }
    do {
      if case .fetch(let request, let context, false) = tree,
        try value(of: context) as? NSManagedObjectContext === source.context,
        let request = try value(of: request) as? NSFetchRequest<NSManagedObject>,
        request.resultType == .managedObjectResultType
      {
        let identities = request.retyped(NSManagedObjectID.self)
        identities.resultType = .managedObjectIDResultType
        identities.includesPropertyValues = false
        identities.fetchBatchSize = 0
        return try source.context.fetch(identities)
      }
      return try MappedObjects(value(of: tree)).objects.map(\.objectID)
    } catch let error as EvaluationError {
      throw MappingFailure.expression(place: mapping.name, reason: error.description).error()
    }
  }

  private func expression(of mapping: NSEntityMapping) -> ExpressionTree? {
    mapping.sourceExpression?.tree ?? mapping.sourceEntityName.map(ExpressionTree.allObjects)
  }

  private func value(of tree: ExpressionTree) throws(EvaluationError) -> Any? {
    try tree.value(with: nil, context: [NSMigrationManagerKey: manager])
  }
}

// MARK: - Second pass

extension MappingRun {
  private func relate(_ step: MappingWork.Step, _ place: Int) throws {
    let mapping = step.mapping
    try enter(step, place)
    let made = manager.associations.all(by: mapping.name)
    try inBatches(made, place) { batch in
      // With the objects held here, the policy does not need a statement for each.
      let sources = try load(batch.flatMap { $0.sources.map(\.id) }, in: source.context)
      let objects = try load(
        batch.map(\.identity.id).filter { !$0.isTemporaryID },
        in: destination.context
      )
      try withExtendedLifetime((sources, objects)) {
        for one in batch {
          let object = one.object(in: destination.context)
          if object.willBeDeleted { continue }
          try ask(step, "createRelationships") { policy in
            try policy.createRelationships(forDestination: object, in: mapping, manager: manager)
          }
        }
      }
    }
    try ask(step, "endRelationshipCreation") {
      try $0.endRelationshipCreation(forMapping: mapping, manager: manager)
    }
    try saveUnfinished()
  }
}

// MARK: - Third pass

extension MappingRun {
  private func validate(_ step: MappingWork.Step, _ place: Int) throws {
    let mapping = step.mapping
    try enter(step, place)
    try ask(step, "performCustomValidation") {
      try $0.performCustomValidation(forMapping: mapping, manager: manager)
    }
    try ask(step, "end") { try $0.end(mapping, manager: manager) }
    try saveUnfinished()
  }

  /// Saves, and holds every object against the rules of the model.
  private func finish() throws {
    try manager.checkCancelled()
    try save()
    if isStepwise { try validateStored() }
    destination.context.defersValidation = false
    manager.leftOutCount = try sourceCount() - manager.associations.sourceCount
  }

  private func sourceCount() throws -> Int {
    try source.coordinator.layout.entities.filter { $0.number == $0.rootNumber }
      .map { try source.context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0.name)) }
      .reduce(0, +)
  }

  /// Objects that were saved unfinished are looked at when they are complete.
  private func validateStored() throws {
    for layout in destination.coordinator.layout.entities
    where !layout.isAbstract && !(layout.rules.isEmpty && layout.ownValidation == nil) {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: layout.name)
      request.resultType = .managedObjectIDResultType
      request.includesSubentities = false
      let all = try destination.context.fetch(request)
      for start in stride(from: 0, to: all.count, by: Self.batchSize) {
        try manager.checkCancelled()
        var failures = ValidationErrors()
        let batch = Array(all[start..<min(start + Self.batchSize, all.count)])
        for object in try load(batch, in: destination.context) {
          do { try object.validateForInsert() } catch { failures.add(error) }
        }
        if let error = failures.thrown { throw MappingFailure.invalid(error).error() }
      }
    }
  }
}

// MARK: - Parts

extension MappingRun {
  private func enter(_ step: MappingWork.Step, _ place: Int) throws {
    manager.report(Float(place) / Float(3 * steps.count))
    manager.enter(step)
    try manager.checkCancelled()
  }

  /// Calls the policy; its error is the migration's error.
  private func ask(
    _ step: MappingWork.Step,
    _ name: String,
    _ call: (NSEntityMigrationPolicy) throws -> Void
  ) throws {
    do {
      try call(step.policy)
    } catch {
      try manager.checkCancelled()
      if MappingFailure.isOne(error) { throw error }
      throw MappingFailure.policy(
        "\(type(of: step.policy))",
        mapping: step.mapping.name,
        step: name,
        error
      ).error()
    }
    try manager.checkCancelled()
  }

  private func inBatches<Element>(
    _ all: [Element],
    _ place: Int,
    _ body: ([Element]) throws -> Void
  ) throws {
    for start in stride(from: 0, to: all.count, by: Self.batchSize) {
      let end = min(start + Self.batchSize, all.count)
      try body(Array(all[start..<end]))
      try saveUnfinished()
      let done = Float(place) + Float(end) / Float(all.count)
      manager.report(done / Float(3 * steps.count))
      try manager.checkCancelled()
    }
  }

  /// The objects with some identities, in that order, with their values; those that are gone are left
  /// out.
  private func load(
    _ ids: [NSManagedObjectID],
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    var found: [ObjectKey: NSManagedObject] = [:]
    for (name, ids) in Dictionary(grouping: ids, by: \.layout.name) {
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.predicate = NSPredicate(format: "SELF IN %@", ids as NSArray)
      request.returnsObjectsAsFaults = false
      for object in try context.fetch(request) { found[object.key] = object }
    }
    return ids.compactMap { found[$0.key] }
  }

  /// Lets objects leave memory that are not finished yet.
  private func saveUnfinished() throws {
    if isStepwise { try save() }
  }

  private func save() throws {
    do {
      try destination.context.save()
    } catch {
      let error = error as NSError
      let isBroken =
        error.domain == NSCocoaErrorDomain
        && (error.code == NSManagedObjectConstraintMergeError
          || (NSManagedObjectValidationError...NSValidationInvalidURIError).contains(error.code))
      throw
        (isBroken
        ? MappingFailure.invalid(error)
        : .destination(path: destination.store.shownPath, error)).error()
    }
    manager.associations.settle()
  }
}
