import CoreData
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// What a file says of itself, read without believing that it can be read.
struct CheckedMetadata {
  /// How many rows `Z_METADATA` has; nil when there is no such table.
  let rowCount: Int?
  let identifier: String?
  /// The names of the entities in the store, with the hashes of the model it was made with; empty
  /// when there are none to read.
  let hashes: [String: Data]
  let isReadable: Bool
  let type: String?

  init(_ connection: Connection) throws(SQLiteError) {
    guard try StoreTables.names(on: connection).contains("Z_METADATA") else {
      self.init(rowCount: nil, identifier: nil, list: nil)
      return
    }
    let statement = try connection.statement(
      "SELECT Z_UUID, Z_PLIST, (SELECT COUNT(*) FROM Z_METADATA) FROM Z_METADATA"
    )
    defer { statement.reset() }
    guard try statement.step() else {
      self.init(rowCount: 0, identifier: nil, list: nil)
      return
    }
    self.init(
      rowCount: Int(statement.integer(2)),
      identifier: statement.isNull(0) ? nil : statement.text(0),
      list: StoreMetadata.dictionary(from: Data(statement.blobBytes(1)))
    )
  }

  private init(rowCount: Int?, identifier: String?, list: [String: Any]?) {
    self.rowCount = rowCount
    self.identifier = identifier
    hashes = list?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    isReadable = list != nil
    type = list?[NSStoreTypeKey] as? String
  }
}
