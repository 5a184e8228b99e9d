import CoreData

/// The classes of a schema.
struct ModelTypes: Sendable {
  /// The classes, in the order in which they were found.
  private(set) var all: [ModelType] = []
  private var byType: [ObjectIdentifier: ModelType] = [:]

  init() {}

  /// The classes, and no others.
  init(listed types: [any PersistentModel.Type]) {
    all = types.map(ModelType.of)
    byType = Dictionary(all.map { (ObjectIdentifier($0.type), $0) }) { first, _ in first }
  }

  /// The classes, and all that their relationships and superclasses reach.
  init(reachedFrom types: [any PersistentModel.Type]) {
    var waiting = types
    while let type = waiting.first {
      waiting.removeFirst()
      guard byType[ObjectIdentifier(type)] == nil else { continue }
      let found = ModelType.of(type)
      all.append(found)
      byType[ObjectIdentifier(type)] = found
      waiting += found.properties.compactMap(\.destination)
      if let parent = found.parent { waiting.append(parent.type) }
    }
    let names = Dictionary(grouping: all, by: \.name).filter { $1.count > 1 }
    guard let (name, twins) = names.first else { return }
    stop(
      """
      the schema has several classes of the name \(name): \
      \(twins.map { String(reflecting: $0.type) }.joined(separator: ", ")); rename one, or put them into \
      different versioned schemas
      """
    )
  }

  subscript(type: any PersistentModel.Type) -> ModelType? { byType[ObjectIdentifier(type)] }

  /// Whether a property of the type leads to many models.
  static func isToMany(_ type: Any.Type) -> Bool {
    let stored = (type as? any AnyOptionalType.Type)?.wrappedType ?? type
    return (stored as? any ModelList.Type)?.modelType != nil
  }
}
