import CoreDataSQL
import Foundation

/// Prints the rows of statements while they run.
final class SQLResults {
  private let format: Format
  private let terminal: Terminal
  private let output: Output
  private var writer: (any SQLRowWriter)?
  private var failure: (any Error)?

  enum Format: Equatable {
    case table, json
    case csv(escapesFormulas: Bool)
  }

  init(format: Format, terminal: Terminal, output: Output) {
    self.format = format
    self.terminal = terminal
    self.output = output
  }

  /// Begins the rows of a statement that has columns.
  func begin(_ names: [String]) { writer = newWriter(names) }

  /// Prints a row; `false` if nothing more can be printed, for a reason that is kept for ``end()``.
  func row(_ values: [SQLValue]) -> Bool {
    guard failure == nil else { return false }
    keep { try writer?.row(values) }
    return failure == nil
  }

  /// Ends the rows; throws what went wrong with the output.
  func end() throws {
    defer { (writer, failure) = (nil, nil) }
    keep { try writer?.end() }
    if let failure { throw failure }
  }

  /// The printed rows of a statement that fails stay as they are.
  func forget() { (writer, failure) = (nil, nil) }

  /// Something that is said about a statement, where a person reads.
  func note(_ text: String) throws {
    if format == .table { try output.line(terminal.styled(text, .faint)) }
  }

  private func keep(_ body: () throws -> Void) {
    if failure != nil { return }
    do { try body() } catch { failure = error }
  }

  private func newWriter(_ names: [String]) -> any SQLRowWriter {
    switch format {
    case .table: SQLTable(names, terminal, output)
    case .csv(let escapesFormulas):
      SQLValues(
        names,
        CSVLines(to: output, terminal: terminal, escapesFormulas: escapesFormulas)
      )
    case .json: SQLObjects(names, output)
    }
  }
}

/// Takes the rows of one statement.
private protocol SQLRowWriter {
  func row(_ values: [SQLValue]) throws
  func end() throws
}

private final class SQLTable: SQLRowWriter {
  private let table: TextTable
  private let output: Output
  private let terminal: Terminal

  init(_ names: [String], _ terminal: Terminal, _ output: Output) {
    self.output = output
    self.terminal = terminal
    let advice = "; select fewer columns, or see all with --json"
    table = TextTable(
      names.map { TextTable.Column(title: $0, isNumeric: nil) },
      terminal: terminal,
      output: output,
      advice: advice
    )
  }

  func row(_ values: [SQLValue]) throws {
    try table.add(values.map(\.inTable))
  }

  func end() throws {
    try table.finish()
    try output.line(terminal.styled(table.rowCount.of("row"), .faint))
  }
}

private final class SQLValues: SQLRowWriter {
  private let lines: CSVLines
  private var names: [String]?

  init(_ names: [String], _ lines: CSVLines) {
    self.lines = lines
    self.names = names
  }

  private func begin() throws {
    guard let names else { return }
    self.names = nil
    try lines.write(names.map { .text($0) })
  }

  func row(_ values: [SQLValue]) throws {
    try begin()
    try lines.write(values.map(\.inCSV))
  }

  func end() throws { try begin() }
}

private final class SQLObjects: SQLRowWriter {
  private let names: [String]
  private let output: Output
  private var isFirst = true

  init(_ names: [String], _ output: Output) {
    self.names = names
    self.output = output
  }

  func row(_ values: [SQLValue]) throws {
    let members = zip(names, values).map { JSONValue.Member(name: $0, value: $1.inJSON) }
    try output.write((isFirst ? "[\n  " : ",\n  ") + JSONValue.object(members).compact)
    isFirst = false
  }

  func end() throws { try output.line(isFirst ? "[]" : "\n]") }
}

// MARK: - Values

extension SQLValue {
  fileprivate var inTable: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value): value.description
    case .text(let text): text
    case .blob(let bytes): bytes.count > 16 ? "x'…' \(bytes.count.asBytes)" : description
    }
  }

  fileprivate var inCSV: CSVCell {
    switch self {
    case .null: .value("")
    case .blob(let bytes): .text(Data(bytes).base64EncodedString())
    case .integer, .real: .value(inTable)
    case .text(let text): .text(text)
    }
  }

  fileprivate var inJSON: JSONValue {
    switch self {
    case .null: .null
    case .integer(let value): .number(String(value))
    case .real(let value): .real(value)
    case .text(let text): .text(text)
    case .blob(let bytes): .text(Data(bytes).base64EncodedString())
    }
  }
}
