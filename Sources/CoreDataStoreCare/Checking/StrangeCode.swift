import CoreData
package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
package import Foundation

/// Triggers, views and computations of a file that its model does not explain.
///
/// A trigger runs when somebody saves, with all that somebody may do. Those that keep derived attributes,
/// places and indexes of words are Apple's or ours, and do no more than that. A program may have made
/// others in its own store; of a file that was handed over nobody knows. SQLite computes the expressions of
/// indexes, checks and columns for each row that is written, and such an expression may make a gigabyte.
///
/// ```
/// explained     the very text that we would write; or a trigger of Apple's name that SQLite says writes
///               derived columns alone, and runs after the change
///               an index or a table that only compares values, or is written as we would
/// strange       all others, and every view
/// ```
package struct StrangeCode: Hashable, Sendable {
  package let triggers: [Piece]
  package let views: [Piece]
  /// Indexes with expressions, and tables with checks or computed values, among the tables that a save writes to.
  package let computations: [Piece]

  package struct Piece: Hashable, Sendable {
    package let name: String
    /// The table that sets a trigger off, or that an index is of; the view or the table itself.
    package let table: String
    package let sql: String
  }
}

extension StrangeCode {
  /// Looks into a store's file; changes and runs nothing.
  package init(inStoreAt url: URL, model: ModelSchema?) throws {
    let file = SQLiteFile(at: url, options: nil, isReadOnly: true)
    self = try file.reading { connection throws(SQLiteError) in
      StoreFunctions.define(on: connection)
      // The effects of an index of words or of places must be reported too; nothing is run.
      connection.trustSchema()
      let tables = try StoreTables.names(on: connection)
      let map = model.map { TableMap($0, existingTables: tables) }
      return try StrangeCode(on: connection, map, model)
    }
  }

  init(
    on connection: Connection,
    _ tables: TableMap?,
    _ model: ModelSchema?
  ) throws(SQLiteError) {
    let pieces = try Self.pieces(on: connection)
    views = pieces.filter { $0.kind == "view" }.map(\.piece)
    let found = pieces.filter { $0.kind == "trigger" }.map(\.piece)
    let explanation = tables.map { TriggerExplanation($0, model) }
    var strange: [Piece] = []
    for (table, triggers) in Dictionary(grouping: found, by: \.table) {
      let unknown = triggers.filter { !(explanation?.knows($0) ?? false) }
      guard let explanation, !unknown.isEmpty else {
        strange += unknown
        continue
      }
      let effects = try Self.effects(of: table, on: connection)
      strange += unknown.filter { !explanation.explains($0, by: effects) }
    }
    triggers = strange.sorted { $0.name < $1.name }
    let written = tables.map(WrittenTables.init)
    computations = pieces.filter { kind, piece in
      Self.computes(kind, piece) && written?.explain(kind, piece) != true
    }.map(\.piece)
  }

  private static func pieces(
    on connection: Connection
  ) throws(SQLiteError) -> [(kind: String, piece: Piece)] {
    // An index that belongs to a constraint does not have a statement.
    let statement = try connection.statement(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
    )
    defer { statement.reset() }
    var pieces: [(kind: String, piece: Piece)] = []
    while try statement.step() {
      let piece = Piece(
        name: statement.text(1),
        table: statement.text(2),
        sql: statement.text(3)
      )
      pieces.append((statement.text(0), piece))
    }
    return pieces
  }

  private static func computes(_ kind: String, _ piece: Piece) -> Bool {
    switch kind {
    case "index": ComputedSQL.isComputed(index: piece.sql)
    case "table": ComputedSQL.isComputed(table: piece.sql)
    // Triggers and views are looked at in other ways.
    case _: false
    }
  }

  /// A statement that would give each row the values that it has, and set off what any update does.
  static func update(of columns: [String], in table: String) -> SQLFragment {
    let itself = columns.map { "\(column: $0) = \(column: $0)" as SQLFragment }
    return "UPDATE \(name: table) SET \(itself.joined(separator: ", "))"
  }

