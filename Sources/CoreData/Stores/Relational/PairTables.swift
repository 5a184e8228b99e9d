import CoreDataModel

/// The tables of pairs of a file, found for the relationships of a model.
///
/// The rule for their names is known but for a few cases, and a file may have been made before a
/// rule, or moved from another model:
///
/// ```
/// Memory (2) .assets ◀▶ Asset (1) .memories       Suggestion (3) .assets ◀▶ Asset (1) .suggestions
///
/// rule    Z_1MEMORIES ( Z_1ASSETS,  Z_2MEMORIES )  Z_1SUGGESTIONS ( Z_1ASSETS1, Z_3SUGGESTIONS )
/// file    Z_1MEMORIES ( Z_1ASSETS1, Z_2MEMORIES )  Z_1SUGGESTIONS ( Z_1ASSETS,  Z_3SUGGESTIONS )
/// ```
struct PairTables {
  /// The pair is as the table has it: its first end gave the name.
  typealias Found = (pair: JoinPlan.Pair, table: JoinTable)

  private var found: [RelationshipEnd.ID: Found] = [:]

  init(_ file: FileTables, for pairs: [JoinPlan.Pair], _ names: JoinColumnNames) {
    var free = file.pairColumns
    for pair in pairs {
      guard let match = Self.named(pair, in: file, names) else { continue }
      found[pair.first.id] = match
      free[match.table.name] = nil
    }
    for pair in pairs where found[pair.first.id] == nil {
      let alike = free.compactMap { name, columns in
        PairMatch(pair, names)?.table(name, columns).map { (pair: pair, $0) }
      }
      .filter { $0.1.isSure }
      // If two tables match, neither is taken.
      guard alike.count == 1 else { continue }
      found[pair.first.id] = (pair, alike[0].1.table)
      free[alike[0].1.table.name] = nil
    }
  }

  /// `nil` if the file does not have a table for the pair.
  subscript(pair: JoinPlan.Pair) -> Found? { found[pair.first.id] }

  /// The table that is called after one of the two relationships.
  private static func named(
    _ pair: JoinPlan.Pair,
    in file: FileTables,
    _ names: JoinColumnNames
  ) -> Found? {
    let candidates = [pair, pair.reversed].filter {
      file.names.contains(JoinTable.name(master: $0.first))
    }
    let matches = candidates.compactMap { pair in
      let name = JoinTable.name(master: pair.first)
      return file.pairColumns[name].flatMap { PairMatch(pair, names)?.table(name, $0) }
        .map { (pair: pair, match: $0) }
    }
    if let best = matches.min(by: { $0.match.distance < $1.match.distance }) {
      return (best.pair, best.match.table)
    }
    return candidates.first.map {
      ($0, JoinTable(master: $0.first, other: $0.second, names: names))
    }
  }
}
