import CoreData
import CoreDataStoreCare
import Foundation

/// Takes the objects of a dump one after the other, and prints them in some format.
protocol DumpPrinter {
  func begin() throws
  func begin(_ plan: DumpPlan) throws
  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws
  /// `next` is the place of the first object that was left out, if there is one.
  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws
  /// Nothing more of the entity can be read; the printed part must be complete nevertheless.
  func abandon(_ plan: DumpPlan, rows: Int) throws
  func end() throws
}

extension DumpPrinter {
  func begin() throws {}
  func abandon(_ plan: DumpPlan, rows: Int) throws { try end(plan, rows: rows, next: nil) }
  func end() throws {}
}

// MARK: - Tables

/// A table for each entity, with its name above and the number of its rows below.
final class TableDump: DumpPrinter {
  private let output: Output
  private let terminal: Terminal
  private let hasHeadings: Bool
  /// How many rows of each entity were skipped, if it has as many.
  private let skipped: Int
  private var table: TextTable?
  private var empty: [String] = []
  /// Those of whose rows none was asked for.
  private var unshown: [String] = []
  private var hasPrinted = false

  init(to output: Output, terminal: Terminal, hasHeadings: Bool, skips skipped: Int) {
    self.output = output
    self.terminal = terminal
    self.hasHeadings = hasHeadings
    self.skipped = skipped
  }

  func begin(_ plan: DumpPlan) throws {
    table = nil
  }

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    let table = try table ?? newTable(plan)
    self.table = table
    let isOfSubentity = row.key.entity != plan.entity.name
    let key = isOfSubentity ? row.key.text : "p\(row.key.primaryKey)"
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
    let part = skipped > 0 ? "\(count) behind the first \(skipped.grouped)" : "first \(count)"
    let text = next.map { "\(part); there are more; continue with --offset \($0)" } ?? count
    try output.line(terminal.styled(text, .faint))
  }

  func abandon(_ plan: DumpPlan, rows: Int) throws {
    guard let table else { return }
    try table.finish()
    let text = "\(rows.of("row")); the others cannot be read"
    try output.line(terminal.styled(text, .warning))
  }

  func end() throws {
    if hasPrinted, !(empty + unshown).isEmpty { try output.line() }
    for (words, entities) in [
      ("not shown because of --limit 0", unshown),
      (skipped > 0 ? "no rows with --offset \(skipped)" : "no rows", empty),
    ]
    where !entities.isEmpty {
      let names = entities.map(\.inOneLine).joined(separator: ", ")
      try output.line(terminal.styled("\(words): \(names)", .faint))
    }
  }
}

// MARK: - CSV

/// One table as in RFC 4180: commas, quotation marks if they are needed, CR and LF at the end.
final class CSVDump: DumpPrinter {
  private let lines: CSVLines
  private var hasTitles = false

  init(to lines: CSVLines) {
    self.lines = lines
  }

  func begin(_ plan: DumpPlan) throws {}

  func row(_ row: DumpPlan.Row, of plan: DumpPlan) throws {
    try writeTitles(of: plan)
    try lines.write(.text(row.key.text), then: row.cells.lazy.map(\.forCSV))
  }

  func end(_ plan: DumpPlan, rows: Int, next: Int?) throws { try writeTitles(of: plan) }

  /// With the first row, for until then columns may turn out to be unreadable.
  private func writeTitles(of plan: DumpPlan) throws {
    if hasTitles { return }
    hasTitles = true
    try lines.write(([plan.keyTitle] + plan.columns.map(\.title)).map { .text($0) })
  }
}

extension ShownCell {
  /// A number stays one, whatever its sign.
  fileprivate var forCSV: CSVCell {
    switch self {
    case .number, .date, .boolean, .nothing, .members: .value(inCSV)
    // The value of a missing file is absent, and not empty.
    case .file(let file) where file.size == nil: .value("")
    case .text, .data, .file, .archived, .object: .text(inCSV)
    }
  }
}
