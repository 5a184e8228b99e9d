public import CoreData

/// The notes, folders and tags that all tests speak of, in a store of their own.
public struct NotesStack: Sendable {
  public let coordinator: NSPersistentStoreCoordinator
  /// The store's file; nil for a store in memory.
  public let file: URL?

  /// One model for all tests, as one program has it.
  public static let model: NSManagedObjectModel = {
    guard let url = Bundle.module.url(forResource: "Notes", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("the compiled model Notes.momd is missing from the test bundle") }
    return model
  }()

  public init(_ kind: StoreKind = .memory) throws {
    let file = kind.has(.reopening) ? TemporaryFolder.file("Notes.sqlite") : nil
    try self.init(file: file, kind: kind)
  }

  /// Opens an existing file once more, as another program would.
  public init(reopening file: URL) throws {
    try self.init(file: file, kind: .sqlite)
  }

  /// Opens the same file once more, as another program would.
  public func reopened() throws -> NotesStack {
    guard let file else { throw CocoaError(.fileNoSuchFile) }
    return try NotesStack(type: store.type, at: file)
  }

  /// Opens a SQLite file, made if it is missing, with the options given.
  public init(file: URL, options: [String: Any]) throws {
    try self.init(file: file, kind: .sqlite, options: options)
  }

  /// Opens a store of any type, made if it is missing.
  public init(type: String, at file: URL, options: [String: Any] = [:]) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
    self.file = file
    if type == StoreKind.postgreSQL.type {
      try StoreKind.postgreSQL.add(to: coordinator, at: file, options: options)
    } else {
      try coordinator.addPersistentStore(
        ofType: type,
        configurationName: nil,
        at: file,
        options: options
      )
    }
  }

  /// A stack of another model, for tests that need classes of their own.
  public init(model: NSManagedObjectModel, _ kind: StoreKind = .memory) throws {
    let file = kind.has(.reopening) ? TemporaryFolder.file("Notes.sqlite") : nil
    try self.init(file: file, kind: kind, model: model)
  }

  private init(
    file: URL?,
    kind: StoreKind,
    options: [String: Any] = [:],
    model: NSManagedObjectModel = Self.model
  ) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    self.file = file
    try kind.add(to: coordinator, at: file, options: options)
  }

  /// The one store.
  public var store: NSPersistentStore {
    guard let store = coordinator.persistentStores.first else { fatalError("no store") }
    return store
  }

  /// A new context on a queue of its own.
  public func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}

/// Folders for files of tests, removed by the system that made them.
public enum TemporaryFolder {
  public static func file(_ name: String) -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-tests-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      fatalError("no temporary folder: \(error)")
    }
    return folder.appendingPathComponent(name)
  }
}
