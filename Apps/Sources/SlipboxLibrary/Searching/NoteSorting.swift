public import CoreData
import RichText

/// The orders of a list of notes.
///
/// ```
/// titleAscending  titleDescending  dateAscending  dateDescending     one list
/// edited                                                             one list, what was written last first
/// relevance                                                          in the title, then in the text; of a search
/// day                                                                a section for each day, newest first
/// status                                                             draft, review, archived
/// propertyAscending:due  propertyDescending:due                      by the value of a property, then those without one
/// ```
public enum NoteSorting: Hashable, Sendable {
  case titleAscending
  case titleDescending
  case dateAscending
  case dateDescending
  case status
  case day
  case edited
  case relevance
  case property(String, isAscending: Bool)

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
    case .dateDescending, .status, .property:
      [Self.newestFirst]
    case .day:
      [NSSortDescriptor(key: NoteProperties.day, ascending: false), Self.newestFirst]
    case .edited, .relevance:
      // No second date: the store would read it from the row of every note on the way to a place far down.
      [NSSortDescriptor(key: NoteProperties.modificationDate, ascending: false)]
    }
  }

  /// The order of properties, where the order is that of their values.
  var descriptorsOfProperties: [NSSortDescriptor] {
    guard case .property(_, let isAscending) = self else { return [] }
    return [
      NSSortDescriptor(key: PropertyAttributes.key, ascending: isAscending),
      NSSortDescriptor(key: "note.\(NoteProperties.creationDate)", ascending: false),
    ]
  }

  private static var newestFirst: NSSortDescriptor {
    NSSortDescriptor(key: NoteProperties.creationDate, ascending: false)
  }
}

// MARK: - As text

extension NoteSorting: CaseIterable, RawRepresentable {
  /// The orders that need no property.
  public static let allCases: [NoteSorting] = [
    .titleAscending, .titleDescending, .dateAscending, .dateDescending, .status, .day, .edited,
    .relevance,
  ]

  /// Reads the name of an order; `nil` for another text.
  public init?(rawValue: String) {
    if let sorting = Self.allCases.first(where: { $0.rawValue == rawValue }) {
      self = sorting
      return
    }
    let halves = rawValue.split(separator: ":", maxSplits: 1).map(String.init)
    guard halves.count == 2, halves[1].utf8.count <= NoteProperty.longestName else { return nil }
    switch halves[0] {
    case Self.ascending: self = .property(halves[1], isAscending: true)
    case Self.descending: self = .property(halves[1], isAscending: false)
    default: return nil
    }
  }

  public var rawValue: String {
    switch self {
    case .titleAscending: "titleAscending"
    case .titleDescending: "titleDescending"
    case .dateAscending: "dateAscending"
    case .dateDescending: "dateDescending"
    case .status: "status"
    case .day: "day"
    case .edited: "edited"
    case .relevance: "relevance"
    case .property(let name, let isAscending):
      "\(isAscending ? Self.ascending : Self.descending):\(name)"
    }
  }

  private static let ascending = "propertyAscending"
  private static let descending = "propertyDescending"
}
