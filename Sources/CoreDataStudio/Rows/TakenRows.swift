import CoreData
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The rows of a table as a file to take away.
///
/// The file has no name and is not in memory, so that a slow browser can take its time.
struct TakenRows {
  enum Format: String, CaseIterable {
    case csv, json
    case markdown = "md"

    fileprivate var contentType: String {
      switch self {
      case .csv: "text/csv; charset=utf-8"
      case .json: "application/json; charset=utf-8"
      case .markdown: "text/markdown; charset=utf-8"
      }
    }
  }

  /// Larger tables are for `coredata dump`.
  private static let mostBytes = 256 << 20
  private static let time = Duration.seconds(50)

  let table: RowTable
  let format: Format

  /// Writes all rows of the table into a file, and returns it as a download.
  ///
  /// - Throws: A `Problem` with status 413 for more than 256 MB, or more than 50 seconds of work.
  func response() async throws -> Response {
    let file = try await HeldFile(in: FileManager.default.temporaryDirectory) { descriptor in
      var writer = FileWriter(descriptor: descriptor)
      try write(to: &writer)
      try writer.flush()
    }
    return .held(file, contentType: format.contentType)
      .downloaded(as: "\(table.entity.name).\(format.rawValue)")
      .with("Cache-Control", "no-store")
  }

  private func write(to writer: inout FileWriter) throws {
    let end = ContinuousClock.now + Self.time
    let titles = ["object"] + table.columns.map(\.title)
    try writer.write(head(titles))
    var separator = ""
    try table.forEachRow { key, cells in
      try writer.write(separator + line(key, cells, titles))
      if format == .json { separator = ",\n" }
      if writer.byteCount > Self.mostBytes || ContinuousClock.now > end {
        throw Problem(
          413,
          "These rows are too many to save here. Narrow the condition, leave out columns, or use coredata dump."
        )
      }
    }
    if format == .json { try writer.write("\n]\n") }
  }
}

// MARK: - Lines

extension TakenRows {
  private func head(_ titles: [String]) -> String {
    switch format {
    case .csv: titles.map(CSVText.quoted).joined(separator: ",") + "\r\n"
    case .json: "[\n"
    case .markdown:
      "| " + titles.map(Self.escaped).joined(separator: " | ") + " |\n|"
        + String(repeating: " --- |", count: titles.count) + "\n"
    }
  }

  private func line(_ key: StoredKey, _ cells: [ShownCell], _ titles: [String]) -> String {
    switch format {
    case .csv:
      return ([key.text] + cells.map(Self.field)).joined(separator: ",") + "\r\n"
    case .json:
      let members = zip(titles, [.text(key.text)] + cells.map(\.inJSON))
      return JSONValue.object(members.map { .init(name: $0, value: $1) }).compact
    case .markdown:
      let texts = [key.text] + cells.map(Self.words)
      return "| " + texts.map(Self.escaped).joined(separator: " | ") + " |\n"
    }
  }

  /// A field of a spreadsheet, in which a stranger's text does not become a formula.
  private static func field(_ cell: ShownCell) -> String {
    guard case .text(let text) = cell else { return cell.inCSV }
    return CSVText.quoted(CSVText.mayBeFormula(text) ? "'" + text : text)
  }

  /// A value for people, who cannot read Base64.
  private static func words(_ cell: ShownCell) -> String {
    switch cell {
    case .data(let data): "\(data.count) bytes"
    case .file(let file): file.size.map { "\($0) bytes" } ?? "missing file"
    case .archived(let value, _): value.compact
    case .object(let key, let name): name ?? key.text
    case .nothing, .text, .number, .boolean, .date, .members: cell.inCSV
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
      .split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// Writes texts into an open file, in portions.
private struct FileWriter {
  let descriptor: Int32
  private(set) var byteCount = 0
  private var waiting = Data()

  init(descriptor: Int32) { self.descriptor = descriptor }

  mutating func write(_ text: String) throws {
    waiting.append(contentsOf: text.utf8)
    byteCount += text.utf8.count
    if waiting.count > 1 << 18 { try flush() }
  }

  mutating func flush() throws {
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: waiting)
    waiting.removeAll(keepingCapacity: true)
  }
}
