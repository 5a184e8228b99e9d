/// A part of a list of notes.
public struct NoteQuery: Hashable, Sendable {
  public var search: NoteSearch
  public var sorting: NoteSorting
  public var offset: Int
  public var limit: Int
  /// The name of a property that the rows show; `nil` for none.
  public var column: String?

  public init(
    _ search: NoteSearch = NoteSearch(),
    sorting: NoteSorting = .dateDescending,
    offset: Int = 0,
    limit: Int = 60,
    column: String? = nil
  ) {
    self.search = search
    self.sorting = sorting
    self.column = column
    self.offset = max(offset, 0)
    self.limit = min(max(limit, 0), 500)
  }
}

/// The visible part of a list of notes: its sections, and the rows of a part of it.
public struct NoteWindow: Encodable, Sendable {
  /// Another text when anything was written in between.
  public let version: String
  public let total: Int
  public let sections: [Section]
  public let offset: Int
  public let rows: [NoteRow]
  /// A sentence for a person who has searched for something that the search does not know.
  @OrNull public var advice: String?

  /// A section by its name in the store, and as people say it.
  public struct Section: Encodable, Sendable, Equatable {
    public let name: String
    public let title: String
    public let count: Int
  }
}
