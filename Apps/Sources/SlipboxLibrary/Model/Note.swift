public import CoreData

/// A slip of paper: a title, a text, and its ties to folders, keywords and other notes.
///
/// Attributes that end in an underscore are optional, as the store has them; programs use the
/// property of the same name without it.
///
/// ```swift
/// let note = Note(title: "Slip boxes", context: context)
/// note.status = .review
/// note.keywords.insert(keyword)
/// try context.save()
/// ```
///
/// The class is ours, because only a class can override; its stored properties are generated
/// (Category/Extension in the model).
public final class Note: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid_ = UUID()
    creationDate = Date()
    modificationDate_ = creationDate_
  }

  /// Keeps the signs of title and text as words, for searches, and their lineages.
  public override func willSave() {
    super.willSave()
    if isDeleted { return }
    let changed = changedValues()
    if changed[NoteProperties.title] != nil || changed[NoteProperties.bodyText] != nil
      || changed[NoteProperties.propertyWords] != nil
    {
      keepSigns()
    }
    keepLineages()
  }

  func keepSigns() {
    let signs = SearchSigns.words(of: title, bodyText, propertyWords_ ?? "")
    if signs_ != signs { signs_ = signs }
  }

  public convenience init(title: String, context: NSManagedObjectContext) {
    self.init(context: context)
    self.title = title
  }

  public static func delete(note: Note) {
    guard let context = note.managedObjectContext else { return }
    context.delete(note)
  }
}

/// Notes are ordered by the date they were made.
extension Note: Comparable {
  public static func < (lhs: Note, rhs: Note) -> Bool {
    lhs.creationDate < rhs.creationDate
  }
}

// MARK: - Attributes

extension Note {
  public var title: String {
    get { title_ ?? "" }
    set { title_ = newValue }
  }

  /// The plain text in lower case, which searches read.
  public var bodyText: String { bodyText_ ?? "" }

  public var uuid: UUID { uuid_ ?? .none }

  public var status: Status {
    get { status_.flatMap(Status.init(rawValue:)) ?? .draft }
    set { status_ = newValue.rawValue }
  }

  /// When the note was made; its day follows.
  public var creationDate: Date {
    get { creationDate_ ?? Date(timeIntervalSinceReferenceDate: 0) }
    set {
      creationDate_ = newValue
      day_ = Day(newValue).key
    }
  }

  public var modificationDate: Date { modificationDate_ ?? creationDate }

  /// The section of the note in a list by day: `2026-11-20`.
  public var day: String { day_ ?? Day(creationDate).key }

  public var isTrashed: Bool { trashedDate_ != nil }

  /// Gives the note the revision after one, usually its own.
  ///
  /// A file of somebody else may have any number there; after the last, the count begins again.
  func countRevision(after number: Int64? = nil) {
    let number = number ?? revision
    revision = number < .max ? number + 1 : 1
  }
}

// MARK: - Relationships

extension Note {
  public var keywords: Set<Keyword> {
    get { keywords_ as? Set<Keyword> ?? [] }
    set { keywords_ = newValue as NSSet }
  }

  /// The notes that this one points to.
  public var linkedNotes: Set<Note> {
    get { linkedNotes_ as? Set<Note> ?? [] }
    set { linkedNotes_ = newValue as NSSet }
  }

  /// The notes that point to this one.
  public var backLinkedNotes: Set<Note> {
    get { backLinkedNotes_ as? Set<Note> ?? [] }
    set { backLinkedNotes_ = newValue as NSSet }
  }

  /// The pictures and other files in the note's text, and those that were in it earlier.
  public var files: Set<Attachment> {
    get { files_ as? Set<Attachment> ?? [] }
    set { files_ = newValue as NSSet }
  }

  /// Other names by which the note can be linked to, in the order they were given.
  public var aliases: [String] {
    get { (aliases_ as? Set<Alias> ?? []).sorted { $0.order < $1.order }.compactMap(\.name_) }
    set {
      guard newValue != aliases, let context = managedObjectContext else { return }
      for alias in aliases_ as? Set<Alias> ?? [] { context.delete(alias) }
      for (order, name) in newValue.enumerated() {
        let alias = Alias(context: context)
        alias.name_ = name
        alias.order = Int64(order)
        alias.note = self
      }
    }
  }

  /// The titles that the text links to and no note has.
  public var looseLinks: [String] {
    get { Set((looseLinks_ as? Set<LooseLink> ?? []).compactMap(\.name_)).sorted() }
    set {
      let known = looseLinks_ as? Set<LooseLink> ?? []
      guard let context = managedObjectContext, Set(known.compactMap(\.name_)) != Set(newValue)
      else { return }
      for link in known { context.delete(link) }
      for name in newValue {
        let link = LooseLink(context: context)
        link.name_ = name
        link.note = self
      }
    }
  }

  public var versions: Set<NoteVersion> {
    get { versions_ as? Set<NoteVersion> ?? [] }
    set { versions_ = newValue as NSSet }
  }
}

/// The names of a note's properties in predicates and sort descriptors.
public enum NoteProperties {
  public static let uuid = "uuid_"
  public static let title = "title_"
  public static let canonicalTitle = "canonicalTitle"
  public static let bodyText = "bodyText_"
  public static let signs = "signs_"
  public static let formattedBodyText = "formattedBodyText_"
  public static let document = "document_"
  public static let status = "status_"
  public static let isFavorite = "isFavorite"
  public static let isPinned = "isPinned"
  public static let isTemplate = "isTemplate"
  public static let openTaskCount = "openTaskCount"
  public static let doneTaskCount = "doneTaskCount"
  public static let creationDate = "creationDate_"
  public static let modificationDate = "modificationDate_"
  public static let day = "day_"
  public static let trashedDate = "trashedDate_"
  public static let erasedDate = "erasedDate_"
  /// The date of the last edit that the device knew which deleted the note for good.
  static let erasedEdit = "erasedEdit_"
  /// The title that the device knew which deleted the note for good.
  static let erasedTitle = "erasedTitle_"
  /// The digest of the text that the device knew which deleted the note for good.
  static let erasedDigest = "erasedDigest_"
  static let documentDigest = "documentDigest_"
  static let textLineage = "textLineage_"
  static let titleLineage = "titleLineage_"
  /// The texts as this device knows them, which are not synchronized.
  static let knownTexts = "knownTexts_"
  public static let revision = "revision"
  public static let folder = "folder"
  public static let keywords = "keywords_"
  public static let attachment = "attachment"
  public static let files = "files_"
  public static let linkedNotes = "linkedNotes_"
  public static let backLinkedNotes = "backLinkedNotes_"
}
