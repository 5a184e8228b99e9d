import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
package import Foundation
import Synchronization

/// Copies the readable part of a server's damaged file into a new one, which takes its place.
///
/// ```
/// zones.sqlite ─▶ a copy ─▶ zones, tokens, cells around the pages that cannot be read ─▶ a new file
///      └─▶ zones.sqlite.damaged-1, with its log: nothing happens to it
/// ```
///
/// Each zone then has one era, which no device knows: all devices read it from the beginning, and send what they have and
/// it lacks.
package struct ZoneSalvage {
  private let file: URL
  private var folder: URL { file.deletingLastPathComponent() }
  private var copy: URL { folder.appending(path: "zones.sqlite.reading") }
  private var unfinished: URL { folder.appending(path: "zones.sqlite.salvaged") }
  static let endings = ["", "-wal", "-shm", "-journal"]

  package init(of file: URL) { self.file = file }

  /// The contents of the new file.
  package struct Outcome: Sendable {
    /// The zones with their numbers of values.
    package var zones: [(name: String, cells: Int)] = []
    /// The values of zones whose names are lost, or whose seals are.
    package var leftOut = 0
    package var tokens = 0
    /// The name of the damaged file.
    package var kept = ""
  }

  /// Whether something in the file cannot be read, or is not what was written.
  package var isNeeded: Bool {
    get throws {
      guard FileManager.default.fileExists(atPath: file.path) else { return false }
      do {
        let connection = try Connection(path: file.path, mode: .readWrite)
        let version = try connection.integer("PRAGMA user_version" as SQLFragment) ?? 0
        // A newer server's file would lose what this one does not know.
        _ = try StorageVersion.isCurrent(version)
        return try connection.text("PRAGMA integrity_check(1)") != "ok"
      } catch let error as SQLiteError where error.isOfDamagedFile {
        return true
      }
    }
  }

  /// Makes the new file and puts it in the place of the damaged one.
  ///
  /// If this throws, the damaged file is where it was.
  package func perform() throws -> Outcome {
    removeAll(copy)
    removeAll(unfinished)
    defer {
      removeAll(copy)
      removeAll(unfinished)
    }
    try makeCopy()
    var outcome = Outcome()
    do {
      let storage = try SQLiteZoneStorage(path: unfinished.path)
      try fill(storage, &outcome)
      try storage.settle()
    }
    outcome.kept = try replace()
    return outcome
  }

  /// Reads the damaged copy, as far as it can be opened.
  private func fill(_ storage: SQLiteZoneStorage, _ outcome: inout Outcome) throws {
    do throws(SQLiteError) {
      let old = try DamagedZones(at: copy.path)
      try storage.connection.withLock { lent throws(SQLiteError) in
        try old.pour(into: lent.value, &outcome)
      }
    } catch {
      guard error.isOfDamagedFile else { throw error }
      // Nothing of it can be read; devices have the values.
    }
  }
}

// MARK: - Files

extension ZoneSalvage {
  private func makeCopy() throws {
    let files = FileManager.default
    for ending in ["", "-wal", "-journal"] where files.fileExists(atPath: file.path + ending) {
      try files.copyItem(atPath: file.path + ending, toPath: copy.path + ending)
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path + ending)
    }
    try lengthenCopy()
  }

  /// SQLite reads nothing of a database that is shorter than its first page says.
  private func lengthenCopy() throws {
    let handle = try FileHandle(forUpdating: copy)
    // The copy goes anyway.
    defer { try? handle.close() }
    guard let head = try handle.read(upToCount: 32), head.count == 32 else { return }
    let bytes = [UInt8](head)
    func number(_ range: Range<Int>) -> UInt64 {
      range.reduce(UInt64(0)) { ($0 << 8) | UInt64(bytes[$1]) }
    }
    let pageSize = number(16..<18) == 1 ? 65_536 : number(16..<18)
    let wanted = pageSize * number(28..<32)
    let length = try handle.seekToEnd()
    // A count that is damaged itself must not fill the disk.
    guard wanted > length, wanted < length + (1 << 30) else { return }
    try handle.truncate(atOffset: wanted)
  }

  /// Keeps the damaged file under another name, and returns that.
  ///
  /// The log goes before the new file comes, because it would be taken for the new file's.
  private func replace() throws -> String {
    let files = FileManager.default
    var number = 1
    while files.fileExists(atPath: file.path + ".damaged-\(number)") { number += 1 }
    let kept = file.path + ".damaged-\(number)"
    for ending in Self.endings where files.fileExists(atPath: file.path + ending) {
      try files.linkItem(atPath: file.path + ending, toPath: kept + ending)
    }
    for ending in Self.endings.dropFirst() where files.fileExists(atPath: file.path + ending) {
      try files.removeItem(atPath: file.path + ending)
    }
    guard rename(unfinished.path, file.path) == 0 else {
      throw ServiceRefusal(
        500,
        "\(file.path) cannot be replaced (\(String(cString: strerror(errno)))). What it was is in \(kept)."
      )
    }
    return kept
  }

  private func removeAll(_ place: URL) {
    for ending in Self.endings {
      // Most of them are not there.
      try? FileManager.default.removeItem(atPath: place.path + ending)
    }
  }
}

extension SQLiteError {
  /// Whether a file is damaged, or is not a database at all.
  var isOfDamagedFile: Bool { [11, 26].contains(primaryCode) }
}
