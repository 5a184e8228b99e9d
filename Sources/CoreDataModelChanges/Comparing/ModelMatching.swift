import CoreDataModel

/// Which entities and properties of two models are the same.
///
/// Attributes are matched with attributes only, relationships with relationships: an attribute that
/// becomes a relationship of the same name is one removed and another added.
struct ModelMatching {
  let source: ModelSchema
  let destination: ModelSchema
  let entities: [EntityMatch]
  let removedEntityNames: [String]
  private let destinationNames: [String: String]
  private let matches: [String: EntityMatch]

  init(from source: ModelSchema, to destination: ModelSchema) {
    self.source = source
    self.destination = destination
    let sources = RenamedNames(
      from: source.entities.map { .init($0.name, identifier: $0.renamingIdentifier) },
      to: destination.entities.map { .init($0.name, identifier: $0.renamingIdentifier) }
    ).sources
    entities = destination.entities.map { entity in
      let (properties, removed) = Self.properties(
        from: sources[entity.name].map(source.declaredProperties) ?? [],
        to: destination.declaredProperties(of: entity.name)
      )
      return EntityMatch(
        sourceName: sources[entity.name],
        destinationName: entity.name,
        properties: properties,
        removedProperties: removed
      )
    }
    matches = Dictionary(entities.map { ($0.destinationName, $0) }) { first, _ in first }
    destinationNames = Dictionary(sources.map { ($0.value, $0.key) }) { first, _ in first }
    let kept = Set(sources.values)
    removedEntityNames = source.entities.map(\.name).filter { !kept.contains($0) }
  }

  private static func properties(
    from old: [DeclaredProperty],
    to new: [DeclaredProperty]
  ) -> (matches: [PropertyMatch], removed: [DeclaredProperty]) {
    var matches: [PropertyMatch] = []
    var removed: [DeclaredProperty] = []
    for kind in ["attribute", "relationship", "fetched property"] {
      let (old, new) = (
        old.filter { $0.property.kindWord == kind }, new.filter { $0.property.kindWord == kind }
      )
      let sources = RenamedNames(from: old.map(\.renamedName), to: new.map(\.renamedName)).sources
      matches += new.map { property in
        PropertyMatch(
          source: old.first { $0.name == sources[property.name] },
          destination: property
        )
      }
      let kept = Set(sources.values)
      removed += old.filter { !kept.contains($0.name) }
    }
    return (matches.sortedByCodePoints(\.destination.name), removed.sortedByCodePoints(\.name))
  }
}

extension DeclaredProperty {
  fileprivate var renamedName: RenamedNames.Name {
    RenamedNames.Name(name, identifier: property.renamingIdentifier)
  }
}

// MARK: - Asking

extension ModelMatching {
  func match(for destinationName: String) -> EntityMatch? { matches[destinationName] }

  /// The name in the destination of an entity of the source; `nil` if it was removed.
  func destinationName(of sourceName: String) -> String? { destinationNames[sourceName] }

  /// The name in the destination of a property of a source entity.
  func destinationName(ofProperty name: String, in sourceName: String) -> String? {
    destinationName(of: sourceName).flatMap(match)?.properties
      .first { $0.source?.name == name && $0.source?.property.isFetched == false }?
      .destination.name
  }

  /// The matched entities that have objects: an entity and those that inherit from it.
  func matched(atOrBelow destinationName: String) -> [EntityMatch] {
    entities.filter {
      $0.sourceName != nil && destination.isEntity($0.destinationName, kindOf: destinationName)
    }
  }
}

extension PropertySchema {
  fileprivate var isFetched: Bool {
    if case .fetched = self { true } else { false }
  }
}
