import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The migration of a store in its place, with a mapping model.
///
/// ```
/// store ─▶ checked copy ─▶ NSMigrationManager ─▶ new store beside it ─▶ in the place of the old
/// ```
///
/// Whatever happens, the file holds the old store or the new one. If the program is killed during the migration, the
/// next start begins again.
struct MappingMigration {
  let url: URL
  let type: String
  var options: [AnyHashable: Any]?
  /// Follows the migration, and can cancel it.
  var progress: Progress?
  /// Whether the copy of the old store stays; `nil` if it stays only when objects were left out.
  var keepsBackup: Bool?
  /// Told after each step of the replacement; tests end the program there.
  var observer: ((StoreReplacement.Step) -> Void)?

  struct Report {
    /// Objects of the old store of which nothing was made.
    var leftOutCount = 0
    /// The copy of the old store, if it has been kept: `Notes.sqlite.before-migration`.
    var backup: URL?
  }

  /// Migrates a store with a mapping model; the function that opening a store calls.
  @discardableResult
  static func migrate(
    storeAt url: URL,
    ofType type: String,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    mapping: NSMappingModel,
    options: [AnyHashable: Any]? = nil,
    progress: Progress? = nil,
    keepsBackup: Bool? = nil
  ) throws -> Report {
    var migration = MappingMigration(url: url, type: type, options: options)
    migration.progress = progress
    migration.keepsBackup = keepsBackup
    return try migration.perform(from: source, to: destination, mapping)
  }
}

// MARK: - The story

extension MappingMigration {
  /// Does nothing to a store that is of the destination already.
  func perform(
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    _ mapping: NSMappingModel
  ) throws -> Report {
    let workplace = try preparing { try MappingWorkplace.enter(besides: url) }
    defer { workplace.leave() }
    let isDone = try preparing {
      try tidy(workplace)
      return try isOf(destination) && !isOf(source)
    }
    if isDone { return Report() }
    var report = Report()
    // Somebody may write while the new store is made: then it is made again, of what is there.
    repeat {
      let mark = try preparing { try copy(in: workplace) }
      report = try makeNew(in: workplace, from: source, to: destination, mapping)
      if try preparing({ try mark.isCurrent }) { break }
    } while true
    try preparing {
      try replace(by: workplace.after)
      try keepBackup(workplace, &report)
    }
    return report
  }

  /// Turns failures around the migration into errors; the migration itself has errors of its own.
  private func preparing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as MappingFailure {
      throw failure.error()
    } catch {
      throw MappingFailure.replacing(path: url.path, error).error()
    }
  }

  /// Removes what a killed program has left beside the store; at most one look at the folder where
  /// there is nothing.
  static func tidy(storeAt url: URL, ofType type: String) throws {
    guard MappingWorkplace.isThere(besides: url),
      let workplace = try MappingWorkplace.enterIfFree(besides: url)
    else { return }
    try MappingMigration(url: url, type: type).tidy(workplace)
    workplace.leave()
  }

  private func tidy(_ workplace: MappingWorkplace) throws {
    guard type == NSSQLiteStoreType, FileManager.default.fileExists(atPath: url.path) else {
      return
    }
    // Files of large data of both stores may be there; those of the one that is not there can go.
    for (one, other) in [
      (workplace.after, workplace.before), (workplace.before, workplace.after),
    ] {
      // A draft that cannot be read is not the store in the place.
      guard FileManager.default.fileExists(atPath: one.path),
        let hashes = try? hashes(of: one), try hashes == self.hashes(of: url)
      else { continue }
      let superfluous = try StoreReplacement.names(besides: other)
      return try StoreReplacement.remove(superfluous, exceptThoseBesides: one, from: url)
    }
  }
}

// MARK: - Steps

extension MappingMigration {
  /// Copies the store, and marks the moment before.
  private func copy(in workplace: MappingWorkplace) throws -> StoreMoment {
    try workplace.clear()
    let mark = try StoreMoment(url, type)
    guard type == NSSQLiteStoreType else {
      try KindsOfStores.kind(type, at: url.path).replace(
        at: workplace.before,
        nil,
        with: url,
        options
      )
      return mark
    }
    let progress = progress
    let isComplete = try FileCopy(of: url, to: workplace.before).perform { _, _, _ in
      progress?.isCancelled != true
    }
    if !isComplete { throw MappingFailure.cancelled(path: url.path) }
    return mark
  }

  private func replace(by new: URL) throws {
    var replacement = StoreReplacement(of: url, by: new, type: type, options: options)
    replacement.observer = observer
    try replacement.perform()
  }

  private func makeNew(
    in workplace: MappingWorkplace,
    from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel,
    _ mapping: NSMappingModel
  ) throws -> Report {
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.usesStoreSpecificMigrationManager = false
    let following = follow(manager)
    defer { following?.invalidate() }
    try manager.migrate(
      from: MappingEnd(url: workplace.before, type: type, options: options),
      mapping,
      to: MappingEnd(url: workplace.after, type: type, options: options)
    )
    try keepIdentity(of: workplace.before, in: workplace.after)
    return Report(leftOutCount: manager.leftOutCount)
  }

  /// The store is the same one as before, so it keeps its UUID and knows its former models.
  private func keepIdentity(of old: URL, in new: URL) throws {
    let files = try KindsOfStores.kind(type, at: new.path)
    var metadata = try files.metadata(at: new, options)
    let former = try files.metadata(at: old, options)
    metadata[NSStoreUUIDKey] = former[NSStoreUUIDKey]
    FormerModels.note(migrationFrom: former, in: &metadata)
    try files.setMetadata(metadata, at: new, options)
  }

  private func follow(_ manager: NSMigrationManager) -> NSKeyValueObservation? {
    guard let progress else { return nil }
    progress.totalUnitCount = 1000
    let path = url.path
    return manager.observe(\.migrationProgress) { manager, _ in
      progress.completedUnitCount = Int64(manager.migrationProgress * 1000)
      if progress.isCancelled {
        manager.cancelMigrationWithError(MappingFailure.cancelled(path: path).error())
      }
    }
  }

  private func keepBackup(_ workplace: MappingWorkplace, _ report: inout Report) throws {
    guard keepsBackup ?? (report.leftOutCount > 0) else { return }
    let backup = url.appendingPathExtension("before-migration")
    try StoreReplacement(of: backup, by: workplace.before, type: type, options: nil).perform()
    report.backup = backup
  }
}

// MARK: - Asking the store

extension MappingMigration {
  private func hashes(of store: URL) throws -> [String: Data] {
    let metadata = try KindsOfStores.kind(type, at: store.path).metadata(at: store, options)
    return metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
  }

  private func isOf(_ model: NSManagedObjectModel) throws -> Bool {
    try hashes(of: url) == model.entityVersionHashesByName
  }
}

/// A moment of a store, to see whether somebody has written since.
struct StoreMoment {
  private let url: URL
  private let file: FileMark?
  private let connection: Connection?
  private let version: Int64?

  init(_ url: URL, _ type: String) throws {
    self.url = url
    guard type == NSSQLiteStoreType else {
      (file, connection, version) = (FileMark(url.path), nil, nil)
      return
    }
    let connection = try Connection(path: url.path)
    version = try connection.integer("PRAGMA data_version")
    self.connection = connection
    file = nil
  }

  /// Whether the store is still as it was.
  var isCurrent: Bool {
    get throws {
      guard let connection else { return FileMark(url.path) == file }
      return try connection.integer("PRAGMA data_version") == version
    }
  }
}
