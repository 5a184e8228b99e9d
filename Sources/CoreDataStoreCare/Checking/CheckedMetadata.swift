import CoreData
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A file's metadata, read without believing that it can be read.
struct CheckedMetadata {
  /// How many rows `Z_METADATA` has; nil when there is no such table.
  let rowCount: Int?
  let identifier: String?
  /// The number of the format; `nil` if the row does not have one.
  let version: Int64?
  /// The rest of the metadata; `nil` if it cannot be read.
  let list: [String: Any]?
  /// The names of the entities that are said to be in the store, whatever their hashes are; nil
  /// when nothing says it.
  let entities: Set<String>?
  /// Their hashes, of the model that the store was made with, as far as they are hashes.
  let hashes: [String: Data]

  init(_ connection: Connection) throws(SQLiteError) {
    guard try StoreTables.names(on: connection).contains("Z_METADATA") else {
      self.init(rowCount: nil, identifier: nil, version: nil, list: nil)
      return
    }
    let statement = try connection.statement(
      "SELECT Z_UUID, Z_PLIST, (SELECT COUNT(*) FROM Z_METADATA), Z_VERSION FROM Z_METADATA"
    )
    defer { statement.reset() }
    guard try statement.step() else {
      self.init(rowCount: 0, identifier: nil, version: nil, list: nil)
      return
    }
    self.init(
      rowCount: Int(statement.integer(2)),
      identifier: statement.isNull(0) ? nil : statement.text(0),
      version: statement.isNull(3) ? nil : statement.integer(3),
      list: StoreMetadata.dictionary(from: Data(statement.blobBytes(1)))
    )
  }

  private init(rowCount: Int?, identifier: String?, version: Int64?, list: [String: Any]?) {
    self.rowCount = rowCount
    self.identifier = identifier
    self.version = version
    self.list = list
    let given = list?[NSStoreModelVersionHashesKey] as? [String: Any]
    entities = given.map { Set($0.keys) }
    hashes = (given ?? [:]).compactMapValues { $0 as? Data }
      .filter { $0.value.count == Self.hashSize }
  }

  /// Every version hash is one of SHA-256.
  private static let hashSize = 32
}
