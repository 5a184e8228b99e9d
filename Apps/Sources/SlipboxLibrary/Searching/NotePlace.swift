public import CoreData

/// A place in the sidebar, and what it shows.
///
/// ```
/// all favourites recent unfiled trash      folder:3f2a…      keyword:9b01…
/// ```
public enum NotePlace: Hashable, Sendable {
  case all
  case favourites
  /// Notes that were changed in the last seven days.
  case recent
  /// Notes outside of all folders.
  case unfiled
  case trash
  case folder(UUID)
  /// Notes with a keyword, or with one below it.
  case keyword(UUID)

  /// The predicate of the place.
  ///
  /// Notes in the trash are nowhere else: everything begins with `trashedDate_ == nil`, which every
  /// index of notes begins with too.
  ///
  /// For a folder or keyword that does not exist there is nothing to show.
  public func predicate(now: Date, in context: NSManagedObjectContext) throws -> NSPredicate {
    switch self {
    case .all:
      return Self.alive
    case .favourites:
      return Self.alive(and: NoteMark.favourite.predicate)
    case .recent:
      return Self.alive(
        and: NSPredicate(
          format: "%K >= %@",
          NoteProperties.modificationDate,
          now - 7 * 86_400
        )
      )
    case .unfiled:
      return Self.alive(and: NSPredicate(format: "%K == nil", NoteProperties.folder))
    case .trash:
      return Self.trashed
    case .folder(let uuid):
      guard let folder = try Folder.find(uuid, in: context) else { return .none }
      let inFolder = NSPredicate(format: "%K == %@", NoteProperties.folder, folder)
      // A folder in the trash can be looked into: its notes went there with it.
      return folder.isTrashed ? Self.there(inFolder) : Self.alive(and: inFolder)
    case .keyword(let uuid):
      guard let keyword = try Keyword.find(uuid, in: context) else { return .none }
      let all = [keyword] + (try Keyword.below(keyword.name, in: context))
      return Self.alive(and: Keyword.having(all))
    }
  }

  /// Notes that are not in the trash.
  public static var alive: NSPredicate {
    NSPredicate(format: "%K == nil", NoteProperties.trashedDate)
  }

  /// Notes in the trash that were not deleted for good.
  public static var trashed: NSPredicate {
    NSPredicate(
      format: "%K != nil AND %K == nil",
      NoteProperties.trashedDate,
      NoteProperties.erasedDate
    )
  }

  /// Objects that were not deleted for good.
  static func there(_ predicate: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(
      andPredicateWithSubpredicates: [
        predicate, NSPredicate(format: "%K == nil", NoteProperties.erasedDate),
      ]
    )
  }

  static func alive(and predicate: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: [alive, predicate])
  }
}

// MARK: - As text

extension NotePlace {
  public var text: String {
    switch self {
    case .all: "all"
    case .favourites: "favourites"
    case .recent: "recent"
    case .unfiled: "unfiled"
    case .trash: "trash"
    case .folder(let uuid): "folder:\(uuid.text)"
    case .keyword(let uuid): "keyword:\(uuid.text)"
    }
  }

  /// Reads the text of a place; `nil` if it is not a place.
  public init?(text: String) {
    switch text {
    case "all": self = .all
    case "favourites": self = .favourites
    case "recent": self = .recent
    case "unfiled": self = .unfiled
    case "trash": self = .trash
    default:
      let halves = text.split(separator: ":", maxSplits: 1)
      guard halves.count == 2, let uuid = UUID(uuidString: String(halves[1])) else { return nil }
      switch halves[0] {
      case "folder": self = .folder(uuid)
      case "keyword": self = .keyword(uuid)
      default: return nil
      }
    }
  }
}
