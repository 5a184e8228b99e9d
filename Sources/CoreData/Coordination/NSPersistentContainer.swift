public import Foundation

/// A container that sets up the Core Data stack: the model, the coordinator, the stores and the
/// main context.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Library")
/// container.loadPersistentStores { _, error in
///   if let error { fatalError("\(error)") }
/// }
/// let context = container.viewContext
/// ```
///
/// Safety: mutable state is set before the stores are loaded, and only read then.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name of the container, which is also the name of its store file.
  open var name: String { madeWith.name }
  /// The model of the container.
  ///
  /// It is frozen: its entities and their properties cannot be changed anymore.
  open var managedObjectModel: NSManagedObjectModel { madeWith.model }
  /// The coordinator that connects the model with the stores.
  ///
  /// It is empty before ``loadPersistentStores(completionHandler:)`` is called. You can use it on any thread.
  open var persistentStoreCoordinator: NSPersistentStoreCoordinator { madeWith.coordinator }
  /// The context of the main queue.
  ///
  /// Use it and its objects on the main thread. It merges what other contexts save only if you set
  /// ``NSManagedObjectContext/automaticallyMergesChangesFromParent``.
  ///
  /// A subclass that overrides this property gives its context the ``persistentStoreCoordinator``.
  open var viewContext: NSManagedObjectContext { madeWith.viewContext }
  /// The descriptions of the stores to load.
  ///
  /// By default, there is one SQLite store with the container's name in ``defaultDirectoryURL()``.
  /// Change the descriptions before you call ``loadPersistentStores(completionHandler:)``.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]

  /// The properties of a container, unless a subclass overrides them.
  private let madeWith:
    (
      name: String, model: NSManagedObjectModel, coordinator: NSPersistentStoreCoordinator,
      viewContext: NSManagedObjectContext
    )

  /// Creates a container with the model of the given name.
  ///
  /// The compiled model is searched for in the program's bundles. If it is not found, the program
  /// stops with a message that lists the places that were searched.
  ///
  /// - Parameter name: The name of the model and of the container.
  public convenience init(name: String) {
    self.init(name: name, managedObjectModel: ModelLocator.model(named: name))
  }

  /// Creates a container with a model.
  ///
  /// - Parameters:
  ///   - name: The name of the container.
  ///   - model: The model. It is frozen and cannot be changed afterwards.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.name = "viewContext"
    madeWith = (name, model, coordinator, context)
    let file = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    super.init()
  }

  /// Returns the directory for stores whose location is not specified.
  ///
  /// The directory is created when a store is created in it. Subclasses can override this method.
  ///
  /// - Returns: `$XDG_DATA_HOME/<program>`, which usually is `~/.local/share/<program>`.
  open class func defaultDirectoryURL() -> URL {
    DataDirectory.url
  }

  /// Opens the stores that the descriptions specify, and creates those that do not exist.
  ///
  /// A description whose store is open already is passed over, so that you can call this method again
  /// after you have added a description or removed a store.
  ///
  /// The stores are opened on the calling thread, one after the other, except those whose
  /// description asks for asynchronous opening. Unless a description says otherwise, a store of an
  /// earlier version of the model is migrated first; ``CoreDataMigrationProgressOption`` reports
  /// the progress of the migration.
  ///
  /// - Parameter handler: A closure that is called once for each store to open, with its description and,
  ///   if it could not be opened, the error. For the codes see
  ///   ``NSPersistentStoreCoordinator/addPersistentStore(ofType:configurationName:at:options:)``. It is called on the
  ///   thread that opens the store: the calling thread, before the method returns, or a background thread for a store
  ///   that is opened asynchronously.
  open func loadPersistentStores(
    completionHandler handler:
      @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions where !isOpen(description) {
      DataDirectory.makeIfNeeded(for: description.url, or: Self.defaultDirectoryURL())
      persistentStoreCoordinator.addPersistentStore(
        with: description,
        completionHandler: handler
      )
    }
  }

  /// Whether the store that a description specifies is one of the coordinator's.
  func isOpen(_ description: NSPersistentStoreDescription) -> Bool {
    description.store.map(persistentStoreCoordinator.persistentStores.contains) ?? false
  }

  /// Creates a context with a private queue that is connected to the container's coordinator.
  ///
  /// You can call this method on any thread. The container does not keep the context alive.
  ///
  /// - Returns: The new context. Use it in its `perform` blocks only.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Schedules a block on the queue of a new background context and returns without waiting for it.
  ///
  /// Changes that the block does not save are lost. Blocks of several calls have different contexts and can run at
  /// the same time. You can call this method on any thread.
  ///
  /// - Parameter block: The work to do. It receives the new context.
  @preconcurrency
  open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block on the queue of a new background context and returns its result.
  ///
  /// ```swift
  /// let count = try await container.performBackgroundTask { context in
  ///   try context.count(for: Note.fetchRequest())
  /// }
  /// ```
  ///
  /// Changes that the block does not save are lost. As with
  /// ``NSManagedObjectContext/perform(schedule:_:)``, the block is not isolated to an actor.
  ///
  /// - Parameter block: The work to do. It receives the new context.
  /// - Returns: The result of the block. Return identities or values instead of objects, because
  ///   the context does not outlive the block.
  /// - Throws: The error that the block throws.
  @preconcurrency
  open func performBackgroundTask<Result>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async rethrows -> Result {
    let context = newBackgroundContext()
    return try await context.perform { try block(context) }
  }
}

