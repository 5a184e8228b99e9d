import Foundation
import RichText

/// A page of Notion in Markdown: its title, the properties that its table gives it, and its text.
///
/// ```
/// # Rome
///
/// Tags: city
/// Visited: June 8, 2025 6:10 AM
///
/// The old town.
/// ```
struct NotionPage {
  private(set) var properties: NoteFacts
  private(set) var body = ""
  /// The line of the file where the body begins.
  private(set) var firstLine = 1

  /// - Parameters:
  ///   - text: The file.
  ///   - title: The title that the name of the file has, which may be cut off.
  ///   - columns: The columns of the table to which the page belongs; other lines of that look are text.
  init(_ text: String, title: String, columns: [NotionColumn]) {
    properties = NoteFacts(title: title)
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
    if let first = lines.first, first.hasPrefix("# ") {
      properties.title = first.dropFirst(2).trimmingCharacters(in: .whitespaces)
      lines.removeFirst()
    }
    lines = lines.drop { $0.allSatisfy(\.isWhitespace) }
    readProperties(&lines, columns)
    firstLine = lines.startIndex + 1
    body = NotionMarkdown.body(lines)
  }

  private mutating func readProperties(
    _ lines: inout ArraySlice<Substring>,
    _ columns: [NotionColumn]
  ) {
    if columns.isEmpty { return }
    let named = Dictionary(columns.map { ($0.name, $0) }) { first, _ in first }
    var found: [(column: NotionColumn, value: String)] = []
    while let line = lines.first, !line.allSatisfy(\.isWhitespace) {
      if let (column, value) = Self.property(line, named) {
        found.append((column, value))
      } else if found.isEmpty {
        return
      } else {
        // A value of several lines.
        found[found.count - 1].value += "\n\(line)"
      }
      lines.removeFirst()
    }
    for (column, value) in found { properties.add(value, in: column) }
    lines = lines.drop { $0.allSatisfy(\.isWhitespace) }
  }

  private static let longestName = 300

  /// The column and the value of a line; the name of a column may have a colon, too.
  private static func property(
    _ line: Substring,
    _ columns: [String: NotionColumn]
  ) -> (NotionColumn, String)? {
    var rest = line.prefix(longestName)
    while let colon = rest.firstRange(of: ": ") {
      if let column = columns[String(line[..<colon.lowerBound])] {
        return (column, line[colon.upperBound...].trimmingCharacters(in: .whitespaces))
      }
      rest = rest[colon.upperBound...]
    }
    return nil
  }
}

/// The signs of Notion's Markdown that others write otherwise, line for line.
private enum NotionMarkdown {
  static func body(_ lines: ArraySlice<Substring>) -> String {
    var (isCode, isAside) = (false, false)
    var body = ""
    for line in lines {
      if body.isEmpty == false { body += "\n" }
      let words = line.drop { $0 == " " || $0 == "\t" }
      if words.hasPrefix("```") { isCode.toggle() }
      switch words {
      case "<aside>" where !isCode && !isAside:
        isAside = true
        body += line[..<words.startIndex] + "> [!note]"
      case "</aside>" where !isCode && isAside: isAside = false
      default:
        if isAside { body += "> " }
        body += isCode ? String(line) : self.line(line)
      }
    }
    return body
  }

  /// A line without signs that make nothing bold, and with titles in links to pages that lack words.
  private static func line(_ line: Substring) -> String {
    guard line.contains("****") || line.contains("[](") else { return String(line) }
    let isRule = line.allSatisfy { $0 == "*" || $0 == " " }
    let words = isRule ? String(line) : String(line).replacing("****", with: "")
    return withTitles(words)
  }

  private static func withTitles(_ line: String) -> String {
    var words = ""
    var rest = line[...]
    while let link = rest.firstRange(of: "[](") {
      let address = rest[link.upperBound...].prefix { $0 != ")" && $0 != " " }
      let title = NotionName(String(address).removingPercentEncoding ?? String(address))?.title
      let name = title.map { $0.filter { !"[]\\".contains($0) } } ?? ""
      words += rest[..<link.lowerBound] + "[\(name)](\(address)"
      rest = rest[address.endIndex...]
    }
    return words + rest
  }
}
