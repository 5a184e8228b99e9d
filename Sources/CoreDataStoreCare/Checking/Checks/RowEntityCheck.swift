import CoreData
import CoreDataModel
import CoreDataSQL

/// Rows that say of themselves what they cannot be.
struct RowEntityCheck: ModelCheck {
  func faults(in table: CheckedTable, _ schema: ModelSchema, _ tables: TableMap) -> [RowFault] {
    [stranger(in: table, tables, where: isStrange(table))]
      + ghosts(in: table, tables).map { ghost(of: $0, where: isGhost($0)) }
  }

  /// In a file, where a repair may follow, rows are distinguished by other evidence of their
  /// entity.
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    let witnesses = store.witnesses(of: table.root)
    let strangers =
      isOfOneEntity(table, store.tables)
      ? listed(in: table, of: store)
      : witnesses.parts(of: isStrange(table), by: own("Z_PK")) {
        [stranger(in: table, store.tables, where: $0)]
      }
    let ghosts = ghosts(in: table, store.tables).flatMap { entity in
      witnesses.parts(of: isGhost(entity), by: own("Z_PK")) { [ghost(of: entity, where: $0)] }
    }
    return strangers + ghosts + (witnesses?.fault ?? [])
  }

  /// Rows that have the number which the list of entities gives to theirs are two against the model.
  private func listed(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    guard store.file.has("Z_NAME", in: "Z_PRIMARYKEY") else {
      return [stranger(in: table, store.tables, where: isStrange(table))]
    }
    let isListed: SQLFragment = """
      EXISTS (SELECT 1 FROM Z_PRIMARYKEY AS \(name: "l") \
      WHERE \(.column("Z_NAME", of: "l")) = \(.text(table.root.name)) \
      AND \(.column("Z_ENT", of: "l")) = \(own("Z_ENT")))
      """
    return [
      stranger(in: table, store.tables, where: "(\(isStrange(table))) AND NOT \(isListed)"),
      stranger(in: table, store.tables, where: "(\(isStrange(table))) AND \(isListed)")
        .with(
          nil,
          advice: "Z_PRIMARYKEY agrees with the rows: give the model that the store was made with"
        ),
    ]
  }

  private func isStrange(_ table: CheckedTable) -> SQLFragment {
    "\(own("Z_ENT")) IS NULL OR NOT (\(table.root.has("t0")))"
  }

  private func stranger(
    in table: CheckedTable,
    _ tables: TableMap,
    where condition: SQLFragment
  ) -> RowFault {
    let names = table.root.numbers.compactMap { tables[number: $0]?.name }.joined(separator: ", ")
    return RowFault(
      .error,
      .rowEntity,
      .table(table.name),
      where: condition,
      remedy: isOfOneEntity(table, tables) ? adoption(of: table, where: condition) : nil
    ) { count in
      "\(count.rows("has", "have")) a Z_ENT that is no entity of this table, which is for \(names)"
    }
  }

  private func ghosts(in table: CheckedTable, _ tables: TableMap) -> [EntityMap] {
    table.root.numbers.compactMap { tables[number: $0] }.filter(\.isAbstract)
  }

  private func isGhost(_ entity: EntityMap) -> SQLFragment {
    "\(own("Z_ENT")) = \(.integer(Int64(entity.number)))"
  }

  private func ghost(of entity: EntityMap, where condition: SQLFragment) -> RowFault {
    RowFault(.warning, .rowEntity, .entity(entity.name), where: condition) {
      "\($0.rows("is", "are")) of this entity, which is abstract"
    }
  }

  private func isOfOneEntity(_ table: CheckedTable, _ tables: TableMap) -> Bool {
    table.root.numbers.compactMap { tables[number: $0] }.count == 1 && !table.root.isAbstract
  }

  /// If a table is for one entity only, its rows cannot be anything else.
  private func adoption(of table: CheckedTable, where condition: SQLFragment) -> Remedy {
    let number = SQLValue.integer(Int64(table.root.number))
    return Remedy(
      "makes them rows of \(table.root.name)",
      .entities,
      [
        """
        UPDATE \(name: table.name) AS \(name: "t0") SET \(column: "Z_ENT") = \(number) \
        WHERE \(condition)
        """
      ]
    )
  }
}
