import CoreData

/// Brings models together that are to be related: into one context, or at least into one schema.
enum Joining {
  static func join(_ one: ModelBox, _ other: ModelBox) {
    let (row, target) = (one.requiredRow, other.requiredRow)
    switch (row.objectContext, target.objectContext) {
    case (let context?, nil):
      insert(target, into: context)
    case (nil, let context?):
      insert(row, into: context, isBeingMade: true)
    case (nil, nil):
      if row.sharesModel(with: target) { return }
      if move(target, toModelOf: row) { return }
      _ = move(row, toModelOf: target)
    case (.some, .some):
      // Core Data says what is wrong with two contexts.
      return
    }
  }

  /// Inserts a model's row, and all rows without a context that it leads to.
  static func insert(
    _ row: ModelRow,
    into context: NSManagedObjectContext,
    isBeingMade: Bool = false
  ) {
    let model = context.persistentStoreCoordinator?.managedObjectModel
    if !isBeingMade, row.isOfModel(of: context), !row.hasRelatedRows, let model = row.livingModel {
      insertAlone(row, of: model, into: context)
      return
    }
    let rows = component(of: row)
    var moved: [(row: ModelRow, related: [(name: String, members: [NSManagedObject])])] = []
    var successors: [ObjectIdentifier: ModelRow] = [:]
    for old in rows {
      let related = old.takeOutRelated()
      let name = old.kind.name
      guard let entity = model?.entitiesByName[name], entity.rowKind === old.kind else {
        let names = model?.entities.compactMap(\.name).sorted().joined(separator: ", ") ?? ""
        stop(
          """
          \(old.kind.type) is not in the schema of the container, so that it cannot be inserted; the schema has \
          \(names)
          """
        )
      }
      let new = old.moved(to: entity)
      successors[ObjectIdentifier(old)] = new
      context.insert(new)
      moved.append((new, related))
      let isIncomplete = isBeingMade && old === row
      if !isIncomplete, let model = new.livingModel {
        ModelBox.storeConstants(of: model, in: new)
        new.keepModel()
      }
    }
    for (row, related) in moved { row.relate(related, successors) }
  }

  /// Inserts the row of a model that leads to no other.
  static func insertAlone(
    _ row: ModelRow,
    of model: AnyObject,
    into context: NSManagedObjectContext
  ) {
    context.insert(row)
    ModelBox.storeConstants(of: model, in: row)
    row.keep(model)
  }

  /// Moves a row without a context, and all that hang on it, into the schema of another; false if that has not
  /// all of their classes.
  private static func move(_ row: ModelRow, toModelOf other: ModelRow) -> Bool {
    let entities = other.entity.managedObjectModel.entitiesByName
    let rows = component(of: row)
    guard rows.allSatisfy({ entities[$0.kind.name]?.rowKind === $0.kind }) else { return false }
    var successors: [ObjectIdentifier: ModelRow] = [:]
    var moved: [(row: ModelRow, related: [(name: String, members: [NSManagedObject])])] = []
    for old in rows {
      guard let entity = entities[old.kind.name] else { continue }
      let related = old.takeOutRelated()
      let new = old.moved(to: entity)
      successors[ObjectIdentifier(old)] = new
      moved.append((new, related))
    }
    for (row, related) in moved { row.relate(related, successors) }
    return true
  }

  /// The rows without a context that hang together with one.
  private static func component(of row: ModelRow) -> [ModelRow] {
    var found = [row]
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(row)]
    var next = 0
    while next < found.count {
      for other in found[next].relatedRows {
        guard let other = other as? ModelRow, !other.isInContext,
          known.insert(ObjectIdentifier(other)).inserted
        else { continue }
        found.append(other)
      }
      next += 1
    }
    return found
  }
}

extension ModelRow {
  /// This row, or one of another description of the entity with its values, which the model shows from now on.
  fileprivate func moved(to entity: NSEntityDescription) -> ModelRow {
    if entity === self.entity { return self }
    let new = ModelRow(entity: entity, insertInto: nil)
    new.becomeTrackable()
    new.takeAttributes(of: self)
    new.hasConstants = hasConstants
    succeed(by: new)
    return new
  }

  /// Relates the row again as it, or the one that it takes the place of, was.
  fileprivate func relate(
    _ related: [(name: String, members: [NSManagedObject])],
    _ successors: [ObjectIdentifier: ModelRow]
  ) {
    for (name, members) in related {
      let rows = members.map { successors[ObjectIdentifier($0)] ?? $0 }
      relate(name, rows)
    }
  }
}
