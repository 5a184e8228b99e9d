import CoreDataModel

/// A column that triggers fill, and from where.
package struct DerivedColumn: Hashable, Sendable {
  package let table: String
  package let column: String
  package let entityName: String
  package let attributeName: String
  package let source: Source

  package enum Source: Hashable, Sendable {
    /// The time of the last save.
    case now
    /// `column` of the row in `table` that the own `key` points to.
    case copy(key: String, table: String, column: String)
    /// How many rows of another table point here.
    case count(ForeignKey)
    /// A function of SQL over `column` of those rows.
    case total(function: String, ForeignKey, column: String)
    /// No trigger: the store computes this expression when it saves.
    case unassisted(expression: String)
  }
}

extension DerivedColumn {
  static func all(
    of node: EntityForest.Node,
    in forest: EntityForest,
    entities: [EntityMap]
  ) -> [DerivedColumn] {
    let entity = entities[node.number - 1]
    return node.schema.attributes
      .sortedByCodePoints(\.name)
      .compactMap { attribute in
        guard
          let expression = attribute.derivationExpression,
          let column = entity.column(of: attribute.name)
        else { return nil }
        // No trigger of Apple's that filters is known.
        let isFiltered = attribute.derivationFilterFormat != nil
        let derivation = isFiltered ? nil : Derivation(expression)
        let reader = SourceReader(node: node, forest: forest, entities: entities)
        return DerivedColumn(
          table: entity.tableName,
          column: column,
          entityName: entity.name,
          attributeName: attribute.name,
          source: derivation.flatMap(reader.source)
            ?? .unassisted(expression: expression)
        )
      }
  }
}

/// Finds the columns that a derivation speaks of.
private struct SourceReader {
  let node: EntityForest.Node
  let forest: EntityForest
  let entities: [EntityMap]

  func source(_ derivation: Derivation) -> DerivedColumn.Source? {
    switch derivation {
    case .now:
      .now
    case .copy(let relationship, let attribute):
      copy(relationship, attribute)
    case .count(let relationship):
      incomingKey(relationship).map { .count($0) }
    case .total(let total, let relationship, let attribute):
      incomingKey(relationship)
        .flatMap { key in
          destination(of: relationship)?.column(of: attribute)
            .map { .total(function: total.rawValue, key, column: $0) }
        }
    }
  }

  private func copy(_ relationship: String, _ attribute: String) -> DerivedColumn.Source? {
    guard
      case .toOne(let key, _, _) = entities[node.number - 1][relationship],
      let destination = destination(of: relationship),
      case .attribute(let column) = destination[attribute]
    else { return nil }
    return .copy(key: key, table: destination.tableName, column: column)
  }

  /// The key by which a to-many relationship's destinations point here.
  private func incomingKey(_ relationship: String) -> ForeignKey? {
    switch entities[node.number - 1][relationship] {
    case .toManyInverse(let key), .toManyForeignKey(let key): key
    case .attribute, .composite, .toOne, .join, .some(.none), nil: nil
    }
  }

  private func destination(of relationship: String) -> EntityMap? {
    forest.lineage(of: node)
      .flatMap(\.schema.relationships)
      .first { $0.name == relationship }
      .flatMap { forest.number(of: $0.destinationName) }
      .map { entities[$0 - 1] }
  }
}
