import CoreData
public import Foundation
import RichText

/// What a list shows of a note.
public struct NoteRow: Encodable, Sendable, Equatable {
  public let id: String
  public let title: String
  /// The beginning of the text, or the part with the first hit of a search.
  public let excerpt: String
  public let status: String
  public let favourite: Bool
  public let pinned: Bool
  public let created: Date
  public let modified: Date
  @OrNull public var folder: FolderName?
  public let keywords: [KeywordMark]
  public let attachment: Bool
  @OrNull public var trashed: Date?
  public let hits: Hits

  /// Where the words of a search stand, in UTF-16 units.
  public struct Hits: Encodable, Sendable, Equatable {
    public let title: [TextRange]
    public let excerpt: [TextRange]
  }

  init(_ note: Note, words: [String] = []) {
    id = note.uuid.text
    title = note.title
    excerpt = Excerpt.of(note.formattedBodyText.plainText, around: words)
    status = note.status.word
    favourite = note.isFavorite
    pinned = note.isPinned
    created = note.creationDate
    modified = note.modificationDate
    keywords = note.keywords.sorted().map(KeywordMark.init)
    attachment = note.attachment != nil
    hits = Hits(
      title: SearchWords.hits(of: words, in: title),
      excerpt: SearchWords.hits(of: words, in: excerpt)
    )
    folder = note.folder.map(FolderName.init)
    trashed = note.trashedDate_
  }
}

/// A folder as a note mentions it.
public struct FolderName: Encodable, Sendable, Equatable {
  public let id: String
  public let name: String

  init(_ folder: Folder) {
    id = folder.uuid.text
    name = folder.name
  }
}

/// A keyword as a note mentions it.
public struct KeywordMark: Encodable, Sendable, Equatable {
  public let id: String
  public let name: String
  /// As style sheets write it: `#rrggbb`.
  public let color: String

  init(_ keyword: Keyword) {
    id = keyword.uuid.text
    name = keyword.name
    color = keyword.color.css
  }
}

/// A note as another note mentions it.
public struct NoteTitle: Encodable, Sendable, Equatable {
  public let id: String
  public let title: String

  init(_ note: Note) {
    id = note.uuid.text
    title = note.title
  }
}

/// The part of a text that a list has room for.
enum Excerpt {
  static let length = 220
  private static let lead = 60

  /// The beginning, or, where that has none of the words, the part with the first of them.
  static func of(_ text: String, around words: [String]) -> String {
    // Enough for a hit near the end of what is shown, and no walk through a long text.
    let beginning = oneLine(text.prefix(length * 2))
    if words.isEmpty || !SearchWords.hits(of: words, in: String(beginning.prefix(length))).isEmpty {
      return cut(beginning)
    }
    guard let hit = firstHit(of: words, in: text) else { return cut(beginning) }
    let start = text.index(hit, offsetBy: -lead, limitedBy: text.startIndex) ?? text.startIndex
    let part = oneLine(text[start...].prefix(length * 2))
    guard start > text.startIndex else { return cut(part) }
    let word = part.firstIndex(of: " ").map { part[part.index(after: $0)...] } ?? part[...]
    return "…" + cut(String(word))
  }

  private static func firstHit(of words: [String], in text: String) -> String.Index? {
    words.flatMap(SearchWords.spellings).compactMap {
      text.range(of: $0, options: [.caseInsensitive, .diacriticInsensitive])?.lowerBound
    }.min()
  }

  private static func oneLine(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func cut(_ text: String) -> String {
    text.count > length ? String(text.prefix(length)) + "…" : text
  }
}
