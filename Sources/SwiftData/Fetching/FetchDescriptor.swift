import CoreData
public import Foundation

/// A description of models to fetch: their condition, their order and their number.
///
/// ```swift
/// FetchDescriptor<Note>(
///   predicate: #Predicate { $0.title.contains("a") },
///   sortBy: [SortDescriptor(\.created, order: .reverse)]
/// )
/// ```
///
/// Safety: a value; the key paths in it are immutable.
public struct FetchDescriptor<Model: PersistentModel>: @unchecked Sendable {
  /// The condition; all models if `nil`.
  public var predicate: Predicate<Model>?
  /// The order; none is specified if empty.
  public var sortBy: [SortDescriptor<Model>]
  /// The largest number of models; `nil` for no limit.
  public var fetchLimit: Int?
  /// How many models are skipped.
  public var fetchOffset: Int?
  /// Whether unsaved changes of the context count.
  ///
  /// The default is `true`.
  public var includePendingChanges = true
  /// The properties that are read at once; all if empty.
  ///
  /// Others are read when they are used.
  public var propertiesToFetch: [PartialKeyPath<Model>] = []
  /// The relationships whose models are read at once.
  public var relationshipKeyPathsForPrefetching: [PartialKeyPath<Model>] = []

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The condition; all models if `nil`.
  ///   - sortBy: The order.
  public init(predicate: Predicate<Model>? = nil, sortBy: [SortDescriptor<Model>] = []) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

extension FetchDescriptor: Equatable {
  /// Returns whether two descriptors describe the same fetch.
  ///
  /// Two conditions are equal if they become the same predicate of Core Data. One that a store cannot be asked is
  /// compared by the description of its expression.
  public static func == (one: FetchDescriptor<Model>, other: FetchDescriptor<Model>) -> Bool {
    one.sortBy == other.sortBy && one.fetchLimit == other.fetchLimit
      && one.fetchOffset == other.fetchOffset
      && one.includePendingChanges == other.includePendingChanges
      && one.propertiesToFetch == other.propertiesToFetch
      && one.relationshipKeyPathsForPrefetching == other.relationshipKeyPathsForPrefetching
      && areEqual(one.predicate, other.predicate)
  }

  private static func areEqual(_ one: Predicate<Model>?, _ other: Predicate<Model>?) -> Bool {
    guard let one, let other else { return (one == nil) == (other == nil) }
    PredicateNames.register()
    let model = ModelType.of(Model.self).detachedEntity.managedObjectModel
    return PredicateNames.$model.withValue(model) {
      // A predicate that cannot be translated is compared below.
      let converted = [one, other].map { try? NSPredicate(converting: $0) }
      if let first = converted[0], let second = converted[1] { return first == second }
      return converted[0] == nil && converted[1] == nil
        && String(describing: one) == String(describing: other)
    }
  }
}

extension FetchDescriptor {
  /// Core Data's request.
  func request(in context: ModelContext) throws -> NSFetchRequest<ModelRow> {
    let kind = try context.kind(of: Model.self)
    let request = NSFetchRequest<ModelRow>(entityName: kind.name)
    request.predicate = try context.predicate(of: predicate)
    request.sortDescriptors = try sortBy.map { try Self.descriptor(of: $0) }
    if let fetchLimit { request.fetchLimit = fetchLimit }
    if let fetchOffset { request.fetchOffset = fetchOffset }
    request.includesPendingChanges = includePendingChanges
    request.returnsObjectsAsFaults = false
    if !relationshipKeyPathsForPrefetching.isEmpty {
      request.relationshipKeyPathsForPrefetching = try relationshipKeyPathsForPrefetching.map {
        try Self.name(of: $0, kind)
      }
    }
    if !propertiesToFetch.isEmpty {
      request.propertiesToFetch = try propertiesToFetch.map { try Self.name(of: $0, kind) }
    }
    return request
  }

  private static func name(of keyPath: AnyKeyPath, _ kind: ModelType) throws -> String {
    guard let name = kind.name(of: keyPath) else {
      throw SwiftDataError.unsupportedKeyPath.because(
        "a key path from \(Model.self) to \(Swift.type(of: keyPath).valueType) leads to nothing that is stored"
      )
    }
    return name
  }

  private static func descriptor(of sort: SortDescriptor<Model>) throws -> NSSortDescriptor {
    guard let keyPath = sort.keyPath else {
      throw SwiftDataError.unsupportedSortDescriptor.because(
        "a sort descriptor of \(Model.self) compares by code, which a store cannot run; use a key path"
      )
    }
    guard let name = (keyPath as AnyKeyPath).name else {
      throw SwiftDataError.unsupportedSortDescriptor.because(
        """
        a sort descriptor of \(Model.self) has a key path to \(Swift.type(of: keyPath).valueType) that leads to nothing \
        that is stored
        """
      )
    }
    return NSSortDescriptor(key: name, ascending: sort.order == .forward)
  }
}

extension ModelContext {
  /// A class of the container's schema.
  func kind<Model: PersistentModel>(of type: Model.Type) throws -> ModelType {
    let kind = ModelType.of(type)
    guard let entity = parts.coordinator.managedObjectModel.entitiesByName[kind.name],
      entity.rowKind === kind
    else {
      throw SwiftDataError.unknownSchema.because(
        """
        \(type) is not in the schema of the container, which has \
        \(parts.schema.entities.map(\.name).joined(separator: ", "))
        """
      )
    }
    return kind
  }

  func predicate<Model: PersistentModel>(of predicate: Predicate<Model>?) throws -> NSPredicate? {
    guard let predicate else { return nil }
    do {
      return try PredicateNames.$model.withValue(parts.coordinator.managedObjectModel) {
        try NSPredicate(converting: predicate)
      }
    } catch {
      throw SwiftDataError.unsupportedPredicate.because("a predicate of \(Model.self): \(error)")
    }
  }
}
