import CoreDataModel

/// The table of a root entity and of all entities below it.
package struct Table: Hashable, Sendable {
  package let name: String
  package let rootNumber: Int
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`.
  package let columns: [Column]
  package let indexes: [TableIndex]
  package let spatialIndexes: [SpatialIndex]
  /// The columns whose values the database computes.
  package let derivedColumns: [DerivedColumn]
}

extension Table {
  static func all(
    in forest: EntityForest,
    columns: ColumnPlan,
    entities: [EntityMap],
    joins: [JoinTable]
  ) -> [Table] {
    forest.nodes.filter { $0.superNumber == 0 }
      .map { root in
        let name = forest.tableName(of: root.number)
        let tree = root.numbers.map { forest[$0] }
        let columns = columns.columns(of: name)
        return Table(
          name: name,
          rootNumber: root.number,
          columns: columns,
          indexes: TableIndex.all(of: tree, columns: columns, entities: entities, joins: joins),
          spatialIndexes: tree.flatMap {
            SpatialIndex.all(of: $0.schema, as: entities[$0.number - 1])
          },
          derivedColumns: tree.flatMap { DerivedColumn.all(of: $0, in: forest, entities: entities) }
        )
      }
  }
}

extension EntityForest {
  /// The table of an entity's tree, which is named after its root.
  func tableName(of number: Int) -> String {
    "Z" + self[self[number].rootNumber].schema.name.uppercased()
  }
}
