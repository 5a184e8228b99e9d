public import CoreData

/// The orders of a list of notes.
///
/// ```
/// titleAscending  titleDescending  dateAscending  dateDescending     one list
/// edited                                                             one list, what was written last first
/// relevance                                                          in the title, then in the text; of a search
/// day                                                                a section for each day, newest first
/// status                                                             draft, review, archived
/// ```
public enum NoteSorting: String, CaseIterable, Sendable {
  case titleAscending
  case titleDescending
  case dateAscending
  case dateDescending
  case status
  case day
  case edited
  case relevance

  /// The order of the notes.
  ///
  /// Titles are compared without case and accents, and notes of one title are in the order of their dates. Within a
  /// section the newest comes first.
  public var sortDescriptors: [NSSortDescriptor] {
    switch self {
    case .titleAscending:
      [NSSortDescriptor(key: NoteProperties.canonicalTitle, ascending: true), Self.newestFirst]
    case .titleDescending:
      [NSSortDescriptor(key: NoteProperties.canonicalTitle, ascending: false), Self.newestFirst]
    case .dateAscending:
      [NSSortDescriptor(key: NoteProperties.creationDate, ascending: true)]
    case .dateDescending, .status:
      [Self.newestFirst]
    case .day:
      [NSSortDescriptor(key: NoteProperties.day, ascending: false), Self.newestFirst]
    case .edited, .relevance:
      // No second date: the store would read it from the row of every note on the way to a place far down.
      [NSSortDescriptor(key: NoteProperties.modificationDate, ascending: false)]
    }
  }

  private static var newestFirst: NSSortDescriptor {
    NSSortDescriptor(key: NoteProperties.creationDate, ascending: false)
  }
}
