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

  init(to output: Output, isKeyed: Bool, coordinator: NSPersistentStoreCoordinator) {
    self.output = output
    self.isKeyed = isKeyed
    objects = JSONObjects(output: output, coordinator: coordinator)
  }

  func begin() throws {
    if isKeyed { try output.write("{") }
  }

  func begin(_ plan: DumpPlan) throws {
    if isKeyed {
      try output.write("\(isFirstEntity ? "" : ",")\n\(JSONValue.quoted(plan.entity.name)): ")
    }
    try output.write("[")
    isFirstEntity = false
    isFirstRow = true
  }

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    try output.write(isFirstRow ? "\n  " : ",\n  ")
    try objects.write(row, of: plan)
    isFirstRow = false
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws {
    try output.write(isFirstRow ? "]" : "\n]")
    if !isKeyed { try output.line() }
  }

  func end() throws {
    if isKeyed { try output.line("\n}") }
  }
}

/// An object of JSON in each line, of whatever entity: its `id` says which.
final class JSONLinesDump: DumpPrinter {
  private let output: Output
  private let objects: JSONObjects

  init(to output: Output, coordinator: NSPersistentStoreCoordinator) {
    self.output = output
    objects = JSONObjects(output: output, coordinator: coordinator)
  }

  func begin(_ plan: DumpPlan) throws {}

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    try objects.write(row, of: plan)
    try output.line()
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws {}
}

/// Writes objects in one line each; lists of related objects go out as they are read.
struct JSONObjects {
  let output: Output
  let coordinator: NSPersistentStoreCoordinator

  func write(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    try output.write("{\"\(plan.keyTitle)\":\(JSONValue.quoted(row.key.text))")
    for (column, cell) in zip(plan.columns, row.cells) {
      try output.write(",\(JSONValue.quoted(column.title)):")
      if case .members(let owner, let relationship) = cell {
        try writeMembers(of: owner, relationship)
      } else {
        try output.write(cell.inJSON.compact)
      }
    }
    try output.write("}")
  }

  private func writeMembers(of owner: StoredKey, _ relationship: String) throws {
    var separator = "["
    try coordinator.forEachMember(of: owner, relationship) { member in
      try output.write(separator + JSONValue.quoted(member.text))
      separator = ","
    }
    try output.write(separator == "[" ? "[]" : "]")
  }
}
