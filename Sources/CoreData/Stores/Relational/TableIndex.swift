package import CoreDataModel
import CoreDataSQL

/// An index of a table: for keys, for fetches, or to keep values unique.
package struct TableIndex: Hashable, Sendable {
  package let name: String
  package let table: String
  package let elements: [Element]
  package let isUnique: Bool
  /// Only rows for which this SQL condition holds are in the index.
  package let condition: String?
  /// The same condition with the names of columns in quotes, for a database that reads other names in small
  /// letters.
  package let quotedCondition: String?

  package struct Element: Hashable, Sendable {
    package let column: String
    package let order: Order
  }

  package enum Order: Hashable, Sendable {
    /// For keys, of which only equality is asked.
    case unspecified
    case ascending
    case descending
  }
}

// MARK: - The indexes of a table

extension TableIndex {
  /// Indexes in Apple's order: keys, entities, pairs, fetches, uniqueness.
  static func all(
    of tree: [EntityForest.Node],
    columns: [Column],
    entities: [EntityMap],
    joins: [JoinTable]
  ) -> [TableIndex] {
    guard let root = tree.first else { return [] }
    let table = entities[root.number - 1].tableName
    let keys = columns.filter { $0.role == .foreignKey }.map(\.name)
    let pairs = joins.filter { root.numbers.contains($0.masterNumber) }
    let all =
      (keys + (tree.count > 1 ? ["Z_ENT"] : [])).map { key(on: [$0], of: table) }
      + pairs.map { key(on: [$0.otherColumn, $0.masterColumn], of: $0.name) }
      + tree.flatMap { fetches(of: $0.schema, as: entities[$0.number - 1]) }
      + tree.flatMap { constraints(of: $0.schema, as: entities[$0.number - 1]) }
    // Models that were compiled from old sources list an index twice, and a file has it once.
    var names: Set<String> = []
    return all.filter { names.insert($0.name).inserted }
  }

  private static func key(on columns: [String], of table: String) -> TableIndex {
    TableIndex(
      name: "\(table)_\(columns[0])_INDEX",
      table: table,
      elements: columns.map { Element(column: $0, order: .unspecified) },
      isUnique: false,
      condition: nil,
      quotedCondition: nil
    )
  }

  private static func fetches(of entity: EntitySchema, as map: EntityMap) -> [TableIndex] {
    entity.indexes.compactMap { index in
      guard !index.isSpatial(in: entity), !index.isKeyIndex(in: map) else { return nil }
      let elements = index.elements.compactMap { element in
        map.column(of: element.subject)
          .map { Element(column: $0, order: element.isAscending ? .ascending : .descending) }
      }
      guard elements.count == index.elements.count, !elements.isEmpty else { return nil }
      return TableIndex(
        name: "Z_\(entity.name)_\(index.name)",
        table: map.tableName,
        elements: elements,
        isUnique: false,
        // A condition we cannot spell is left out: the index then has more rows and serves as well.
        condition: index.partialPredicateFormat.flatMap { IndexCondition.sql($0, for: map) },
        quotedCondition: index.partialPredicateFormat.flatMap {
          IndexCondition.sql($0, for: map, quote: SQLSpelling.postgreSQL.quote)
        }
      )
    }
  }

  private static func constraints(of entity: EntitySchema, as map: EntityMap) -> [TableIndex] {
    entity.uniquenessConstraints.compactMap { properties in
      let columns = properties.compactMap { map.column(of: .property($0)) }
      guard columns.count == properties.count, !columns.isEmpty else { return nil }
      return TableIndex(
        name: "Z_\(entity.name)_UNIQUE_\(properties.joined(separator: "_"))",
        table: map.tableName,
        elements: columns.map { Element(column: $0, order: .ascending) },
        isUnique: true,
        condition: nil,
        quotedCondition: nil
      )
    }
  }
}

// MARK: - What an index is of

extension FetchIndexSchema {
  /// Whether the index of a relationship's key already does the work.
  fileprivate func isKeyIndex(in map: EntityMap) -> Bool {
    guard elements.count == 1, case .property(let name) = elements[0].subject else { return false }
    switch map[name] {
    case .toOne, .toManyInverse, .toManyForeignKey, .join: return true
    case .attribute, .composite, .some(.none), nil: return false
    }
  }
}

extension EntityMap {
  /// The column of this entity's table that holds `subject`; `nil` if there is none.
  package func column(of subject: FetchIndexSchema.Subject) -> String? {
    switch subject {
    case .property(let name): column(of: name)
    case .expression("SELF"), .expression("self"): "Z_PK"
    case .expression("entity"): "Z_ENT"
    case .expression: nil
    }
  }

  package func column(of property: String) -> String? {
    switch self[property] {
    case .attribute(let column), .toOne(let column, _, _): column
    case .composite, .toManyInverse, .toManyForeignKey, .join, .some(.none), nil: nil
    }
  }
}
