import CoreDataModel
import Foundation
import Testing

@testable import CoreData

/// A store that Apple's Core Data made, read with SQLite's own tool.
struct AppleStore: CustomTestStringConvertible {
  let name: String
  private let origin: ModelOrigin

  /// The origin of the model of a store.
  private enum ModelOrigin {
    /// The model that the store carries in itself.
    case cache
    /// A version of a model beside the stores.
    case source(String, version: String)
    /// The application's model, written down again.
    case written(ModelSchema)
  }

  /// The stores that were handed out beside the package; none elsewhere.
  static let all: [AppleStore] = known.filter {
    FileManager.default.fileExists(atPath: $0.url.path)
  }

  private static let known: [AppleStore] = [
    AppleStore("Bookmarks_V1", .source("BookmarksModel", version: "BookmarksModel")),
    AppleStore("Bookmarks_V2", .source("BookmarksModel", version: "BookmarksModel 2")),
    AppleStore("Bookmarks_V3", .source("BookmarksModel", version: "BookmarksModel 3")),
    AppleStore("Moody", .source("Moody", version: "Moody")),
    AppleStore("Moody2", .source("Moody", version: "Moody 2")),
    AppleStore("Moody3", .source("Moody", version: "Moody 3")),
    AppleStore("Moody4", .source("Moody", version: "Moody 4")),
    AppleStore("Moody5", .source("Moody", version: "Moody 5")),
    AppleStore("SampleModel_V1", .source("SampleModel", version: "SampleModel")),
    AppleStore("SampleModel_V2", .source("SampleModel", version: "SampleModel2")),
    AppleStore("SampleModel3_V1", .source("SampleModel3", version: "SampleModel3")),
    AppleStore("TwitterSeed-iOS6", .written(.tweets)),
    AppleStore("Bookmarks_V1", .cache),
    AppleStore("Bookmarks_V2", .cache),
    AppleStore("Bookmarks_V3", .cache),
    AppleStore("LoopKit_V1", .cache),
    AppleStore("MigrationExample_V1", .cache),
    AppleStore("MigrationExample_V2", .cache),
    AppleStore("MigrationExample_V3", .cache),
    AppleStore("Moody", .cache),
    AppleStore("Moody2", .cache),
    AppleStore("Moody3", .cache),
    AppleStore("Moody4", .cache),
    AppleStore("Moody5", .cache),
    AppleStore("SampleModel_V1", .cache),
    AppleStore("SampleModel_V2", .cache),
    AppleStore("SampleModel2_V2", .cache),
    AppleStore("SampleModel3_V1", .cache),
  ]

  private init(_ name: String, _ origin: ModelOrigin) {
    self.name = name
    self.origin = origin
  }

  var testDescription: String {
    switch origin {
    case .cache: "\(name) by its cache"
    case .source(let model, let version): "\(name) by \(version) of \(model)"
    case .written: "\(name) by hand"
    }
  }

  private static let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../shared/fixtures")
    .standardizedFileURL

  private var url: URL { Self.fixtures.appending(path: "stores/\(name).sqlite") }

  /// The version of Apple's framework that made a store: 241 is Mac OS X 10.6, 1522 macOS 26.1.
  func frameworkVersion() throws -> Int {
    let plist = try blob("SELECT hex(Z_PLIST) FROM Z_METADATA;")
    let metadata = try PropertyListSerialization.propertyList(from: plist, format: nil)
    let version = (metadata as? [String: Any])?["NSPersistenceFrameworkVersion"] as? Int
    return try #require(version)
  }

  func model() throws -> ModelSchema {
    switch origin {
    case .written(let model): return model
    case .cache: return try ModelCache.decode(blob("SELECT hex(Z_CONTENT) FROM Z_MODELCACHE;"))
    case .source(let name, let version):
      let url = Self.fixtures.appending(path: "models/\(name).xcdatamodeld")
      let model = CompiledModel(try ModelSource(contentsOf: url))
      return try #require(model.versions.first { $0.name == version }).schema
    }
  }

  /// Statements in the order they were made; those of persistent history aside.
  func statements() throws -> [String] {
    try query(
      "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND tbl_name NOT LIKE 'A%' ORDER BY rowid;"
    )
  }

  func tableNames() throws -> Set<String> {
    Set(try query("SELECT name FROM sqlite_master WHERE type = 'table';"))
  }

  func primaryKeyRows() throws -> [String] {
    try query("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT;")
  }
}

extension AppleStore {
  /// Reads a copy: opening a file with a write-ahead log changes it.
  private func query(_ script: String) throws -> [String] {
    let files = FileManager.default
    let copy = files.temporaryDirectory.appending(path: "store-\(UUID().uuidString).sqlite")
    defer { for end in ["", "-wal", "-shm"] { try? files.removeItem(atPath: copy.path + end) } }
    for end in ["", "-wal"] where files.fileExists(atPath: url.path + end) {
      try files.copyItem(atPath: url.path + end, toPath: copy.path + end)
    }
    return try SQLiteShell.run(script, on: copy.path)
  }

  private func blob(_ script: String) throws -> Data {
    let digits = Array(try #require(query(script).first).utf8)
    return Data(
      try stride(from: 0, to: digits.count, by: 2)
        .map {
          try #require(UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16))
        }
    )
  }
}

extension ModelSchema {
  /// The model of the store from iOS 6, which does not have a model cache.
  fileprivate static let tweets = ModelSchema.model(
    .entity(
      "Tweet",
      [
        .attribute("createdAt", .date), .text("inReplyToScreenName"),
        .attribute("isFavorited", .boolean), .attribute("statusID", .integer64), .text("text"),
        .text("urlString"),
      ],
      [.one("user", "User", back: "tweets")]
    ),
    .entity(
      "User",
      [.text("name"), .text("screenName"), .attribute("userID", .integer64)],
      [.many("tweets", "Tweet", back: "user")]
    )
  )
}
