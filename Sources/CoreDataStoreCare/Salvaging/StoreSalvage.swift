import CoreData
package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
package import Foundation

/// Copies the readable part of a damaged store into a new one.
///
/// ```
/// Notes.sqlite ─▶ a copy, so that nothing happens to the damaged file
///              ─▶ empty tables by the model, or as the file has them ─▶ rows, around the pages that cannot be read
///              ─▶ metadata, numbers, indexes, triggers ─▶ check
/// ```
///
/// Losses are reported. Keys that lead to lost objects are still in the new store: repair it.
package struct StoreSalvage {
  let source: URL
  let target: URL
  let model: ModelSchema?
  package var progress: ((CheckProgress) -> Void)?

  package init(storeAt source: URL, model: ModelSchema?, to target: URL) {
    self.source = source
    self.target = target
    self.model = model
  }

  /// Throws if the target exists, if the file is not a store, if the given model is not the store's, or if not even the
  /// list of tables can be read; then there is no new file.
  package func perform() throws -> SalvageOutcome {
    for ending in SQLiteFile.endings where isThere(target.path + ending) {
      throw RepairFailure(.targetExists, path: target.path + ending).error
    }
    let unfinished = UnfinishedFile(of: target)
    unfinished.removeThoseOfEndedPrograms()
    defer { remove(unfinished.url) }
    let copy = DamagedCopy(of: source, at: unfinished.url.appendingPathExtension("damaged"))
    defer { copy.remove() }
    do {
      try copy.make()
      return try salvage(copy, to: unfinished.url)
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw RepairFailure(.noRoom, path: target.path).error
    } catch let refusal as SQLiteError where refusal.hasNoRoom {
      throw RepairFailure(.noRoom, path: target.path).error
    } catch let refusal as SQLiteError {
      throw StoreFailure(.reading(refusal), path: source.path).error()
    }
  }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func remove(_ file: URL) {
    for ending in SQLiteFile.endings where isThere(file.path + ending) {
      // A file that stays has a name that explains it.
      try? FileManager.default.removeItem(atPath: file.path + ending)
    }
  }

  private func salvage(_ copy: DamagedCopy, to unfinished: URL) throws -> SalvageOutcome {
    let isLogLeftOut = try copy.leaveOutLogOfAnother()
    let old = try database(at: copy.place)
    let basis = try SalvageBasis(model, for: old, at: source)
    let (new, tables) = try fill(unfinished, basis, from: old)
    let report = try finish(unfinished, basis)
    return SalvageOutcome(
      basis: basis,
      tables: tables,
      isListComplete: old.isListComplete,
      log: isLogLeftOut ? .leftOut : SalvagedLog(besides: source),
      leftOut: new.leftOut,
      refusedIndexes: new.refusedIndexes,
      report: report
    )
  }

  /// Gives the new store its large data, before there are rows that speak of them, and its name, and looks it through.
  ///
  /// Where that fails, nothing is left of it.
  private func finish(_ unfinished: URL, _ basis: SalvageBasis) throws -> CheckReport {
    let copies = try SupportFolder(of: target)
      .take(from: SupportFolder(of: source), isReplaced: false)
    do {
      try giveName(to: unfinished)
    } catch {
      copies.remove()
      throw error
    }
    do {
      return try StoreChecker(storeAt: target, model: basis.schema).report()
    } catch {
      remove(target)
      copies.remove()
      throw error
    }
  }

  /// Replaces nothing, even if another program has made such a file in between, provided the disk has hard links.
  private func giveName(to unfinished: URL) throws {
    if link(unfinished.path, target.path) == 0 { return }
    if errno == EEXIST || isThere(target.path) {
      throw RepairFailure(.targetExists, path: target.path).error
    }
    if rename(unfinished.path, target.path) == 0 { return }
    let reason = String(cString: strerror(errno))
    throw StoreFailure(
      .saving(SQLiteError(code: 14, message: "the new store cannot get its name: \(reason)")),
      path: target.path
    ).error()
  }

  private func fill(
    _ file: URL,
    _ basis: SalvageBasis,
    from old: DamagedDatabase
  ) throws -> (SalvagedStore, [SalvagedTable]) {
    FileMode(of: source.path)?.makeFile(at: file.path)
    let connection = try Connection(path: file.path)
    StoreChecker.prepare(connection)
    try connection.run("PRAGMA auto_vacuum = 2")
    try connection.run("BEGIN")
    let new = SalvagedStore(connection, basis.schema, from: old, at: source, progress: progress)
    let tables = try new.fill()
    try connection.run("COMMIT")
    return (new, tables)
  }

  private func database(at copy: URL) throws -> DamagedDatabase {
    let old: DamagedDatabase
    do {
      old = try DamagedDatabase(at: copy)
    } catch {
      if error.primaryCode == 26 { throw RepairFailure(.notADatabase, path: source.path).error }
      guard error.isDamage else { throw error }
      throw RepairFailure(.unsalvageable(error), path: source.path).error
    }
    let tables = Set(old.columns.keys)
    if old.isListComplete, !StoreTables.areOfStore(tables, model) {
      try SQLiteFile(at: source, options: nil, isReadOnly: true).checkIsStore(tables)
    }
    return old
  }
}

/// The salvaged part of a damaged store.
package struct SalvageOutcome: Sendable {
  package let basis: SalvageBasis
  package let tables: [SalvagedTable]
  /// False where a part of the list of tables could not be read: tables may be missing.
  package let isListComplete: Bool
  package let log: SalvagedLog
  /// Indexes and triggers of the file that the new store does not have.
  package let leftOut: [String]
  /// Unique indexes that could not be built, because values are there twice.
  package let refusedIndexes: [String]
  /// The new store, looked through.
  package let report: CheckReport

  /// Whether every row was read, with every column that the file has.
  package var isComplete: Bool {
    isListComplete && log != .part && tables.allSatisfy(\.isComplete)
  }
}

/// The part of the write-ahead log beside a damaged file that was read.
package enum SalvagedLog: Hashable, Sendable {
  /// All of it, if there is one.
  case whole
  /// It is damaged, so that what was written last may be missing.
  case part
  /// Nothing, because it is another store's.
  case leftOut

  init(besides store: URL) {
    self = WriteAheadLog(besides: store)?.isDamaged == true ? .part : .whole
  }
}

/// The salvaged part of one table.
package struct SalvagedTable: Hashable, Sendable {
  package let name: String
  package internal(set) var copied = 0
  /// Rows of which some values could not be read; they are empty now.
  package internal(set) var partial = 0
  /// How many ranges of keys could not be read as a whole.
  var failedReads = 0
  /// The keys that could not be read, if there were rows with them at all.
  package internal(set) var lost: [ClosedRange<Int64>] = []
  /// False where the table was not in the file, or nothing of it could be read.
  package internal(set) var isReadable = true
  /// Columns that the model does not know; they are in the new store nevertheless.
  package internal(set) var carriedColumns: [String] = []
  /// Columns that the new store could not be given.
  package internal(set) var lostColumns: [String] = []
  /// Columns that the model wants and the file does not have; they are empty.
  package internal(set) var missingColumns: [String] = []

  package var isComplete: Bool {
    lost.isEmpty && partial == 0 && isReadable && lostColumns.isEmpty
  }
}
