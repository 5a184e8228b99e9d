package import CoreDataModel

/// How one version of a model becomes another: the matches, and the changes.
///
///     let comparison = ModelComparison(from: old, to: new)
///     comparison.match(for: "Label")?.sourceName     // "Tag": an entity was renamed
///     comparison.changes.map(\.sentence)             // "Note: attribute rating added, optional" …
///     comparison.verdict                             // .constantTime
///
/// An inferred migration copies by the matches; people read the changes, each with its verdict for a lightweight
/// migration.
package struct ModelComparison: Hashable, Sendable {
  package let source: ModelSchema
  package let destination: ModelSchema
  /// One for each entity of the destination, in code-point order.
  package let entities: [EntityMatch]
  /// The entities of the source that do not have a counterpart.
  package let removedEntityNames: [String]
  /// The changes of the model itself, then those of each entity.
  package let changes: [ModelChange]

  package init(from source: ModelSchema, to destination: ModelSchema) {
    let matching = ModelMatching(from: source.canonical, to: destination.canonical)
    self.source = matching.source
    self.destination = matching.destination
    entities = matching.entities
    removedEntityNames = matching.removedEntityNames
    var list = ChangeList()
    list.addModelChanges(in: matching)
    for match in matching.entities { list.addChanges(of: match, in: matching) }
    for name in matching.removedEntityNames { list.addRemoval(of: name, in: matching) }
    changes = list.changes
  }
}

extension ModelComparison {
  /// Whether stores of the source have to be migrated before the destination opens them.
  package var needsMigration: Bool {
    source.entityVersionHashes != destination.entityVersionHashes
  }

  /// The verdict about the whole migration: the worst of all changes.
  package var verdict: LightweightVerdict {
    let worst = changes.map(\.verdict).max() ?? .notNeeded
    guard needsMigration else { return .notNeeded }
    return max(worst, renumberedEntityNames.isEmpty ? .constantTime : .rewritesRows)
  }

  /// The entities of the destination that have another number in a store than their counterparts in the
  /// source, because entities came, went or were renamed; their rows name the number.
  package var renumberedEntityNames: [String] {
    let former = source.entityNamesByNumber
    let numbers = destination.entityNamesByNumber
    return entities.filter { match in
      guard let sourceName = match.sourceName else { return false }
      return former.firstIndex(of: sourceName) != numbers.firstIndex(of: match.destinationName)
    }
    .map(\.destinationName)
  }

  /// The changes that no lightweight migration can do.
  package var obstacles: [ModelChange] {
    changes.filter(\.verdict.isImpossible)
  }

  package func match(for destinationName: String) -> EntityMatch? {
    entities.first { $0.destinationName == destinationName }
  }
}
