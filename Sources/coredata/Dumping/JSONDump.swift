import CoreData
import Foundation

/// An object of JSON for each object of a store, in a list; of all entities, a list under each name.
///
/// ```
/// [
///   {"id":"Note/p1","title":"Shopping","folder":{"id":"Folder/p1","name":"Home"},"tags":["Tag/p2"]}
/// ]
/// ```
final class JSONDump: DumpPrinter {
  private let output: Output
  private let isKeyed: Bool
  private let objects: JSONObjects
  private var isFirstEntity = true
  private var isFirstRow = true

  init(to output: Output, isKeyed: Bool, _ objects: JSONObjects) {
    self.output = output
    self.isKeyed = isKeyed
    self.objects = objects
  }

  func begin() throws {
    if isKeyed { try output.write("{") }
  }

  func begin(_ plan: DumpPlan) throws {
    isFirstRow = true
  }

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    // Before anything is written of the row, for it may turn out to be unreadable.
    let text = try objects.text(of: row, plan)
    if isFirstRow { try open(plan) }
    try output.write(isFirstRow ? "\n  " : ",\n  ")
    try output.write(text)
    isFirstRow = false
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws {
    if isFirstRow { try open(plan) }
    try output.write(isFirstRow ? "]" : "\n]")
    if !isKeyed { try output.line() }
  }

  /// An entity of which nothing could be read gets no list: an empty one would say that it is
  /// empty.
  func abandon(_ plan: DumpPlan, rows: Int) throws {
    if rows > 0 || !isKeyed { try end(plan, rows: rows, next: nil) }
  }

  private func open(_ plan: DumpPlan) throws {
    if isKeyed {
      try output.write("\(isFirstEntity ? "" : ",")\n\(JSONValue.quoted(plan.entity.name)): ")
    }
    try output.write("[")
    isFirstEntity = false
  }

  func end() throws {
    if isKeyed { try output.line("\n}") }
  }
}

/// An object of JSON in each line, of whatever entity: its `id` says which.
final class JSONLinesDump: DumpPrinter {
  private let output: Output
  private let objects: JSONObjects

  init(to output: Output, _ objects: JSONObjects) {
    self.output = output
    self.objects = objects
  }

  func begin(_ plan: DumpPlan) throws {}

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    try output.line(try objects.text(of: row, plan))
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws {}
}

/// Spells objects in one line each.
struct JSONObjects {
  let coordinator: NSPersistentStoreCoordinator
  /// Whether archives are written as their bytes, which can be read again, and not as their values.
  let writesArchives: Bool

  func text(of row: DumpPlan.Row, _ plan: DumpPlan) throws -> String {
    var text = "{\"\(plan.keyTitle)\":\(JSONValue.quoted(row.key.text))"
    for (column, cell) in zip(plan.columns, row.cells) {
      text += ",\(column.quotedTitle):"
      if case .members(let owner, let relationship) = cell {
        try append(membersOf: owner, relationship, to: &text)
      } else if writesArchives, case .archived(_, let data) = cell {
        text += JSONValue.quoted(data.base64EncodedString())
      } else {
        text += cell.inJSON.compact
      }
    }
    return text + "}"
  }

  private func append(
    membersOf owner: StoredKey,
    _ relationship: String,
    to text: inout String
  ) throws {
    var separator = "["
    try coordinator.forEachMember(of: owner, relationship) { member in
      text += separator + JSONValue.quoted(member.text)
      separator = ","
    }
    text += separator == "[" ? "[]" : "]"
  }
}
