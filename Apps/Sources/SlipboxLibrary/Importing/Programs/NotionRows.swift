import Foundation
import RichText

/// A column of a table of Notion, with the kind of its values, which an export does not say.
struct NotionColumn: Sendable {
  enum Kind: Sendable {
    case text, truth, date
  }

  let name: String
  let kind: Kind
  /// Whether the dates of the table begin with the day, if any of them says so.
  let others: [String]
}

/// The rows of a file of Notion's.
struct NotionRows: Sendable {
  /// The text's bytes, of which each row is a part.
  private let bytes: [UInt8]

  init(_ entry: ImportSource.Entry) throws {
    bytes = Array(try Self.text(entry).utf8)
  }

  static func text(_ entry: ImportSource.Entry) throws -> String {
    let text = try ImportedText.decoded(entry.read(ImportedFile.limitWithFiles))
    guard let text else { throw LibraryProblem.refused("The file is not text in UTF-8.") }
    return text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// The values of the row at a place.
  func row(_ place: Range<Int>) -> [String] {
    let place = place.clamped(to: bytes.indices)
    var found: [String] = []
    CommaSeparated.read(String(decoding: bytes[place], as: UTF8.self)) { row in
      found = row
      return false
    }
    return found
  }

  /// The first rows, and the number of all, the first of which has the names of the columns.
  func beginning(_ count: Int) -> (rows: [[String]], count: Int) {
    var rows: [[String]] = []
    var all = 0
    CommaSeparated.read(String(decoding: bytes, as: UTF8.self)) { row in
      all += 1
      if rows.count < count { rows.append(Array(row.prefix(NotionTable.mostColumns))) }
      return true
    }
    return (rows, all)
  }
}

extension NotionRows {
  /// Finds out the kinds of the columns while the rows are read.
  struct Survey {
    private var names: [String]?
    private var areTruths: [Bool] = []
    private var areDates: [Bool] = []
    private var dates: [String] = []

    /// The most dates of which one may say in which order all have their numbers.
    private static let mostDates = 200

    /// Takes a row; returns false for the first, which has the names.
    mutating func add(_ row: ArraySlice<String>) -> Bool {
      guard let names else {
        names = Array(row)
        areTruths = row.map { _ in true }
        areDates = areTruths
        return false
      }
      for (index, value) in zip(names.indices, row) where !value.isEmpty {
        areTruths[index] = areTruths[index] && (value == "Yes" || value == "No")
        guard areDates[index] else { continue }
        areDates[index] = NotionValue.isLikeDate(value)
        if areDates[index], dates.count < Self.mostDates { dates.append(value) }
      }
      return true
    }

    var columns: [NotionColumn] {
      (names ?? []).enumerated().map { index, name in
        let kind: NotionColumn.Kind = areTruths[index] ? .truth : areDates[index] ? .date : .text
        return NotionColumn(name: name, kind: kind, others: kind == .date ? dates : [])
      }
    }
  }
}

/// A value of a row of Notion, as it is written in its exports.
enum NotionValue {
  /// Whether a value may be a date, whatever the order of its numbers.
  static func isLikeDate(_ value: String) -> Bool {
    let date = first(value)
    guard value.utf8.count <= 60, MarkdownFile.date(date, beside: ["13/01/2000"]) != nil else {
      return false
    }
    // Behind a year at the beginning, there may be words.
    let isYearFirst = date.prefix(4).allSatisfy(\.isNumber)
    return !isYearFirst || date.allSatisfy { $0.isNumber || "-/:.TZ+ ".contains($0) }
  }

  /// The first of two dates with an arrow between them, without the sign before a date.
  private static func first(_ value: String) -> String {
    let first = value.firstRange(of: "→").map { value[..<$0.lowerBound] } ?? value[...]
    return first.trimmingCharacters(in: CharacterSet(charactersIn: "@ "))
  }

  static func date(_ value: String, beside others: [String]) -> Date? {
    MarkdownFile.date(first(value), beside: others)
  }

  /// A day, or a moment if the value has a time; a span of days stays as it is written.
  static func written(_ value: String, beside others: [String]) -> String {
    guard !value.contains("→"), let date = date(value, beside: others) else { return value }
    let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
    return date.formatted(value.contains(":") ? .iso8601 : day)
  }

  /// The value without the addresses behind the names of other pages: `Rome (../Trips/Rome%20f05b….md)`.
  static func withoutAddresses(_ value: String) -> String {
    guard value.contains(".md)") || value.contains(".csv)") else { return value }
    var words = ""
    var rest = value[...]
    while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
      let address = rest[rest.index(after: open)..<close]
      let path = String(address).removingPercentEncoding ?? String(address)
      if NotionName(path) != nil {
        words += rest[..<open]
        while words.last == " " { words.removeLast() }
      } else {
        words += rest[...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return words + rest
  }
}

extension NoteFacts {
  /// Adds the value of a column of Notion; dates of the note itself are those that every note has.
  mutating func add(_ value: String, in column: NotionColumn) {
    let value = NotionValue.withoutAddresses(value)
    let name = column.name.lowercased()
    if column.kind == .date, let date = NotionValue.date(value, beside: column.others) {
      if ["created", "created time", "created at", "date created"].contains(name) {
        created = date
        return
      }
      if ["last edited", "last edited time", "last updated", "updated", "edited"].contains(name) {
        modified = date
        return
      }
    }
    switch column.kind {
    case .truth: add(column.name, value == "Yes" ? "true" : value == "No" ? "false" : nil)
    case .date: add(column.name, NotionValue.written(value, beside: column.others))
    case .text where ["tags", "tag"].contains(name):
      add(column.name, value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    case .text: add(column.name, value)
    }
  }
}
