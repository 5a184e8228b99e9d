public import CoreData

/// A folder of notes, which may lie in another folder.
///
/// Deleting a folder deletes its subfolders and notes; deleting one of those leaves the folder.
public final class Folder: NSManagedObject {
  public override func awakeFromInsert() {
    super.awakeFromInsert()
    uuid_ = UUID()
    creationDate_ = Date()
  }

  public convenience init(name: String, context: NSManagedObjectContext) {
    self.init(context: context)
    self.name = name
  }

  public static func delete(_ folder: Folder) {
    guard let context = folder.managedObjectContext else { return }
    context.delete(folder)
  }
}

/// Folders are ordered as the user has put them, then by the date they were made.
extension Folder: Comparable {
  public static func < (lhs: Folder, rhs: Folder) -> Bool {
    (lhs.order, lhs.creationDate) < (rhs.order, rhs.creationDate)
  }
}

// MARK: - Properties

extension Folder {
  public var name: String {
    get { name_ ?? "" }
    set { name_ = newValue }
  }

  public var creationDate: Date {
    creationDate_ ?? Date(timeIntervalSinceReferenceDate: 0)
  }

  public var uuid: UUID { uuid_ ?? .none }

  public var isTrashed: Bool { trashedDate_ != nil }

  public var notes: Set<Note> {
    get { notes_ as? Set<Note> ?? [] }
    set { notes_ = newValue as NSSet }
  }

  public var children: Set<Folder> {
    get { children_ as? Set<Folder> ?? [] }
    set { children_ = newValue as NSSet }
  }

  /// How the folder's notes were last ordered, kept in the transformable `viewOptions_`.
  public var sorting: NoteSorting? {
    get { (viewOptions_?["sort"] as? String).flatMap(NoteSorting.init(rawValue:)) }
    set { viewOptions_ = newValue.map { ["sort": $0.rawValue] as NSDictionary } }
  }
}

// MARK: - Up and down

extension Folder {
  /// Whether this folder is the other one, or lies in it at any depth.
  public func isOrLies(in other: Folder) -> Bool {
    var place: Folder? = self
    var seen: Set<Folder> = []
    while let folder = place, seen.insert(folder).inserted {
      if folder === other { return true }
      place = folder.parent
    }
    return false
  }

  /// The path of the folder in exports: `Reading/Slow`.
  var path: String {
    var names: [String] = []
    var place: Folder? = self
    var seen: Set<Folder> = []
    while let folder = place, seen.insert(folder).inserted {
      names.insert(FileName.of(folder.name, else: "Folder"), at: 0)
      place = folder.parent
    }
    return names.joined(separator: "/")
  }

  /// This folder and all below it.
  public var withDescendants: [Folder] {
    var found = [self]
    var seen: Set<Folder> = [self]
    var next = 0
    while next < found.count {
      found += found[next].children.sorted().filter { seen.insert($0).inserted }
      next += 1
    }
    return found
  }
}

// MARK: - Fetching

extension Folder {
  /// A request for the folders that a predicate admits, oldest first.
  public static func fetch(_ predicate: NSPredicate = .all) -> NSFetchRequest<Folder> {
    let request = Folder.fetchRequest()
    request.sortDescriptors = [
      NSSortDescriptor(key: FolderProperties.creationDate, ascending: true)
    ]
    request.predicate = predicate
    return request
  }

  /// A request for the folders that lie in no other.
  public static func topFolderFetch() -> NSFetchRequest<Folder> {
    fetch(NSPredicate(format: "%K == nil", FolderProperties.parent))
  }

  /// The folder of an identifier; nil when there is none, or it was deleted for good.
  public static func find(_ uuid: UUID, in context: NSManagedObjectContext) throws -> Folder? {
    let request = fetch(
      NSPredicate(
        format: "%K == %@ AND %K == nil",
        FolderProperties.uuid,
        uuid as any CVarArg,
        FolderProperties.erasedDate
      )
    )
    request.fetchLimit = 1
    return try context.fetch(request).first
  }
}

/// The names of a folder's properties in predicates and sort descriptors.
public enum FolderProperties {
  public static let uuid = "uuid_"
  public static let name = "name_"
  public static let creationDate = "creationDate_"
  public static let order = "order"
  public static let parent = "parent"
  public static let trashedDate = "trashedDate_"
  public static let erasedDate = "erasedDate_"
}
