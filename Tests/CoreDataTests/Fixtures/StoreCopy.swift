import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A copy of a store that Apple's Core Data made, in a folder of its own, with the model that the
/// store itself carries.
struct StoreCopy {
  let file: URL
  let schema: ModelSchema
  let coordinator: NSPersistentStoreCoordinator

  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../shared/fixtures")
    .standardizedFileURL

  private static let known = [
    "Bookmarks_V1", "Bookmarks_V2", "Bookmarks_V3", "LoopKit_V1", "MigrationExample_V1",
    "MigrationExample_V2", "MigrationExample_V3", "Moody", "Moody2", "Moody3", "Moody4", "Moody5",
    "SampleModel_V1", "SampleModel_V2", "SampleModel2_V2", "SampleModel3_V1", "TwitterSeed-iOS6",
  ]

  /// Stores that SwiftData made, with a history; enums and structs are composite attributes.
  private static let ofSwiftData = [
    "CartKit", "ChefTime", "Cocktails", "Pegase", "ResourcesManager", "SwiftRide",
  ]

  /// Those of them that have no rows.
  private static let emptyOfSwiftData = ["FreezeRay-V1", "FreezeRay-V2", "WelcomeTo"]

  static let madeBySwiftData = (ofSwiftData + emptyOfSwiftData).filter(isPresent)

  /// The stores that were handed out beside the package; none elsewhere.
  static let names = (known + ofSwiftData).filter(isPresent)

  private static func isPresent(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: original(name).path)
  }

  private static func original(_ name: String) -> URL {
    let path =
      (ofSwiftData + emptyOfSwiftData).contains(name)
      ? "swiftdata/\(name).store" : "stores/\(name).sqlite"
    return folder.appending(path: path)
  }

  /// Those that keep a history.
  static let namesWithHistory = names.filter { name in
    // A store that cannot be opened is found elsewhere.
    let connection = try? plainSQL(name)
    guard let connection, let names = try? StoreTables.names(on: connection) else { return false }
    return HistoryTables.isAmong(names)
  }

  /// Copies the store, and reads its model from the copy without opening it as a store.
  init(_ name: String) throws {
    try self.init(name) { _ in try Self.model(of: name) }
  }

  /// Copies the store, and opens it with a model of another origin.
  init(_ name: String, model: (_ file: URL) throws -> ModelSchema) throws {
    file = try Self.copy(name)
    schema = try model(file)
    Transformers.register(for: schema)
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: schema)
    )
  }

  /// A store that was copied already.
  init(at file: URL, schema: ModelSchema) {
    self.file = file
    self.schema = schema
    Transformers.register(for: schema)
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: schema)
    )
  }

  /// The store's name among the fixtures.
  var name: String { file.deletingPathExtension().lastPathComponent }

  @discardableResult
  func open(_ options: [String: Any] = [:]) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: options.merging(defaultOptions) { given, _ in given }
    )
  }

  /// A store with a history is written with the option that says so.
  ///
  /// The store without a model cache is opened with a model that has its columns; the rest of the
  /// application's own model, and so its hashes, is not known.
  private var defaultOptions: [String: Any] {
    switch name {
    case "TwitterSeed-iOS6": [NSIgnorePersistentStoreVersioningOption: true]
    case "SampleModel2_V2": [NSPersistentHistoryTrackingKey: true]
    case let name where Self.madeBySwiftData.contains(name): [NSPersistentHistoryTrackingKey: true]
    case _: [:]
    }
  }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// The names of the files in the copy's folder, each with its bytes.
  func folderContents() throws -> [String: Data] {
    let folder = file.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) }
    )
  }

  /// Bytes, not permissions: the originals may not be written.
  private static func copy(_ name: String) throws -> URL {
    let file = TestSupport.TemporaryFolder.file("\(name).sqlite")
    for end in ["", "-wal"] {
      let original = original(name).path + end
      guard FileManager.default.fileExists(atPath: original) else { continue }
      try Data(contentsOf: URL(filePath: original)).write(to: URL(filePath: file.path + end))
    }
    return file
  }

  /// A connection of its own to a copy of its own, for plain SQL.
  static func plainSQL(_ name: String) throws -> Connection {
    try Connection(path: copy(name).path)
  }

  private static func model(of name: String) throws -> ModelSchema {
    if name == "TwitterSeed-iOS6" { return .tweets }
    let connection = try Connection(path: copy(name).path)
    let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
    defer { statement.reset() }
    #expect(try statement.step())
    return try ModelCache.decode(Data(statement.blobBytes(0)))
  }
}

/// Stands in for the applications' own value transformers: an object is its data.
final class Transformers: ValueTransformer {
  override class func allowsReverseTransformation() -> Bool { true }

  static func register(for schema: ModelSchema) {
    let known = Set(ValueTransformer.valueTransformerNames().map(\.rawValue))
    let names = schema.entities.flatMap(\.attributes).compactMap(\.valueTransformerName)
    for name in Set(names).subtracting(known) {
      setValueTransformer(Transformers(), forName: NSValueTransformerName(name))
    }
  }
}
