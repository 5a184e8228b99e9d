import CoreData
import CoreDataStoreCare
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
    let members = try objects.members(of: row)
    if isFirstRow { try open(plan) }
    try output.write(isFirstRow ? "\n  " : ",\n  ")
    try objects.write(row, plan, members, to: output)
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
    let members = try objects.members(of: row)
    try objects.write(row, plan, members, to: output)
    try output.line()
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws {}
}

/// Spells objects in one line each.
struct JSONObjects {
  let coordinator: NSPersistentStoreCoordinator
  /// Whether archives are written as their bytes, which can be read again, and not as their values.
  let writesArchives: Bool

  /// Reads the lists of to-many relationships, as text by the places of their cells.
  func members(of row: DumpPlan.Row) throws -> [Int: String] {
    var lists: [Int: String] = [:]
    for (place, cell) in row.cells.enumerated() {
      guard case .members(let owner, let relationship) = cell else { continue }
      lists[place] = try members(of: owner, relationship)
    }
    return lists
  }

  /// Writes an object with lists that were read before; long texts go in parts.
  func write(
    _ row: DumpPlan.Row,
    _ plan: DumpPlan,
    _ members: [Int: String],
    to output: Output
  ) throws {
    var text = "{\"\(plan.keyTitle)\":\(JSONValue.quoted(row.key.text))"
    for (place, (column, cell)) in zip(plan.columns, row.cells).enumerated() {
      text += ",\(column.quotedTitle):"
      if let list = members[place] {
        text += list
      } else if let long = longText(in: cell) {
        try output.write(text)
        text = ""
        try JSONValue.forEachQuotedPart(of: long) { try output.write($0) }
      } else {
        text += cell.inJSON.compact
      }
    }
    try output.write(text + "}")
  }

  private func longText(in cell: ShownCell) -> String? {
    switch cell {
    case .text(let text): text
    case .data(let data): data.base64EncodedString()
    case .file(let file): file.contents?.base64EncodedString()
    case .archived(_, let data) where writesArchives: data.base64EncodedString()
    case .nothing, .number, .boolean, .date, .archived, .object, .members: nil
    }
  }

  private func members(of owner: StoredKey, _ relationship: String) throws -> String {
    var (text, separator) = ("", "[")
    try coordinator.forEachMember(of: owner, relationship) { member in
      text += separator + JSONValue.quoted(member.text)
      separator = ","
    }
    return separator == "[" ? "[]" : text + "]"
  }
}
