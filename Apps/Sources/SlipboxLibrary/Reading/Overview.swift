public import Foundation

/// The content of the sidebar.
public struct Overview: Encodable, Sendable {
  /// In order; trashed ones are left out.
  public let folders: [FolderRow]
  public let trashedFolders: [FolderRow]
  public let places: Places
  public let keywords: Keywords
  /// Whether a note that is not in the trash has another status than that of a new one.
  public let usesStatuses: Bool
  /// The searches that somebody keeps.
  public let searches: [SearchRow]
  /// The names that properties have.
  public let properties: [PropertyName]
  /// Whether notes can be exported as DOCX: pandoc is installed.
  public let makesWordFiles: Bool
  /// The last event that is in here; followers of the changes begin after it.
  public let token: String

  public struct Places: Encodable, Sendable, Equatable {
    public let all: Int
    public let favourites: Int
    public let recent: Int
    public let unfiled: Int
    public let trash: Int
  }

  public struct Keywords: Encodable, Sendable {
    public let total: Int
    /// The keywords of the most notes, with those above them.
    public let top: [KeywordRow]
    /// Names above keywords of `top` that are not keywords themselves.
    public let above: [KeywordGroup]
  }
}

public struct FolderRow: Encodable, Sendable, Equatable {
  public let id: String
  public let name: String
  @OrNull public var parent: String?
  public let order: Int64
  /// How many notes lie in the folder itself and are not in the trash.
  public let count: Int
  @OrNull public var sort: String?
  public let created: Date

  init(_ folder: Folder, count: Int) {
    id = folder.uuid.text
    name = folder.name
    order = folder.order
    self.count = count
    created = folder.creationDate
    parent = folder.parent?.uuid.text
    sort = folder.sorting?.rawValue
  }
}

public struct KeywordRow: Encodable, Sendable, Equatable {
  public let id: String
  public let name: String
  public let color: String
  public let count: Int
  /// How many notes have the keyword or one below it; `nil` if no other of the same list is below it.
  public var total: Int?

  init(_ keyword: Keyword, count: Int) {
    id = keyword.uuid.text
    name = keyword.name
    color = keyword.color.css
    self.count = count
  }
}

/// A name above keywords: `travel` above `travel/italy`.
public struct KeywordGroup: Encodable, Sendable, Equatable {
  public let name: String
  /// How many notes have a keyword below it.
  public let total: Int
}

/// A search that is kept under a name.
public struct SearchRow: Encodable, Sendable, Equatable {
  public let id: String
  public let name: String
  public let text: String

  init(_ search: SavedSearch) {
    id = search.uuid.text
    name = search.name
    text = search.text
  }
}
