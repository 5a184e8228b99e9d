import CoreDataSQLite
import Foundation
import Synchronization

/// The memory that SQLite may take for the files of a command.
///
/// A few bytes of SQL in a file, such as the expression of an index, can make a value of a gigabyte. The real content
/// of a file is never more than the file: each byte of it may be in memory a few times, as a page, a row and a value.
enum StatementMemory {
  /// More than two of the largest values that a row can hold.
  static let most: Int64 = 3 << 30

  /// The memory for sorting, caches of pages and the list of tables, besides values.
  private static let least: Int64 = 512 << 20
  private static let timesInMemory: Int64 = 4

  private static let sizes = Mutex<[String: Int64]>([:])

  /// Counts a file, and the log beside it, among those that the command reads.
  static func count(_ file: URL) {
    let bytes = ["", "-wal"].reduce(Int64(0)) { $0 + size(of: file.path + $1) }
    let all = sizes.withLock { sizes in
      sizes[file.path] = bytes
      return sizes.values.reduce(0, +)
    }
    let wanted = min(all, most) * timesInMemory + least
    Connection.setMemory(bytes: min(wanted, most))
  }

  private static func size(of path: String) -> Int64 {
    // A file that is not there has nothing in it; one that cannot be looked at is refused elsewhere.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }
}
