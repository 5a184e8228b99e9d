import CoreData
import CoreDataModel
import CoreDataSQL

/// Rows that say of themselves what they cannot be.
struct RowEntityCheck: ModelCheck {
  func faults(in table: CheckedTable, _ schema: ModelSchema, _ tables: TableMap) -> [RowFault] {
    let root = table.root
    let tree = root.numbers.compactMap { tables[number: $0] }
    let names = tree.map(\.name).joined(separator: ", ")
    let stranger = RowFault(
      .error,
      .rowEntity,
      .table(table.name),
      where: "\(own("Z_ENT")) IS NULL OR NOT (\(root.has("t0")))",
      remedy: tree.count == 1 && !root.isAbstract ? adoption(of: table) : nil
    ) { count in
      "\(count.rows("has", "have")) a Z_ENT that is no entity of this table, which is for \(names)"
    }
    let ghosts = tree.filter(\.isAbstract).map { entity in
      RowFault(
        .warning,
        .rowEntity,
        .entity(entity.name),
        where: "\(own("Z_ENT")) = \(.integer(Int64(entity.number)))"
      ) { "\($0.rows("is", "are")) of this entity, which is abstract" }
    }
    return [stranger] + ghosts
  }

  /// Where a table is for one entity only, its rows can be nothing else.
  private func adoption(of table: CheckedTable) -> Remedy {
    let number = SQLValue.integer(Int64(table.root.number))
    return Remedy(
      "makes them rows of \(table.root.name)",
      .entities,
      [
        """
        UPDATE \(name: table.name) SET \(column: "Z_ENT") = \(number) \
        WHERE \(column: "Z_ENT") IS NOT \(number)
        """
      ]
    )
  }
}
