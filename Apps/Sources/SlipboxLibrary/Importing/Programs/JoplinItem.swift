import Foundation
import RichText

/// A file of Joplin's RAW export: a title, a text, and facts in the lines at its end.
///
/// ```
/// A walk
///
/// ![tree.png](:/82eba373e2054df8adb94274c3add306)
///
/// id: 9bdd5d51716c4db7b05c02700ffa68ce
/// parent_id: 815c019cb6a94c4890309b8dd64cd294
/// …
/// type_: 1
/// ```
struct JoplinItem: Sendable {
  enum Kind: Int {
    case note = 1
    case notebook = 2
    case resource = 4
    case tag = 5
    case noteTag = 6
  }

  /// Nil for an item that says nothing about notes, such as an earlier version of one.
  let kind: Kind?
  let title: String
  let body: String
  /// The line of the file where the body begins.
  let firstLine = 3
  private let facts: [String: String]

  /// More than an item has.
  private static let mostFacts = 100

  /// Nil for a file that is not Joplin's.
  init?(_ contents: String) {
    let text = contents.replacing("\r\n", with: "\n")
    guard let (rest, facts) = Self.facts(atEndOf: text),
      let type = facts["type_"].flatMap({ Int($0) })
    else { return nil }
    kind = Kind(rawValue: type)
    self.facts = facts
    let end = rest.firstIndex(of: "\n") ?? rest.endIndex
    title = rest[..<end].trimmingCharacters(in: .whitespaces)
    let below = rest[end...].dropFirst()
    body = String(below.first == "\n" ? below.dropFirst() : below)
  }

  /// A fact, or `nil` if it is empty.
  subscript(name: String) -> String? { facts[name].flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the body is a page of the web, as the web clipper makes it if it is asked to.
  var isPage: Bool { self["markup_language"] == "2" }

  /// The text before the facts, and these.
  private static func facts(atEndOf text: String) -> (Substring, [String: String])? {
    let bytes = text.utf8
    var facts: [String: String] = [:]
    var end = bytes.endIndex
    while facts.count <= mostFacts {
      let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map(bytes.index(after:))
      let line = text[(start ?? bytes.startIndex)..<end]
      if line.allSatisfy(\.isWhitespace) {
        // A line that is empty is before the facts, and may be behind them.
        guard facts.isEmpty else { return (text[..<(start ?? end)], facts) }
      } else {
        guard let colon = line.firstIndex(of: ":"), isName(line[..<colon]) else { return nil }
        facts[String(line[..<colon])] = line[line.index(after: colon)...]
          .trimmingCharacters(in: .whitespaces)
      }
      guard let start, start > bytes.startIndex else { return (text[..<text.startIndex], facts) }
      end = bytes.index(before: start)
    }
    return nil
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
  }
}

// MARK: - Identifiers

extension JoplinItem {
  /// Whether a text is an identifier: 32 digits.
  static func isIdentifier(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The identifier in an address such as `:/82eba373e2054df8adb94274c3add306#heading`; `nil` for other addresses.
  static func identifier(in address: String) -> String? {
    guard address.hasPrefix(":/") else { return nil }
    let id = String(address.dropFirst(2).prefix(32))
    let rest = address.dropFirst(2 + id.count)
    return isIdentifier(id) && (rest.isEmpty || rest.first == "#" || rest.first == "?") ? id : nil
  }
}

// MARK: - Notes

extension JoplinItem {
  /// Why the note stays where it is; `nil` for one that comes in.
  var reasonToLeaveOut: String? {
    if self["encryption_applied"] == "1" {
      return "It is encrypted. Wait until Joplin has decrypted all notes, and export them again."
    }
    return moment("deleted_time") == nil ? nil : "It lies in Joplin’s trash."
  }

  func name(at path: String) -> String { title.isEmpty ? path : title }

  var properties: NoteFacts {
    var properties = NoteFacts(title: title)
    properties.created = date("user_created_time") ?? date("created_time")
    properties.modified = date("user_updated_time") ?? date("updated_time")
    properties.add("source", self["source_url"])
    properties.add("author", self["author"])
    for name in ["latitude", "longitude", "altitude"] {
      if let number = self[name].flatMap(Double.init), number != 0 {
        properties.add(name, self[name])
      }
    }
    if self["is_todo"] == "1" {
      let completed = moment("todo_completed")
      properties.add("completed", completed == nil ? "false" : "true")
      properties.add("completed at", completed)
      properties.add("due", moment("todo_due"))
    }
    if self["is_conflict"] == "1" { properties.add("conflict", "true") }
    return properties
  }

  private func date(_ name: String) -> Date? { self[name].flatMap { MarkdownFile.date($0) } }

  /// A moment in milliseconds; `nil` for zero.
  private func moment(_ name: String) -> Date? {
    self[name].flatMap { WholeNumber.read64($0) }.flatMap { $0 == 0 ? nil : $0 }
      .map { Date(timeIntervalSince1970: Double($0) / 1_000) }
  }
}