  /// The effects that changes of a table's rows would have; `nil` if SQLite cannot compile the statement.
  private static func effects(
    of table: String,
    on connection: Connection
  ) throws(SQLiteError) -> Set<Connection.Effect>? {
    let columns = try FileSchema.columns(of: table, on: connection)
    if columns.isEmpty { return nil }
    let changes: [SQLFragment] = [
      "INSERT INTO \(name: table) DEFAULT VALUES", "DELETE FROM \(name: table)",
      update(of: columns, in: table),
    ]
    do {
      return try connection.effects(of: changes)
    } catch {
      // A trigger that names missing things is not a known one.
      guard error.primaryCode == 1 else { throw error }
      return nil
    }
  }
}

/// The tables that a save writes to, and their indexes in a model's store.
private struct WrittenTables {
  private let names: Set<String>
  private let indexes: Set<Substring>

  /// Tables of keys, pairs, the history and indexes of words.
  private static let prefixes = ["Z_", "ATRANSACTION", "ACHANGE", "COREDATA_"]

  init(_ map: TableMap) {
    names = Set((map.tables.map(\.name) + map.joinTables.map(\.name)).map { $0.uppercased() })
    indexes = Set(TablesWriter(map).indexes.map(Self.content))
  }

  /// Whether a computation is the model's, or of a table that no save touches.
  func explain(_ kind: String, _ piece: StrangeCode.Piece) -> Bool {
    let table = piece.table.uppercased()
    let isWritten = names.contains(table) || Self.prefixes.contains(where: table.hasPrefix)
    return !isWritten || kind == "index" && indexes.contains(Self.content(of: piece.sql))
  }

  /// An index without its name, which migrations keep.
  private static func content(of index: String) -> Substring {
    index.firstRange(of: " ON ").map { index[$0.upperBound...] } ?? index[...]
  }
}

/// The triggers of a model's store, and the permitted actions of others of Apple's.
private struct TriggerExplanation {
  private let statements: [String: String]
  private let derived: Set<String>
  private let indexes: Set<String>

  private static let prefixes = ["Z_DA_", "Z_RT_", TextIndex.namePrefix]
  private static let functions: Set<String> = [
    "avg", "coalesce", "count", "ifnull", "max", "min", "nscoredatanow", "sum", "total",
    "nscoredatadatriggerinsertupdatedaffectedobjectvalue",
    "nscoredatadatriggerupdatedaffectedobjectvalue", "nscoredatatriggerupdateaffectedobjectvalue",
  ]

  init(_ map: TableMap, _ model: ModelSchema?) {
    let columns = map.tables.flatMap(\.derivedColumns)
    let places = map.tables.flatMap(\.spatialIndexes)
    let words = model.map { TextIndex.all(in: map, $0) } ?? []
    statements = Dictionary(
      columns.flatMap(\.triggers).map { ($0.name, $0.statement) }
        + places.flatMap(\.triggers).map { ($0.name, $0.statement) }
        + words.flatMap(\.triggers).map { ($0.name, $0.statement) }
    ) { first, _ in first }
    derived = Set(columns.map { Self.place($0.table, $0.column) })
    indexes = Set(places.map { $0.name.uppercased() } + words.map { $0.name.uppercased() })
  }

  private static func place(_ table: String, _ column: String) -> String {
    "\(table).\(column)".uppercased()
  }

  func knows(_ trigger: StrangeCode.Piece) -> Bool { statements[trigger.name] == trigger.sql }

  func explains(_ trigger: StrangeCode.Piece, by effects: Set<Connection.Effect>?) -> Bool {
    let text = trigger.sql.uppercased()
    guard let effects, Self.prefixes.contains(where: { trigger.name.hasPrefix($0) }),
      // Those refuse or pass depending on the rows of a save.
      !text.contains("RAISE"), !text.contains("BEFORE"), !text.contains("INSTEAD"),
      // They may ask themselves for ever.
      !text.split(whereSeparator: { !$0.isLetter }).contains("WITH")
    else { return false }
    return effects.filter { $0.cause == trigger.name }.allSatisfy(isHarmless)
  }

  private func isHarmless(_ effect: Connection.Effect) -> Bool {
    switch effect.kind {
    case .read, .select: true
    case .call: Self.functions.contains(effect.subject.lowercased())
    case .update: derived.contains(Self.place(effect.subject, effect.column))
    case .insert, .delete:
      indexes.contains(effect.subject.uppercased()) || TextIndex.isName(effect.subject)
    case .other: false
    }
  }
}
