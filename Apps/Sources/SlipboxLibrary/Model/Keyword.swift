public import CoreData

/// A word that ties notes together, with a colour.
public final class Keyword: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid_ = UUID()
  }

  public convenience init(name: String, context: NSManagedObjectContext) {
    self.init(context: context)
    self.name = name
  }

  public static func delete(_ keyword: Keyword) {
    guard let context = keyword.managedObjectContext else { return }
    context.delete(keyword)
  }
}

/// Keywords are ordered by name, as people read it.
extension Keyword: Comparable {
  public static func < (lhs: Keyword, rhs: Keyword) -> Bool {
    let order = lhs.name.caseInsensitiveCompare(rhs.name)
    return order == .orderedSame ? lhs.name < rhs.name : order == .orderedAscending
  }
}

// MARK: - Properties

extension Keyword {
  public var name: String {
    get { name_ ?? "" }
    set { name_ = newValue }
  }

  public var uuid: UUID { uuid_ ?? .none }

  public var notes: Set<Note> {
    get { notes_ as? Set<Note> ?? [] }
    set { notes_ = newValue as NSSet }
  }

  /// The colour, kept in four numbers; the hexadecimal form follows.
  public var color: Colour {
    get { Colour(red: red_, green: green_, blue: blue_, opacity: opacity_) }
    set {
      (red_, green_, blue_, opacity_) =
        (newValue.red, newValue.green, newValue.blue, newValue.opacity)
      colorHex_ = newValue.hex
    }
  }

  /// The same colour, kept as text; black if the text is not a colour.
  public var colorHex: Colour {
    get { colorHex_.flatMap(Colour.init(hex:)) ?? .black }
    set { color = newValue }
  }
}

// MARK: - Fetching

extension Keyword {
  /// A request for the keywords that a predicate admits, by name.
  public static func fetch(_ predicate: NSPredicate = .all) -> NSFetchRequest<Keyword> {
    let request = Keyword.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: KeywordProperties.name, ascending: true)]
    request.predicate = predicate
    return request
  }

  /// A request for a note's keywords.
  public static func fetch(for note: Note) -> NSFetchRequest<Keyword> {
    fetch(NSPredicate(format: "%K CONTAINS %@", KeywordProperties.notes, note))
  }

  /// The keyword of an identifier; nil when there is none.
  public static func find(_ uuid: UUID, in context: NSManagedObjectContext) throws -> Keyword? {
    let request = fetch(
      NSPredicate(format: "%K == %@", KeywordProperties.uuid, uuid as any CVarArg)
    )
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// The keyword of a name, whatever its case; nil when there is none.
  public static func find(named name: String, in context: NSManagedObjectContext) throws -> Keyword?
  {
    let request = fetch(NSPredicate(format: "%K ==[c] %@", KeywordProperties.name, name))
    request.fetchLimit = 1
    return try context.fetch(request).first
  }
}

// MARK: - Keywords below others

extension Keyword {
  /// The keywords below a name, in the order of their names: `travel/italy` and `travel/italy/rome` are below `travel`.
  static func below(_ name: String, in context: NSManagedObjectContext) throws -> [Keyword] {
    try beginning(name + "/", in: context)
  }

  /// The keywords whose names begin so, whatever their case and accents.
  static func beginning(_ name: String, in context: NSManagedObjectContext) throws -> [Keyword] {
    let request = fetch(
      NSPredicate(format: "%K BEGINSWITH %@", KeywordProperties.canonicalName, name.canonical)
    )
    request.sortDescriptors = [
      NSSortDescriptor(key: KeywordProperties.canonicalName, ascending: true)
    ]
    request.fetchLimit = mostBelow
    return try context.fetch(request)
  }

  /// More than anybody has below one keyword; each is asked for.
  private static let mostBelow = 200

  /// The names above a name: `travel` and `travel/italy` for `travel/italy/rome`.
  ///
  /// A name with an empty part, as `/home` or `a//b`, is below none.
  static func names(above name: String) -> [String] {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, !parts.contains("") else { return [] }
    return (1..<parts.count).map { parts[..<$0].joined(separator: "/") }
  }

  /// Notes that have one of some keywords; nothing if there are no keywords.
  static func having(_ keywords: [Keyword]) -> NSPredicate {
    keywords.isEmpty
      ? .none
      : SearchTerm.or(
        keywords.map { NSPredicate(format: "%K CONTAINS %@", NoteProperties.keywords, $0) }
      )
  }
}

/// The names of a keyword's properties in predicates and sort descriptors.
public enum KeywordProperties {
  public static let uuid = "uuid_"
  public static let name = "name_"
  public static let canonicalName = "canonicalName"
  public static let notesCount = "notesCount"
  public static let notes = "notes_"
}
