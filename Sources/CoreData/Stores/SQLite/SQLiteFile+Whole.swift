import CoreDataSQL
package import CoreDataSQLite
import Foundation

/// The operations on a store's file that do not need it opened as a store.
extension SQLiteFile {
  package init(at url: URL, options: [AnyHashable: Any]?, isReadOnly: Bool = false) {
    var options = options ?? [:]
    if isReadOnly { options[NSReadOnlyPersistentStoreOption] = true }
    self.init(
      place: StorePlace(
        number: .none,
        type: NSSQLiteStoreType,
        configuration: nil,
        url: url,
        options: options
      )
    )
  }

  private var files: [String] { Self.endings.map { path + $0 } }

  /// The endings of the names of a database and of the files that SQLite keeps beside it.
  package static let endings = ["", "-wal", "-shm", "-journal"]

  /// Looks into the file, whatever it is, and changes nothing.
  package func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws -> Result {
    if let obstacle { throw StoreFailure(obstacle, path: path).error() }
    return try translating(connect(), body)
  }

  /// Rolls back, from the journal beside the file, the writes of a program that ended in the middle of them.
  ///
  /// SQLite does it for the first connection that may write. One that only reads does not open such a file.
  package func undoUnfinishedSave() throws {
    guard !isInMemory, isWritable, FileManager.default.fileExists(atPath: path + "-journal") else {
      return
    }
    _ = try translating(connect(), StoreTables.names)
  }

  /// Returns the file's metadata.
  func readMetadata() throws -> [String: Any] {
    if let obstacle { throw StoreFailure(obstacle, path: path).error() }
    return try metadata(on: connect())
  }

  /// The same of a store whose metadata may be damaged: of these no more than the identifier.
  func readWhatMetadataThereAre() throws -> (values: [String: Any], areWhole: Bool) {
    do {
      return (try readMetadata(), true)
    } catch let error as NSError where error.code == CocoaError.fileReadCorruptFile.rawValue {
      let connection = try connect()
      let tables = try translating(connection, StoreTables.names)
      try checkIsStore(tables)
      let identifier = try translating(connection) { connection throws(SQLiteError) in
        try connection.text("SELECT Z_UUID FROM Z_METADATA")
      }
      var values: [String: Any] = [NSStoreTypeKey: NSSQLiteStoreType]
      values[NSStoreUUIDKey] = identifier
      return (values, false)
    }
  }

  func writeMetadata(_ metadata: [String: Any]) throws {
    var values = metadata
    let identifier = values.removeValue(forKey: NSStoreUUIDKey) as? String ?? ""
    let list = try StoreMetadata.binary(of: values)
    try translating(connect()) { connection throws(SQLiteError) in
      try connection.run(
        """
        UPDATE Z_METADATA SET Z_UUID = \(.text(identifier)), Z_PLIST = \(.blob([UInt8](list)))
        """
      )
    }
  }

  /// Empties the file, and removes what the store keeps beside it.
  ///
  /// The file stays, so that others who have it open find an empty database instead of a missing file. A file that is
  /// not a database is removed; so is one that others keep locked, if `forced`. If the file is missing, an empty one is
  /// made, as long as its folder exists.
  func destroy(forced: Bool) throws {
    if isInMemory { return }
    guard FileManager.default.fileExists(atPath: path) else {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      return
    }
    if let obstacle { throw StoreFailure(obstacle, path: path).error() }
    guard isWritable else { throw StoreFailure(.unwritable, path: path).error() }
    do {
      let connection = try Connection(path: path)
      connection.setBusyTimeout(milliseconds: forced ? min(place.wait, 1000) : place.wait)
      try connection.makeEmpty()
      try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      guard forced || [11, 26].contains(error.primaryCode) else {
        throw StoreFailure(.saving(error), path: path).error()
      }
      try remove()
    }
    try SupportFolder(of: place.url).remove()
  }

  private func remove() throws {
    for file in files where FileManager.default.fileExists(atPath: file) {
      try FileManager.default.removeItem(atPath: file)
    }
  }

  /// Makes this file what another is, with all that the other's log and folder hold.
  func replace(with source: SQLiteFile) throws {
    if let obstacle = source.obstacle { throw StoreFailure(obstacle, path: source.path).error() }
    guard FileManager.default.fileExists(atPath: source.path) else {
      throw StoreFailure(.missingFile, path: source.path).error()
    }
    _ = try source.readMetadata()
    if let obstacle { throw StoreFailure(obstacle, path: path).error() }
    guard isWritable else { throw StoreFailure(.unwritable, path: path).error() }
    let isReplaced = FileManager.default.fileExists(atPath: path)
    try translating { () throws(SQLiteError) in
      FileMode(of: source.path)?.makeFile(at: path)
      let target = try Connection(path: path)
      target.setBusyTimeout(milliseconds: place.wait)
      let origin = try source.plainConnection()
      try target.copyEverything(from: origin, timeout: place.wait)
    }
    try SupportFolder(of: place.url)
      .take(from: SupportFolder(of: source.place.url), isReplaced: isReplaced)
  }

  private func connect() throws -> Connection {
    try translating { () throws(SQLiteError) in try plainConnection() }
  }

  func plainConnection() throws(SQLiteError) -> Connection {
    let mode: Connection.Mode =
      isSharedInMemory
      ? .sharedMemory : isWritable ? .readWrite : isAtRest ? .immutable : .readOnly
    let connection = try Connection(path: path, mode: mode)
    connection.setBusyTimeout(milliseconds: place.wait)
    return connection
  }

  private func metadata(on connection: Connection) throws -> [String: Any] {
    try metadata(on: connection, translating(connection, StoreTables.names))
  }
}
