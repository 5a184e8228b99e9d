import CoreData
import Foundation

// MARK: - Fetching

extension ModelContext {
  /// Returns the models that a descriptor describes.
  ///
  /// One SQL statement, and one for each prefetched relationship.
  ///
  /// - Parameter descriptor: The models to fetch.
  /// - Returns: The models, in the descriptor's order.
  /// - Throws: ``SwiftDataError/unknownSchema`` if the container does not have the class;
  ///   ``SwiftDataError/unsupportedPredicate`` and ``SwiftDataError/unsupportedSortDescriptor`` with the reason if a store
  ///   cannot be asked so; otherwise the error of the store.
  public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model]
  {
    takeMail()
    let request = try descriptor.request(in: self)
    return try rows(request).map { $0.model(as: Model.self) }
  }

  /// Returns the models that a descriptor describes, which are read in batches when they are used.
  ///
  /// - Parameters:
  ///   - descriptor: The models to fetch. It must not include unsaved changes.
  ///   - batchSize: The number of models that are read at a time.
  /// - Returns: The models.
  /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` if unsaved changes are included; otherwise the errors
  ///   of ``fetch(_:)``.
  public func fetch<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>,
    batchSize: Int
  ) throws -> FetchResultsCollection<Model> {
    guard !descriptor.includePendingChanges else {
      throw SwiftDataError.includePendingChangesWithBatchSize.because(
        "set includePendingChanges of the descriptor to false, or fetch without a batch size"
      )
    }
    return FetchResultsCollection(try identified(descriptor), in: self, batchSize: batchSize)
  }

  /// Returns the number of models that a descriptor describes.
  ///
  /// One SQL statement, which reads no models.
  ///
  /// - Parameter descriptor: The models to count.
  /// - Returns: The number.
  /// - Throws: The errors of ``fetch(_:)``.
  public func fetchCount<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> Int
  {
    takeMail()
    let request = try descriptor.request(in: self)
    return try translating { try objects.count(for: request) }
  }

  /// Returns the identifiers of the models that a descriptor describes, without reading their values.
  ///
  /// - Parameter descriptor: The models to fetch.
  /// - Returns: The identifiers.
  /// - Throws: ``SwiftDataError/sortingPendingChangesWithIdentifiers`` if the descriptor has an order, and the context
  ///   unsaved changes that it includes; otherwise the errors of ``fetch(_:)``.
  public func fetchIdentifiers<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>
  ) throws -> [PersistentIdentifier] {
    takeMail()
    if descriptor.includePendingChanges, !descriptor.sortBy.isEmpty, hasChanges {
      throw SwiftDataError.sortingPendingChangesWithIdentifiers.because(
        "save first, leave out the order, or set includePendingChanges to false"
      )
    }
    return try identified(descriptor).map { PersistentIdentifier($0) }
  }

  /// Returns the identifiers of the models that a descriptor describes, as a collection.
  ///
  /// - Parameters:
  ///   - descriptor: The models to fetch.
  ///   - batchSize: The number of identifiers that are read at a time; all are read at once here.
  /// - Returns: The identifiers.
  /// - Throws: The errors of ``fetchIdentifiers(_:)``.
  public func fetchIdentifiers<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>,
    batchSize: Int
  ) throws -> [PersistentIdentifier] {
    try fetchIdentifiers(descriptor)
  }

  /// Runs a block for each model that a descriptor describes.
  ///
  /// The models are read in batches. Those to which the block does not keep a reference are released after it.
  ///
  /// - Parameters:
  ///   - fetch: The models to fetch.
  ///   - batchSize: The number of models that are read at a time.
  ///   - allowEscapingMutations: Whether the block may leave the context with changes. If not, such a block stops the program.
  ///   - block: The code to run.
  /// - Throws: The errors of ``fetch(_:)``, and of the block.
  public func enumerate<Model: PersistentModel>(
    _ fetch: FetchDescriptor<Model>,
    batchSize: Int = 5000,
    allowEscapingMutations: Bool = false,
    block: (Model) throws -> Void
  ) throws {
    takeMail()
    let identities = try identified(fetch)
    let hadChanges = hasChanges
    for start in stride(from: 0, to: identities.count, by: max(batchSize, 1)) {
      let batch = identities[start..<min(start + max(batchSize, 1), identities.count)]
      for model in try models(Model.self, of: Array(batch)) { try block(model) }
      precondition(
        allowEscapingMutations || hadChanges || !hasChanges,
        "the block of enumerate has changed models; save in it, or allow escaping mutations"
      )
    }
  }
}

// MARK: - By identity

extension ModelContext {
  /// Returns the model with an identifier, if the context has it already.
  ///
  /// No SQL statement.
  ///
  /// - Parameter persistentModelID: The identifier.
  /// - Returns: The model, or `nil` if the context does not have it, or has one of another class.
  public func registeredModel<Model: PersistentModel>(
    for persistentModelID: PersistentIdentifier
  ) -> Model? {
    guard let id = persistentModelID.objectID(in: parts.coordinator),
      let row = objects.registeredObject(for: id) as? ModelRow
    else { return nil }
    return row.model as? Model
  }

  /// Returns the model with an identifier.
  ///
  /// No SQL statement: if no such model is stored, reading one of its properties stops the program.
  ///
  /// - Parameter persistentModelID: The identifier.
  /// - Returns: The model. The program stops for an identifier of a store that the container does not have.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    guard let id = persistentModelID.objectID(in: parts.coordinator),
      let row = objects.object(with: id) as? ModelRow,
      let model = row.model as? any PersistentModel
    else { stop("\(persistentModelID) is of no store of this container") }
    return model
  }
}

// MARK: - Rows

extension ModelContext {
  func rows(_ request: NSFetchRequest<ModelRow>) throws -> [ModelRow] {
    try translating { try objects.fetch(request) }
  }

  /// The identities of a descriptor's models.
  func identified<Model: PersistentModel>(
    _ descriptor: FetchDescriptor<Model>
  ) throws -> [NSManagedObjectID] {
    let rows = try descriptor.request(in: self)
    let request = NSFetchRequest<NSManagedObjectID>(entityName: rows.entityName ?? "")
    request.predicate = rows.predicate
    request.sortDescriptors = rows.sortDescriptors
    request.fetchLimit = rows.fetchLimit
    request.fetchOffset = rows.fetchOffset
    request.includesPendingChanges = rows.includesPendingChanges
    request.resultType = .managedObjectIDResultType
    return try translating { try objects.fetch(request) }
  }

  /// The models of identities, in their order.
  func models<Model: PersistentModel>(
    _ type: Model.Type,
    of identities: [NSManagedObjectID]
  ) throws -> [Model] {
    let kind = try kind(of: type)
    let request = NSFetchRequest<ModelRow>(entityName: kind.name)
    request.predicate = NSPredicate(format: "SELF IN %@", identities as NSArray)
    request.returnsObjectsAsFaults = false
    // Held until all are looked up: the fetch reads their rows at once.
    let found = try rows(request)
    return withExtendedLifetime(found) {
      identities.compactMap { (objects.object(with: $0) as? ModelRow)?.model(as: type) }
    }
  }

  /// Turns the refusal of a store into an error of this module.
  private func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as CocoaError where error.code.rawValue == 134_091 {
      throw SwiftDataError.unsupportedPredicate.following(error)
    }
  }
}
