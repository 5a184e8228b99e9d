import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import CoreDataStoreCare
import Foundation

/// A store with what can be read of a damaged one, for as long as a command works on it.
///
/// ```
/// Notes.sqlite, with a page that cannot be read ─▶ StoreSalvage ─▶ a store in a temporary folder
/// ```
final class SalvagedSource {
  /// The store that can be read.
  let url: URL
  private let folder: URL
  private let damaged: URL
  private let outcome: SalvageOutcome

  /// Reads a damaged store, by the model that was given, or else by the one in it.
  init(of damaged: URL, model: ModelSchema?) throws {
    self.damaged = damaged
    folder = FileManager.default.temporaryDirectory.appending(path: "salvaged-\(UUID().uuidString)")
    url = folder.appending(path: damaged.lastPathComponent)
    try FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    do {
      outcome = try StoreSalvage(storeAt: damaged, model: model, to: url).perform()
    } catch {
      // The reason of the failure is what people need.
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  deinit {
    // A folder that stays is among the temporary files.
    try? FileManager.default.removeItem(at: folder)
  }

  /// A line for each table that is not whole.
  var losses: [String] { outcome.tables.filter { !$0.isComplete }.map(\.text) }

  /// The words for a command that is done with what could be read.
  func refusal(_ done: String) -> Refusal {
    let tables =
      losses.isEmpty
      ? ["Every row could be read."] : ["These tables are not whole:"] + losses
    return Refusal(
      (["\(damaged.path) is damaged, and what can be read of it was \(done)."] + tables
        + ["coredata repair --salvage says more."]).joined(separator: "\n")
    )
  }

  /// Whether SQLite finds a page of a file that is not what it should be.
  static func isNeeded(for store: URL) -> Bool {
    // A pipe would be waited for.
    guard OtherFile(at: store) == nil, StoreFileType(of: store) == .sqlite else { return false }
    // A connection that only reads would leave the file of a log beside a store that nobody has open.
    let isAtRest = ["-wal", "-journal"].allSatisfy {
      !FileManager.default.fileExists(atPath: store.path + $0)
    }
    if isAtRest, !isDamaged(store, mode: .immutable) { return false }
    // Another program may have written meanwhile.
    return isDamaged(store, mode: .readOnly)
  }

  private static func isDamaged(_ store: URL, mode: Connection.Mode) -> Bool {
    do throws(SQLiteError) {
      let connection = try Connection(path: store.path, mode: mode)
      return try connection.text("PRAGMA quick_check(1)") != "ok"
    } catch {
      return error.primaryCode == 11
    }
  }
}
