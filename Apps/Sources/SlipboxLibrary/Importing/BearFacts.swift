import Foundation
import RichText

/// Bear's facts about a note beside its text, in the file `info.json` of a bundle.
///
/// ```
/// { "net.shinyfrog.bear": { "creationDate": "2024-06-07T10:08:13Z", "pinned": 1, "archived": 0, "trashed": 0 … } }
/// ```
///
/// Older bundles, and those that other programs have copied, lack these facts and only name Bear as their creator.
struct BearFacts: Sendable {
  let created: Date?
  let modified: Date?
  let isPinned: Bool
  let isArchived: Bool
  let isTrashed: Bool

  /// Nil for other files.
  init?(_ entry: ImportSource.Entry) {
    // A file that cannot be read is ignored; the note's text comes in all the same.
    guard ImportPath.name(of: entry.path) == "info.json",
      let data = try? entry.read(1 << 20), let value = try? JSONValue(parsing: data),
      case .object(let members) = value, let facts = Self.facts(in: members)
    else { return nil }
    func date(_ name: String) -> Date? {
      guard case .text(let text)? = facts[name] else { return nil }
      return MarkdownFile.date(text)
    }
    func isSet(_ name: String) -> Bool { facts[name] == .integer(1) || facts[name] == .bool(true) }
    created = date("creationDate")
    modified = date("modificationDate")
    isPinned = isSet("pinned")
    isArchived = isSet("archived")
    isTrashed = isSet("trashed")
  }

  private static func facts(in members: JSONMembers) -> JSONMembers? {
    if case .object(let facts)? = members[bear] { return facts }
    guard case .text(let creator)? = members["creatorIdentifier"], creator.hasPrefix(bear) else {
      return nil
    }
    return [:]
  }

  private static let bear = "net.shinyfrog.bear"

  /// Whether a text has remarks that only Bear writes, behind pictures and files: `<!-- {"width":300} -->`.
  static func wrote(_ text: String) -> Bool { text.contains("<!-- {\"") }
}
