public import CoreData
import CoreDataPostgreSQL

/// The kinds of stores that must behave alike.
///
/// A test runs on all of them, or on those with the abilities that it needs:
///
/// ```swift
/// @Test(arguments: StoreKind.allCases)
/// @Test(arguments: StoreKind.with(.reopening))
/// ```
///
/// The abilities that a kind lacks, and why, are in ``StoreAbility`` alone, and in
/// Documentation/Behaviours.md.
public enum StoreKind: String, CaseIterable, Sendable {
  /// PostgreSQL is among them in long runs, where its server is installed; its own tests run always.
  public static let allCases: [StoreKind] =
    [.memory, .sqlite, .sqliteInMemory, .xml, .binary, .jsonLines, .dictionary]
    + (Tries.count(0, long: 1) == 1 && PostgreSQLServer.isInstalled ? [.postgreSQL] : [])

  case memory
  case sqlite
  /// SQLite without a file, at `/dev/null`.
  case sqliteInMemory
  case xml
  case binary
  /// A subclass of `NSAtomicStore`, as a user might write it.
  case jsonLines
  /// A subclass of `NSIncrementalStore`, as a user might write it.
  case dictionary
  /// A database of a server that the tests start.
  case postgreSQL
}

// MARK: - What it is

extension StoreKind {
  public var type: String {
    switch self {
    case .memory: NSInMemoryStoreType
    case .sqlite, .sqliteInMemory: NSSQLiteStoreType
    case .xml: NSXMLStoreType
    case .binary: NSBinaryStoreType
    case .jsonLines: JSONLinesStore.storeType.rawValue
    case .dictionary: DictionaryStore.storeType.rawValue
    case .postgreSQL: NSPostgreSQLStoreType
    }
  }

  public var isSQLite: Bool { type == NSSQLiteStoreType }

  /// Whether rows are asked for with SQL.
  public var isSQL: Bool { isSQLite || self == .postgreSQL }

  public var storeType: NSPersistentStore.StoreType { NSPersistentStore.StoreType(rawValue: type) }

  /// A new place for a store: a file, or the one that means that there is none.
  public func place(_ name: String = "Notes.store") -> URL {
    if self == .postgreSQL { return PostgreSQLServer.shared.place() }
    return has(.reopening) ? TemporaryFolder.file(name) : URL(fileURLWithPath: "/dev/null")
  }
}

// MARK: - Opening

extension StoreKind {
  /// Adds a store of this kind, made if it is missing.
  @discardableResult
  public func add(
    to coordinator: NSPersistentStoreCoordinator,
    configuration: String? = nil,
    at place: URL? = nil,
    options: [String: Any] = [:]
  ) throws -> NSPersistentStore {
    Self.register()
    var (place, options) = (place ?? TemporaryFolder.file("Notes.store"), options)
    if self == .postgreSQL {
      (place, options) = PostgreSQLServer.shared.place(
        for: place,
        of: coordinator.managedObjectModel,
        configuration: configuration,
        options
      )
    } else if !has(.reopening) {
      place = self.place()
    }
    return try coordinator.addPersistentStore(
      ofType: type,
      configurationName: configuration,
      at: place,
      options: options
    )
  }

  public func stack(at file: URL = TemporaryFolder.file("Notes")) throws -> NotesStack {
    Self.register()
    return try NotesStack(type: type, at: file)
  }

  /// The place of a store of a model, and the options that say so, for tests that open it
  /// themselves.
  ///
  /// The place is the file for all kinds but PostgreSQL, where it means tables on the server.
  public func described(
    at file: URL,
    of model: NSManagedObjectModel = NotesStack.model,
    options: [String: Any] = [:]
  ) -> (place: URL, options: [String: Any]) {
    Self.register()
    guard self == .postgreSQL else { return (file, options) }
    return PostgreSQLServer.shared.place(for: file, of: model, configuration: nil, options)
  }

  /// The same store once more, as another program would open it.
  public func reopened(_ stack: NotesStack) throws -> NotesStack {
    try self.stack(at: stack.file ?? URL(fileURLWithPath: "/dev/null"))
  }

  private static let registration: Void = {
    NSPersistentStoreCoordinator.registerStoreClass(
      JSONLinesStore.self,
      type: JSONLinesStore.storeType
    )
    NSPersistentStoreCoordinator.registerStoreClass(
      DictionaryStore.self,
      forStoreType: DictionaryStore.storeType.rawValue
    )
  }()

  /// Makes the kinds known that are not the framework's own.
  public static func register() { registration }
}
