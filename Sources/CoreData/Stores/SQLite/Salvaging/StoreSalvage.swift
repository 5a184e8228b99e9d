package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// Copies what can be read of a damaged store into a new one.
///
/// ```
/// Notes.sqlite ─▶ a copy, so that nothing happens to the damaged file
///              ─▶ empty tables by the model ─▶ rows, around the pages that cannot be read
///              ─▶ metadata, numbers, indexes, triggers ─▶ check
/// ```
///
/// What is lost is told. Keys that lead to lost objects are still in the new store: repair it.
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

  /// Throws where the target exists, where there is no model, and where not even the list of tables
  /// can be read; then there is no new file.
  package func perform() throws -> SalvageOutcome {
    let files = FileManager.default
    if files.fileExists(atPath: target.path) {
      throw RepairFailure(.targetExists, path: target.path).error
    }
    let copy = DamagedCopy(of: source, at: target.appendingPathExtension("damaged"))
    try copy.make()
    defer { copy.remove() }
    do {
      return try salvage(copy.place)
    } catch {
      // A part of a store would look like a whole one.
      for ending in ["", "-wal", "-shm", "-journal"] {
        try? files.removeItem(atPath: target.path + ending)
      }
      guard let refusal = error as? SQLiteError else { throw error }
      throw StoreFailure(.reading(refusal), path: source.path).error()
    }
  }

  private func salvage(_ copy: URL) throws -> SalvageOutcome {
    let connection = try Connection(path: target.path)
    StoreChecker.prepare(connection)
    try connection.run("PRAGMA auto_vacuum = 2")
    let old = try DamagedDatabase(at: copy)
    let schema = try model(in: old)
    try connection.run("BEGIN")
    let new = SalvagedStore(connection, schema, from: old, progress: progress)
    let tables = try new.fill()
    try connection.run("COMMIT")
    try SupportFolder(of: target).replace(with: SupportFolder(of: source))
    let report = try StoreChecker(storeAt: target, model: schema).report()
    return SalvageOutcome(tables: tables, refusedIndexes: new.refusedIndexes, report: report)
  }

  private func model(in old: DamagedDatabase) throws -> ModelSchema {
    let found: ModelSchema
    do {
      found = try model ?? old.model()
    } catch {
      throw RepairFailure(.noModel("the model in the file cannot be read"), path: source.path).error
    }
    if let problem = found.problems.first(where: { $0.severity == .error }) {
      throw RepairFailure(.noModel("the model cannot be used: \(problem)"), path: source.path).error
    }
    return found
  }
}

/// What could be saved of a damaged store.
package struct SalvageOutcome: Sendable {
  package let tables: [SalvagedTable]
  /// Unique indexes that could not be built, because values are there twice.
  package let refusedIndexes: [String]
  /// The new store, looked through.
  package let report: CheckReport

  /// Whether every row was read.
  package var isComplete: Bool {
    tables.allSatisfy { $0.lost.isEmpty && $0.partial == 0 && $0.isReadable }
  }
}

/// What could be saved of one table.
package struct SalvagedTable: Hashable, Sendable {
  package let name: String
  package internal(set) var copied = 0
  /// Rows of which some values could not be read; they are empty now.
  package internal(set) var partial = 0
  /// The keys that could not be read, if there were rows with them at all.
  package internal(set) var lost: [ClosedRange<Int64>] = []
  /// False where the table was not in the file, or nothing of it could be read.
  package internal(set) var isReadable = true
}