/// The place of a program's data, by the rules of the XDG base directories.
enum DataDirectory {
  static let url: URL = {
    let environment = ProcessInfo.processInfo.environment
    let home = FileManager.default.homeDirectoryForCurrentUser
    let base =
      environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? home.appendingPathComponent(".local/share", isDirectory: true)
    let program = ProgramBundles.main?.executableURL?.lastPathComponent ?? "CoreData"
    return base.appendingPathComponent(program, isDirectory: true)
  }()

  /// Makes the default folder, or that of a container's class, if a store will be in it; other folders must be made
  /// by the user.
  static func makeIfNeeded(for file: URL?, or folderOfClass: URL) {
    guard let folder = file?.deletingLastPathComponent(),
      [url.path, folderOfClass.path].contains(folder.path)
    else { return }
    // A folder that cannot be made shows in the error of opening the store.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }
}

/// Finds compiled models in the places where builds put them.
///
/// Programs built into one folder may each have a model of the same name:
///
///     Apps_FirstNotes.resources/Notes.momd     class FirstNotes.Note
///     Apps_Notes.resources/Notes.momd          class Notes.Note       ◀── in the program that has it
enum ModelLocator {
  static func model(named name: String) -> NSManagedObjectModel {
    let files = files(named: name)
    guard let first = files.first else {
      stop(
        """
        there is no compiled data model \(name).momd; looked in \
        \(folders.map(\.path).joined(separator: ", ")). Add the plugin CoreDataModels to the \
        target that has \(name).xcdatamodeld; a program that was built and then moved needs the folders \
        that end in .resources beside it.
        """
      )
    }
    guard files.count > 1 else { return model(in: first) }
    return choice(of: files.map(model))
  }

  /// Of models with one name the first whose classes this program has; without any, the first.
  static func choice(of models: [NSManagedObjectModel]) -> NSManagedObjectModel {
    models.first(where: hasItsClasses) ?? models[0]
  }

  private static func hasItsClasses(_ model: NSManagedObjectModel) -> Bool {
    model.entities.allSatisfy { ObjectClass.known($0.managedObjectClassName) != nil }
  }

  private static func model(in file: URL) -> NSManagedObjectModel {
    do {
      return try NSManagedObjectModel(reading: file)
    } catch {
      stop("the compiled data model \(file.path) cannot be read: \(error)")
    }
  }

  private static func files(named name: String) -> [URL] {
    folders.compactMap { folder in
      ["momd", "mom"].map { folder.appendingPathComponent("\(name).\($0)") }
        .first { FileManager.default.fileExists(atPath: $0.path) }
    }
  }

  /// The main bundle, every loaded bundle, and the resource bundles beside the program.
  private static var folders: [URL] {
    let bundles = ProgramBundles.loaded
    var folders = bundles.flatMap { [$0.resourceURL, $0.bundleURL].compactMap { $0 } }
    let besides = Set(
      bundles.compactMap { $0.executableURL?.deletingLastPathComponent() } + folders
    )
    for folder in besides.sorted(by: { $0.path < $1.path }) {
      // A folder that cannot be read does not have models for this program.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".resources") {
        folders.append(folder.appendingPathComponent(name, isDirectory: true))
      }
    }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }
}
