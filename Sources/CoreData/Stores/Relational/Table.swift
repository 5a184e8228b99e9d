import CoreDataModel

/// The table of a root entity and of all entities below it.
package struct Table: Hashable, Sendable {
  package let name: String
  package let rootNumber: Int
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`.
  package let columns: [Column]
  /// Whether rows of several entities stand in it.
  package let hasSubentities: Bool
}

extension Table {
  static func all(
    in forest: EntityForest,
    columns: ColumnPlan,
    entities: [EntityMap]
  ) -> [Table] {
    forest.nodes.filter { $0.superNumber == 0 }
      .map { root in
        let name = forest.tableName(of: root.number)
        return Table(
          name: name,
          rootNumber: root.number,
          columns: columns.columns(of: name),
          hasSubentities: root.numbers.count > 1
        )
      }
  }
}
