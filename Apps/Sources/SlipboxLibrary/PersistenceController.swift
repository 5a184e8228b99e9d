public import CoreData
import CoreDataPostgreSQL

/// The stack: the model `Slipbox`, a store, and the contexts that work in it.
///
/// ```swift
/// let controller = try PersistenceController(folder: folder)     a file
/// let controller = try PersistenceController(database, folder)   a database on a server
/// let controller = PersistenceController.createEmpty()           in memory, for tests
/// let controller = PersistenceController.preview                 in memory, with sample notes
/// ```
public struct PersistenceController: Sendable {
  public let container: NSPersistentCloudKitContainer
  /// The folder of files that belong to the notes or to this machine; `nil` for a stack in memory.
  public let folder: URL?

  /// A stack in memory with sample notes.
  public static var preview: PersistenceController {
    let controller = createEmpty()
    let context = controller.container.viewContext
    for index in 0..<10 {
      let note = Note(title: "note \(index)", context: context)
      note.creationDate = Date() + TimeInterval(index)
      _ = Folder(name: "folder \(index)", context: context)
    }
    return controller
  }

  /// A stack in memory with nothing in it.
  public static func createEmpty() -> PersistenceController {
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    let container = container(of: description)
    container.loadPersistentStores { _, error in
      // A store in memory has nothing that could fail.
      if let error { preconditionFailure("\(error)") }
    }
    return PersistenceController(container: container, folder: nil)
  }

  /// Opens the file `Slipbox.sqlite` in a folder; both are made if they do not exist.
  ///
  /// Every write is recorded in the store's history, and reported to its followers, so that several browsers and other
  /// programs stay in step.
  ///
  /// - Parameters:
  ///   - folder: The folder of the notes.
  ///   - followsOthers: Whether changes of other devices come in, if the folder has the address of a server.
  /// - Throws: A `CocoaError` if the store cannot be opened.
  public init(folder: URL, followsOthers: Bool = true) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let description = NSPersistentStoreDescription(url: Self.store(in: folder))
    // Without an address, which only the slip box's own file gives, nothing is kept in step.
    let options = NSPersistentCloudKitContainerOptions(containerIdentifier: "Slipbox")
    options.syncAddress = followsOthers ? try SyncAddressFile(in: folder).address ?? "" : ""
    description.cloudKitContainerOptions = options
    // A note that is told to be saved is on the disk, also if the power fails the moment after.
    description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    // In KiB: lists are read along indexes, which need few pages at a time.
    description.setValue("-8192" as NSString, forPragmaNamed: "cache_size")
    // In bytes: the disk space of an import's write-ahead log is given back.
    description.setValue("67108864" as NSString, forPragmaNamed: "journal_size_limit")
    try self.init(opening: description, folder)
  }

  /// The file of a slip box.
  static func store(in folder: URL) -> URL { folder.appendingPathComponent("Slipbox.sqlite") }

  /// Opens a zone of a PostgreSQL database; tables and zone are made if they do not exist.
  ///
  /// Several machines can have the same notes open. They are not synchronized with other stores: to have the notes
  /// elsewhere, open the database there.
  ///
  /// - Parameters:
  ///   - database: The database, and the zone with the notes.
  ///   - folder: The folder of files that belong to this machine. It is made if it does not exist.
  /// - Throws: A `CocoaError` if the database cannot be opened.
  public init(_ database: DatabasePlace, _ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let description = NSPersistentStoreDescription(url: database.address)
    description.type = NSPostgreSQLStoreType
    if let zone = database.zone {
      description.setOption(zone as NSString, forKey: NSPostgreSQLZoneOption)
    }
    try self.init(opening: description, folder)
  }

  private init(opening description: NSPersistentStoreDescription, _ folder: URL) throws {
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber,
      forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey
    )
    // People wait for the answer; the store's own patience is minutes.
    description.timeout = 10
    // An index of the words of titles and texts, for searches.
    description.setOption(true as NSNumber, forKey: CoreDataTextSearchOption)
    let container = Self.container(of: description)
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    let address = description.cloudKitContainerOptions?.syncAddress ?? ""
    TextWriter.begin(!address.isEmpty, in: container.persistentStoreCoordinator)
    self.init(container: container, folder: folder)
  }

  private init(container: NSPersistentCloudKitContainer, folder: URL?) {
    self.container = container
    self.folder = folder
  }

  private static func container(
    of description: NSPersistentStoreDescription
  ) -> NSPersistentCloudKitContainer {
    let container = NSPersistentCloudKitContainer(name: "Slipbox", managedObjectModel: model)
    container.persistentStoreDescriptions = [description]
    return container
  }

  /// One model for all stacks, so that a class belongs to one entity.
  private static let model: NSManagedObjectModel = {
    guard let modelURL, let model = NSManagedObjectModel(contentsOf: modelURL) else {
      preconditionFailure("the data model Slipbox.momd is not among the program's resources")
    }
    return model
  }()

  /// The model in all its versions; a store of an older one is migrated when it is opened.
  static let modelURL = Bundle.module.url(forResource: "Slipbox", withExtension: "momd")

  /// The name of a context, by which histories tell this run of the program from others.
  static func contextName(_ job: String) -> String { "\(job) \(run)" }

  /// Whether a context of that name is of this run of the program.
  static func isOurs(_ contextName: String?) -> Bool { contextName?.hasSuffix(run) ?? false }

  /// Whether a context of that name is of this run of the program, or of another.
  static func isOfSlipbox(_ contextName: String?) -> Bool {
    contextName?.split(separator: " ").last.flatMap { UUID(uuidString: String($0)) } != nil
  }

  private static let run = UUID().text

  /// Saves what was changed in the view context.
  public func save() throws {
    let context = container.viewContext
    guard context.hasChanges else { return }
    try context.save()
  }
}
