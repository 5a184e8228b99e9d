import CoreData
import CoreDataSQL
import CoreDataSQLite

/// The list of entities, by whose numbers rows name theirs.
///
/// An entity's number counts, not its name: migrations leave old names behind.
struct EntityNumberCheck: StoreCheck {
  let name = CheckName.entityNumber

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    guard store.file.tables["Z_PRIMARYKEY"] != nil else {
      return [Self.missingTable(isModelKnown: true)]
    }
    let rows = try rows(in: store)
    return store.tables.entities.filter(store.keeps).compactMap { finding($0, rows, in: store) }
  }

  private struct ListedEntity {
    let number: Int
    let name: String
    let superentity: Int
  }

  private func rows(in store: CheckedStore) throws(SQLiteError) -> [ListedEntity] {
    let statement = try store.connection.statement(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY"
    )
    defer { statement.reset() }
    var rows: [ListedEntity] = []
    while try statement.step() {
      rows.append(
        ListedEntity(
          number: Int(statement.integer(0)),
          name: statement.text(1),
          superentity: Int(statement.integer(2))
        )
      )
    }
    return rows
  }

  private func finding(
    _ entity: EntityMap,
    _ rows: [ListedEntity],
    in store: CheckedStore
  ) -> Finding? {
    if let namesake = rows.first(where: { $0.name == entity.name }),
      namesake.number != entity.number
    {
      return finding(
        .error,
        entity,
        "the store gives it the number \(namesake.number), and the model \(entity.number)"
      )
    }
    guard let row = rows.first(where: { $0.number == entity.number }) else {
      return finding(
        .error,
        entity,
        "Z_PRIMARYKEY has no row for it",
        remedy: Remedy("writes the row", .bookkeeping, [insertion(of: entity)])
      )
    }
    if row.name != entity.name, store.tables[row.name] != nil {
      return finding(
        .error,
        entity,
        "Z_PRIMARYKEY calls it \(row.name), which is another entity's name",
        remedy: Remedy(
          "writes the model's name",
          .bookkeeping,
          [
            """
            UPDATE Z_PRIMARYKEY SET Z_NAME = \(.text(entity.name)) \
            WHERE Z_ENT = \(.integer(Int64(entity.number)))
            """
          ]
        )
      )
    }
    if row.superentity != entity.superNumber {
      return finding(
        .warning,
        entity,
        "Z_PRIMARYKEY says that its superentity is \(row.superentity), and the model"
          + " \(entity.superNumber)",
        remedy: Remedy(
          "writes the model's",
          .bookkeeping,
          [
            """
            UPDATE Z_PRIMARYKEY SET Z_SUPER = \(.integer(Int64(entity.superNumber))) \
            WHERE Z_ENT = \(.integer(Int64(entity.number)))
            """
          ]
        )
      )
    }
    return nil
  }

  private func finding(
    _ severity: Finding.Severity,
    _ entity: EntityMap,
    _ sentence: String,
    remedy: Remedy? = nil
  ) -> Finding {
    Finding(severity, .entityNumber, .entity(entity.name), sentence, remedy: remedy)
  }

  private func insertion(of entity: EntityMap) -> SQLFragment {
    """
    INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\
    \(.integer(Int64(entity.number))), \(.text(entity.name)), \
    \(.integer(Int64(entity.superNumber))), 0) ON CONFLICT (Z_ENT) DO NOTHING
    """
  }

  /// Only a model says which rows belong into the table.
  static func missingTable(isModelKnown: Bool) -> Finding {
    var finding = Finding(
      .error,
      .entityNumber,
      .table("Z_PRIMARYKEY"),
      "the table is missing, without which nothing opens the store"
    )
    guard isModelKnown else {
      finding.advice = "coredata repair STORE --model MODEL makes it anew"
      return finding
    }
    finding.remedy = Remedy(
      "makes the table",
      .tables,
      [SQLFragment(stringLiteral: TablesWriter.primaryKeyTable)]
    )
    return finding
  }
}
