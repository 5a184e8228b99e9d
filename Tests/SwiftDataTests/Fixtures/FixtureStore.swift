import CoreDataSQL
import CoreDataSQLite
import Foundation
import SwiftData
import Testing

/// A real store that Apple's framework has written, and the classes that were written from its model.
struct FixtureStore: Sendable, CustomTestStringConvertible {
  let name: String
  private let makeSchema: @Sendable () -> Schema

  var schema: Schema { makeSchema() }
  var testDescription: String { name }

  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "shared/fixtures/swiftdata")
  static var areThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static let all: [FixtureStore] = [
    FixtureStore("ResourcesManager", ResourcesManager.Item.self),
    FixtureStore("CartKit", CartKit.CartModel.self),
    FixtureStore(name: "FreezeRay-V1") { Schema(versionedSchema: FreezeRayV1.self) },
    FixtureStore(name: "FreezeRay-V2") { Schema(versionedSchema: FreezeRayV2.self) },
    FixtureStore("Cocktails", Cocktails.Cocktail.self),
    FixtureStore("ChefTime", ChefTime.SDFolder.self),
    FixtureStore("Pegase", Pegase.EntityAccount.self, Pegase.EntityFolderAccount.self),
    FixtureStore("SwiftRide", SwiftRide.Schedule.self, SwiftRide.Connection.self),
    FixtureStore("WelcomeTo", WelcomeTo.Item.self),
  ]

  private init(_ name: String, _ types: any PersistentModel.Type...) {
    self.init(name: name) { Schema(types) }
  }

  private init(name: String, _ makeSchema: @escaping @Sendable () -> Schema) {
    self.name = name
    self.makeSchema = makeSchema
  }

  /// A copy of the file in a folder of its own.
  func copy() throws -> URL {
    let folder = try temporaryFolder()
    for ending in ["store", "store-wal"] {
      let original = Self.folder.appendingPathComponent("\(name).\(ending)")
      guard let bytes = try? Data(contentsOf: original) else { continue }
      try bytes.write(to: folder.appendingPathComponent("\(name).\(ending)"))
    }
    return folder.appendingPathComponent("\(name).store")
  }
}

/// A folder that nobody else has.
func temporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("SwiftDataTests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

/// The texts of a file's tables and indexes, but for those of the history and of SQLite.
func statements(in file: URL) throws -> Set<String> {
  let connection = try Connection(path: file.path)
  let texts = try connection.text(
    "SELECT json_group_array(sql) FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
  )
  return Set(try JSONDecoder().decode([String].self, from: Data((texts ?? "[]").utf8)))
}

/// The number of a table's rows in a file.
func count(_ table: String, in file: URL) throws -> Int64? {
  try Connection(path: file.path).integer("SELECT count(*) FROM \(name: table)")
}
