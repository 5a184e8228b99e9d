import CoreData
import CoreDataModel
import CoreDataSQL

/// A join table that is in the file, with the entities at its two ends.
struct CheckedJoin {
  let table: JoinTable
  /// The entity that declares the relationship that gives the table its name.
  let master: EntityMap
  let other: EntityMap
  let relationship: RelationshipSchema

  var place: Finding.Place { .property(relationship.name, of: master.name) }

  /// The orders of the table: whose members have places, and in which column.
  var orders: [(owner: String, column: String)] {
    [
      table.otherOrderColumn.map { (table.masterColumn, $0) },
      table.masterOrderColumn.map { (table.otherColumn, $0) },
    ].compactMap(\.self)
  }

  /// The two ends of each pair, as examples show them.
  var pair: SQLFragment { "\(own(table.masterColumn)), \(own(table.otherColumn))" }
}

extension CheckedJoin {
  static func all(
    in schema: ModelSchema,
    _ tables: TableMap,
    _ file: FileSchema
  ) -> [CheckedJoin] {
    tables.joinTables.compactMap { table in
      guard let master = tables[number: table.masterNumber],
        let relationship = schema.entity(named: master.name)?.relationships.first(where: {
          master[$0.name] == .join(table.masterSide)
        }),
        let other = tables[relationship.destinationName],
        let columns = file.tables[table.name],
        columns.isSuperset(of: [table.masterColumn, table.otherColumn]),
        columns.isSuperset(
          of: [table.masterOrderColumn, table.otherOrderColumn].compactMap(\.self)
        )
      else { return nil }
      return CheckedJoin(table: table, master: master, other: other, relationship: relationship)
    }
  }
}
