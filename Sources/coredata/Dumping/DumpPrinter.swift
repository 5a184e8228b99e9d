import CoreData
import Foundation

/// Takes the objects of a dump one after the other, and prints them in some format.
protocol DumpPrinter {
  func begin() throws
  func begin(_ plan: DumpPlan) throws
  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws
  /// `next` is the place of the first object that was left out, where there is one.
  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws
  func end() throws
}

extension DumpPrinter {
  func begin() throws {}
  func end() throws {}
}

// MARK: - Tables

/// A table for each entity, with what it is called above and the number of its rows below.
final class TableDump: DumpPrinter {
  private let output: Output
  private let terminal: Terminal
  private let hasHeadings: Bool
  private var table: TextTable?
  private var empty: [String] = []
  /// Those of whose rows none was asked for.
  private var unshown: [String] = []
  private var hasPrinted = false

  init(to output: Output, terminal: Terminal, hasHeadings: Bool) {
    self.output = output
    self.terminal = terminal
    self.hasHeadings = hasHeadings
  }

  func begin(_ plan: DumpPlan) throws {
    table = nil
  }

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    let table = try table ?? newTable(plan)
    self.table = table
    let isOfSubentity = row.key.entity != plan.entity.name
    let key = isOfSubentity ? row.key.text : "p\(row.key.number)"
    try table.add([key] + row.cells.map(\.inTable))
  }

  private func newTable(_ plan: DumpPlan) throws -> TextTable {
    if hasHeadings {
      if hasPrinted { try output.line() }
      try output.line(terminal.styled(plan.entity.name.inOneLine, .heading))
    }
    hasPrinted = true
    return TextTable(
      [TextTable.Column(title: plan.keyTitle)]
        + plan.columns.map { TextTable.Column(title: $0.title, isNumeric: $0.isNumeric) },
      terminal: terminal,
      output: output,
      advice: "; choose with --columns, or see all with --format json"
    )
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws {
    guard let table else {
      if next == nil { empty.append(plan.entity.name) } else { unshown.append(plan.entity.name) }
      return
    }
    try table.finish()
    let count = rows.of("row")
    let text = next.map { "first \(count); there are more, from --offset \($0) on" } ?? count
    try output.line(terminal.styled(text, .faint))
  }

  func end() throws {
    if hasPrinted, !(empty + unshown).isEmpty { try output.line() }
    for (words, entities) in [
      ("there are rows, of which --limit 0 shows none", unshown), ("no rows", empty),
    ]
    where !entities.isEmpty {
      let names = entities.map(\.inOneLine).joined(separator: ", ")
      try output.line(terminal.styled("\(words): \(names)", .faint))
    }
  }
}

// MARK: - CSV

/// One table as RFC 4180 has it: commas, quotation marks where they are needed, CR and LF at the end.
final class CSVDump: DumpPrinter {
  private let output: Output
  private let terminal: Terminal

  init(to output: Output, terminal: Terminal) {
    self.output = output
    self.terminal = terminal
  }

  func begin(_ plan: DumpPlan) throws {
    try write([plan.keyTitle] + plan.columns.map(\.title))
  }

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    try write([row.key.text] + row.cells.map(\.inCSV))
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws {}

  private func write(_ fields: [String]) throws {
    // Files get every value as it is; a terminal gets none that would control it.
    let fields = terminal.isInteractive ? fields.map(\.harmless) : fields
    try output.write(CSV.line(fields))
  }
}

/// A line of comma-separated values.
enum CSV {
  static func line(_ fields: [String]) -> String {
    fields.map(field).joined(separator: ",") + "\r\n"
  }

  private static func field(_ text: String) -> String {
    let special: Set<UInt8> = [0x22, 0x2C, 0x0A, 0x0D]
    let isPlain = !text.utf8.contains(where: special.contains)
    if isPlain, text.first != " ", text.last != " " { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
