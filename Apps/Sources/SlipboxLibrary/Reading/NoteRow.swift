import CoreData
public import Foundation
import RichText

/// The row of a note in a list.
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
  /// The file with words that the note itself does not have; null if nothing is searched for, or no file has them.
  @OrNull public var file: FileHit?
  /// The property that the list shows; null if the note does not have it.
  @OrNull public var property: PropertyContent?

  /// The places of a search's words, in UTF-16 units.
  public struct Hits: Encodable, Sendable, Equatable {
    public let title: [TextRange]
    public let excerpt: [TextRange]
  }

  init(
    _ note: Note,
    words: [String] = [],
    column: String? = nil,
    _ room: ReadingRoom = ReadingRoom()
  ) {
    id = note.uuid.text
    title = note.title
    excerpt = Excerpt.of(note, around: words, room)
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
    file = words.isEmpty ? nil : FileHit(note, words)
    property = column.flatMap { note.property(named: $0) }.map(PropertyContent.init)
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

  init(id: String, title: String) {
    self.id = id
    self.title = title
  }

  init(_ note: Note) {
    self.init(id: note.uuid.text, title: note.title)
  }
}
