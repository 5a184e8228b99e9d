package import CoreDataModel
package import Foundation

/// A trigger of the file that the model does not ask for, and that a save sets off.
///
/// ```
/// CREATE TRIGGER tidy AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZLOG; END
///
/// tidy on ZNOTE: deletes rows of ZLOG
/// ```
package struct ForeignTrigger: Hashable, Sendable {
  package let name: String
  package let table: String
  /// What it does, as in "deletes rows of ZLOG"; empty where it only reads, or stops the save.
  package let effects: [String]

  /// The triggers that run when objects of some entities are updated, and those that these set off.
  package static func setOff(
    byUpdating entities: Set<String>,
    of model: ModelSchema,
    inStoreAt url: URL,
    patience: TimeInterval
  ) throws -> [ForeignTrigger] {
    let session = try SQLSession(at: url, isWritable: false, patience: patience)
    let things = try session.things()
    let triggers = things.filter { $0.kind == "trigger" }.map(WrittenTrigger.init)
    if triggers.isEmpty { return [] }
    let tables = TableMap(model)
    var touched = Set(
      entities.compactMap { tables[$0] }
        .map { TableEvent(table: $0.tableName.lowercased(), verb: .update) }
    )
    touched.formUnion(TableEvent.bookkeeping)
    var found: [WrittenTrigger] = []
    var waiting = triggers
    while let place = waiting.firstIndex(where: { touched.contains($0.event) }) {
      let trigger = waiting.remove(at: place)
      touched.formUnion(trigger.effects.map(\.event))
      if !trigger.isExplained(by: tables) { found.append(trigger) }
    }
    return found.map { trigger in
      ForeignTrigger(
        name: trigger.name,
        table: trigger.table,
        effects: trigger.effects.map(\.words)
      )
    }
  }
}

/// Something that happens to the rows of a table.
private struct TableEvent: Hashable {
  /// In small letters, as SQLite compares names.
  let table: String
  let verb: Verb

  enum Verb: String {
    case insert, update, delete
  }

  /// What every save writes besides the objects' rows.
  static let bookkeeping: Set<TableEvent> = [
    TableEvent(table: "z_primarykey", verb: .update),
    TableEvent(table: "atransaction", verb: .insert), TableEvent(table: "achange", verb: .insert),
    TableEvent(table: "atransactionstring", verb: .insert),
  ]
}

// MARK: - Reading a trigger

/// A trigger as its statement says it.
private struct WrittenTrigger {
  let name: String
  let table: String
  let event: TableEvent
  let effects: [Effect]
  private let text: String

  struct Effect: Hashable {
    let table: String
    let verb: TableEvent.Verb
    /// The first column that an update sets.
    let column: String?

    var event: TableEvent { TableEvent(table: table.lowercased(), verb: verb) }

    var words: String {
      switch verb {
      case .insert: "adds rows to \(table)"
      case .update: "updates rows of \(table)"
      case .delete: "deletes rows of \(table)"
      }
    }
  }

  init(_ thing: SQLSession.Thing) {
    name = thing.name
    table = thing.table
    text = thing.sql
    let plain = Self.withoutTexts(thing.sql)
    let parts = plain.split(separator: /(?i)\bBEGIN\b/, maxSplits: 1)
    let head = String(parts.first ?? "")
    let verb = head.matches(of: /(?i)\b(INSERT|UPDATE|DELETE)\b/).last
      .flatMap { TableEvent.Verb(rawValue: $0.output.1.lowercased()) }
    event = TableEvent(table: thing.table.lowercased(), verb: verb ?? .update)
    effects = Self.effects(of: parts.count > 1 ? String(parts[1]) : "")
  }

  /// The statement without comments, and with empty texts: what stands in them is no command.
  private static func withoutTexts(_ sql: String) -> String {
    sql.replacing(/'(?:[^']|'')*'|--[^\n]*|\/\*(?s:.*?)\*\//, with: " ")
  }

  private static func effects(of body: String) -> [Effect] {
    let pattern =
      /(?i)\b(?:(UPDATE)(?:\s+OR\s+\w+)?|(?:(?:INSERT)(?:\s+OR\s+\w+)?|REPLACE)\s+INTO|(DELETE)\s+FROM)\s+(?:"([^"]+)"|\[([^\]]+)\]|`([^`]+)`|(\w+))(?:\s+SET\s+"?(\w+))?/
    var effects: [Effect] = []
    for match in body.matches(of: pattern) {
      let (_, update, delete, quoted, bracketed, ticked, bare, column) = match.output
      let table = String(quoted ?? bracketed ?? ticked ?? bare ?? "")
      let verb: TableEvent.Verb = update != nil ? .update : delete != nil ? .delete : .insert
      let effect = Effect(table: table, verb: verb, column: column.map(String.init))
      if !effects.contains(effect) { effects.append(effect) }
    }
    return effects
  }

  /// Whether the model asks for what it does: a derived value, an R-tree, an index of words.
  ///
  /// A name alone explains nothing: whoever made the file may have chosen it.
  func isExplained(by tables: TableMap) -> Bool {
    let derived = tables.tables.flatMap(\.derivedColumns)
    let own =
      derived.flatMap { $0.triggers.map { ($0.name, $0.statement) } }
      + tables.tables.flatMap(\.spatialIndexes).flatMap {
        $0.triggers.map { ($0.name, $0.statement) }
      }
    if own.contains(where: { $0.0 == name && $0.1 == text }) { return true }
    return !effects.isEmpty
      && effects.allSatisfy { effect in
        if effect.table.hasPrefix("Z_RT_") || TextIndex.isName(effect.table) { return true }
        return effect.verb == .update
          && derived.contains { $0.table == effect.table && $0.column == effect.column }
      }
  }
}
