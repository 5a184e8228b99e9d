package import CoreDataModel
import CoreDataSQLite
import Foundation

/// A migration of a copy, to see what it does, how long it takes and how much room it needs.
package struct MigrationRehearsal {
  package let report: StoreMigration.Report
  package let seconds: Double
  package let bytesBefore: Int
  package let bytesAfter: Int

  /// Migrates a copy of a store, which is removed afterwards; the store itself is only read.
  package init(
    of url: URL,
    to model: NSManagedObjectModel,
    from source: ModelSchema? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory
      .appendingPathComponent("coredata-migration-\(UUID().uuidString)")
    // All may look into the system's folder.
    try files.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: NSNumber(value: 0o700)]
    )
    // If this fails, the system removes the folder, which is in its own one.
    defer { try? files.removeItem(at: folder) }
    let copy = folder.appendingPathComponent(url.lastPathComponent)
    try Self.copy(url, to: copy)
    bytesBefore = FileSize.of(copy.path)
    let start = ContinuousClock.now
    var migration = StoreMigration(of: copy, to: model, options: options)
    migration.logsLosses = false
    report = try migration.perform(from: source)
    seconds = start.duration(to: .now) / .seconds(1)
    bytesAfter = FileSize.of(copy.path)
  }

  /// A consistent copy, including the contents of the store's log.
  private static func copy(_ url: URL, to copy: URL) throws {
    let file = SQLiteFile(at: url, options: nil, isReadOnly: true)
    if let obstacle = file.obstacle { throw StoreFailure(obstacle, path: url.path).error() }
    do {
      let source = try Connection(path: url.path, mode: file.isAtRest ? .immutable : .readOnly)
      try Connection(path: copy.path).copyEverything(from: source, timeout: 10_000)
    } catch {
      let cause: StoreFailure.Cause = error.primaryCode == 26 ? .notADatabase : .opening(error)
      throw StoreFailure(cause, path: url.path).error()
    }
    try SupportFolder(of: copy).take(from: SupportFolder(of: url), isReplaced: false)
  }
}

enum FileSize {
  /// The size of a file in bytes; 0 if it does not exist.
  static func of(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
