/// The fate of each table of the source.
///
/// ```
/// ZTAG    ─▶ ZLABEL                 its heir: renamed, columns and all
/// ZITEM   ─▶ ZITEM, part ─▶ ZNOTE   a hierarchy that splits: some rows are copied and leave
/// ZBIN    ─▶ nothing                dropped
///            ZLIST                  new
/// ```
struct TableFates {
  /// By the name of the source table: the destination table that it becomes.
  private(set) var heirs: [String: String] = [:]
  /// The destination tables whose rows are copied out of another's, by name, with that table.
  private(set) var copies: [String: String] = [:]
  /// The destination tables without rows.
  private(set) var new: Set<String> = []
  private(set) var dropped: Set<String> = []

  /// Throws for tables that would have to be merged, which no comparison lets through.
  init(_ tables: MatchedTables) throws(MigrationFailure) {
    var claims: [String: [String]] = [:]
    for table in tables.destination.tables {
      let sources = Set(tables.moves(into: table.name).map(\.source.tableName))
      guard sources.count <= 1 else {
        throw MigrationFailure(
          .notInferable([
            .init(
              reason: "the rows of \(sources.sorted().joined(separator: " and ")) would have to "
                + "become rows of one table",
              remedy: "keep their hierarchies apart, or copy the objects with a mapping model"
            )
          ])
        )
      }
      guard let source = sources.first else {
        new.insert(table.name)
        continue
      }
      claims[source, default: []].append(table.name)
    }
    for table in tables.source.tables {
      guard let claimants = claims[table.name] else {
        dropped.insert(table.name)
        continue
      }
      // The table stays with its root, if that is still a root.
      let root = tables.move(from: table.rootNumber)?.destination.tableName
      let heir = claimants.first { $0 == root } ?? claimants[0]
      heirs[table.name] = heir
      for other in claimants where other != heir { copies[other] = table.name }
    }
  }
}
