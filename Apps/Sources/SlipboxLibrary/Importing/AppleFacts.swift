import Foundation
import RichText

/// Apple's facts about a note of its Notes beside the text, and the files beside it.
struct AppleFacts: Sendable {
  fileprivate(set) var created: Date?
  fileprivate(set) var modified: Date?
  fileprivate(set) var isPinned = false
  fileprivate(set) var isDeleted = false

  /// The files beside the text, in the order in which it speaks of them.
  fileprivate(set) var files: [Int] = []
}

/// The list of notes in Apple's copy of a person's data: `Notes Details.csv`.
///
/// ```
/// iCloud Notes/Notes Details.csv                  Title, Created On, Modified On, Pinned, Deleted, …
/// iCloud Notes/Notes/Work/A walk/A walk.txt       A walk,03-04-2021 05:06:07,03-04-2022 05:06:07,No,No,…
/// iCloud Notes/Notes/Work/A walk/Attachment.jpeg
/// ```
struct AppleList: Sendable {
  /// The folder that it lies in, with the sign behind it.
  private let root: String
  private var rows: [String: [AppleFacts]] = [:]

  static let name = "Notes Details.csv"
  private static let maximumSize = 32 << 20

  /// Nil for other files.
  init?(_ entry: ImportSource.Entry) {
    guard ImportPath.name(of: entry.path) == Self.name,
      // A list that cannot be read is ignored; the notes' texts come in all the same.
      let data = try? entry.read(Self.maximumSize), let text = ImportedText.decoded(data)
    else { return nil }
    root = String(entry.path.dropLast(Self.name.count))
    var (isFirst, count) = (true, 0)
    CommaSeparated.read(text) { row in
      if isFirst {
        isFirst = false
        return true
      }
      guard row.count >= 5 else { return true }
      var facts = AppleFacts()
      facts.created = Self.date(row[1])
      facts.modified = Self.date(row[2])
      facts.isPinned = row[3].lowercased() == "yes"
      facts.isDeleted = row[4].lowercased() == "yes"
      rows[row[0].canonical, default: []].append(facts)
      count += 1
      return count < Self.mostRows
    }
  }

  /// More notes than anybody has.
  private static let mostRows = 200_000

  /// `03-04-2021 05:06:07`: the month first, in UTC.
  private static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ").map { $0.split(separator: "-") }
    guard parts.count == 2, parts[0].count == 3, let time = parts[1].first else { return nil }
    return MarkdownFile.date("\(parts[0][2])-\(parts[0][0])-\(parts[0][1])T\(time)Z")
  }
}

extension AppleList {
  /// The facts about a text, and the folder that it belongs to; `nil` for one that is not a note of the list.
  func note(at path: String, beginningWith title: String) -> (facts: AppleFacts, folder: String)? {
    guard path.hasPrefix(root), case let parts = path.dropFirst(root.count).split(separator: "/"),
      parts.count >= 3
    else { return nil }
    var name = ImportPath.stem(of: path)
    let known = rows[title.canonical] ?? rows[name.canonical] ?? []
    // Of several notes of one name, the second is called `A walk-1`.
    var number = 0
    if let dash = name.lastIndex(of: "-"),
      let count = WholeNumber.read(name[name.index(after: dash)...], within: 1...9_999)
    {
      name = String(name[..<dash])
      number = count
    }
    var facts = known.isEmpty ? AppleFacts() : known[min(number, known.count - 1)]
    facts.isDeleted =
      parts[0] == "Recently Deleted" || (!known.isEmpty && known.allSatisfy(\.isDeleted))
    return (facts, parts.dropFirst().dropLast(2).joined(separator: "/"))
  }
}

extension AppleFacts {
  /// The same with the files that lie beside a text: `Attachment.jpeg`, then `Attachment-1.jpeg`.
  func with(_ files: [Int], named name: (Int) -> String) -> AppleFacts {
    var facts = self
    facts.files = files.sorted {
      ImportPath.stem(of: name($0)).localizedStandardCompare(ImportPath.stem(of: name($1)))
        == .orderedAscending
    }
    return facts
  }
}

/// Rows of values between commas, which may be in quotes.
enum CommaSeparated {
  /// Reads the rows one by one, until `body` returns false; blanks around a value are not part of it, and empty lines
  /// are not rows.
  static func read(_ text: String, _ body: ([String]) -> Bool) {
    readPlaces(text) { row, _ in body(row) }
  }

  /// Reads the rows with their places among the bytes of the text.
  static func readPlaces(_ text: String, _ body: ([String], _ place: Range<Int>) -> Bool) {
    var row: [String] = []
    var value: [UInt8] = []
    var isQuoted = false
    var last: UInt8 = 0
    var (start, position) = (0, 0)
    func finish() {
      row.append(String(decoding: value, as: UTF8.self).trimmingCharacters(in: .whitespaces))
      value.removeAll(keepingCapacity: true)
    }
    for byte in text.utf8 {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        // Two of them in quotes are one.
        if !isQuoted, last == byte { value.append(byte) }
        isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        finish()
      case UInt8(ascii: "\n") where !isQuoted, UInt8(ascii: "\r") where !isQuoted:
        if row.isEmpty, value.isEmpty {
          start = position
          break
        }
        finish()
        if !body(row, start..<(position - 1)) { return }
        row.removeAll(keepingCapacity: true)
        start = position
      default: value.append(byte)
      }
      last = byte
    }
    if row.isEmpty, value.isEmpty { return }
    finish()
    _ = body(row, start..<position)
  }
}
