import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The file as the system knows it: permissions and obstacles.
extension SQLiteFile {
  package var isWritable: Bool {
    if place.isReadOnly { return false }
    if isInMemory { return true }
    let files = FileManager.default
    guard files.isWritableFile(atPath: folder) else { return false }
    return !files.fileExists(atPath: path) || files.isWritableFile(atPath: path)
  }

  /// Tells why a store that was opened to be written is not.
  func explainPermissions() {
    ProgramLog.say(
      """
      warning: \(path), or the folder it is in, may not be written by this user. The store is \
      read-only; change the permissions to write, or open it with NSReadOnlyPersistentStoreOption.
      """
    )
  }

  /// Whether the file has a write-ahead log's format but no log: nobody has it open, so that it can be
  /// read without the files that readers of such a database make beside it.
  var isAtRest: Bool { !Self.hasLog(path) && Self.isLogged(path) }

  /// Whether the file is written through a log, by its header, or by the log that is there.
  ///
  /// A file with a log is not opened: closing it again would drop every lock that connections of this
  /// process hold on it, as the system's locks belong to a process and not to a connection.
  static func isLogged(_ path: String) -> Bool {
    if hasLog(path) { return true }
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    // A file that cannot be read shows that when it is opened.
    guard let header = try? file.read(upToCount: 20), header.count == 20 else { return false }
    return header[header.startIndex + 18] == 2
  }

  /// A remark on a file without tables whose log may be lost: a new store is only in its log.
  var wordsOnLostLog: String {
    guard !isInMemory, isAtRest else { return "" }
    return
      "; they may be in its write-ahead log, a file \((path as NSString).lastPathComponent)-wal,"
      + " which belongs beside it and is not there"
  }

  /// Whether the store has another UUID with its log than without.
  ///
  /// This also happens if one store has just been replaced by another, which is not a reason to refuse it.
  var hasLogOfAnother: Bool {
    guard !isInMemory, SQLiteError.hasLog(path) else { return false }
    do throws(SQLiteError) {
      let query: SQLFragment = "SELECT Z_UUID FROM Z_METADATA"
      // A file that is read as one which nobody changes is read without its log.
      guard let own = try Connection(path: path, mode: .immutable).text(query) else { return false }
      do throws(SQLiteError) {
        return try Connection(path: path, mode: .readOnly).text(query) != own
      } catch {
        // Not what another program, or the system, keeps us from reading.
        return [1, 11, 26].contains(error.primaryCode)
      }
    } catch {
      return false
    }
  }

  private static func hasLog(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "-wal")
  }

  /// SQLite writes logs and journals there, so that a file in a folder that may not be written cannot be
  /// written either.
  private var folder: String { (path as NSString).deletingLastPathComponent }

  /// An obstacle found before SQLite is asked, which would only say "cannot open".
  package var obstacle: StoreFailure.Cause? {
    if isInMemory { return nil }
    let files = FileManager.default
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
      if place.isReadOnly { return .missingFile }
      guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
        return .opening(cannotOpen("the folder \(folder) does not exist"))
      }
      return files.isWritableFile(atPath: folder) ? nil : .unwritable
    }
    if isFolder.boolValue { return .opening(cannotOpen("there is a folder of that name")) }
    return files.isReadableFile(atPath: path) ? nil : .unreadable
  }

  private func cannotOpen(_ reason: String) -> SQLiteError {
    SQLiteError(code: 14, message: "cannot open the file: \(reason)")
  }
}
