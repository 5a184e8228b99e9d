import CoreDataSQLite
import Foundation

/// The health of a store: whether it can be read and written, and how much room it takes and has.
///
/// See ``NSPersistentStoreCoordinator/health(of:checksPages:)``.
public struct StoreHealth: Hashable, Sendable, Codable, CustomStringConvertible {
  /// A Boolean value that indicates whether the store can be read.
  public internal(set) var isReadable = true
  /// A Boolean value that indicates whether a save could begin.
  ///
  /// It is `false` if the user may not write the file, or if another process keeps it locked.
  public package(set) var isWritable = true
  /// The size of the store's file in bytes; 0 for a store without a file.
  public internal(set) var fileSize: Int64 = 0
  /// The size of the write-ahead log in bytes, or 0 if it does not exist.
  public internal(set) var logSize: Int64 = 0
  /// The number of bytes in the file that are free for new rows.
  public internal(set) var unusedSize: Int64 = 0
  /// The number of bytes that this user may still write on the volume, or `nil` for a store without a file.
  public internal(set) var freeSpace: Int64?
  /// A sentence for each problem that the store has or will have soon, with a remedy.
  ///
  /// The array is empty if there are no problems.
  public internal(set) var warnings: [String] = []

  package init() {}

  /// A Boolean value that indicates whether ``warnings`` is empty.
  public var isHealthy: Bool { warnings.isEmpty }

  /// The sizes and the warnings, a line for each.
  public var description: String {
    let sizes =
      "\(fileSize) bytes, log \(logSize) bytes, unused \(unusedSize) bytes"
      + (freeSpace.map { ", free on the volume \($0) bytes" } ?? "")
    return ([sizes] + warnings).joined(separator: "\n")
  }
}

extension StoreHealth {
  /// The sizes of a store's files, as the system has them.
  init(fileAt path: String) {
    fileSize = Self.size(path)
    logSize = Self.size(path + "-wal")
    freeSpace = Self.freeSpace(path)
  }

  private static func size(_ path: String) -> Int64 {
    var state = stat()
    return stat(path, &state) == 0 ? Int64(state.st_size) : 0
  }

  private static func freeSpace(_ path: String) -> Int64? {
    var state = statvfs()
    guard statvfs(path, &state) == 0 else { return nil }
    let (bytes, isTooLarge) = UInt64(state.f_bavail)
      .multipliedReportingOverflow(by: UInt64(state.f_frsize))
    return isTooLarge ? .max : Int64(clamping: bytes)
  }

  /// Warns of sizes that will become a problem.
  mutating func warnOfSizes() {
    if let freeSpace, freeSpace < max(Self.leastSpace, fileSize / 10) {
      warnings.append(
        "The volume has \(freeSpace) bytes left, and a save may need more. Make room there."
      )
    }
    if logSize > max(Self.largeLog, fileSize) {
      warnings.append(
        "The write-ahead log has \(logSize) bytes. A reader that stays at one moment, here or in another program, keeps"
          + " its pages there; end that, and call checkpoint(_:truncating:patience:)."
      )
    }
  }

  /// Warns of a reader that keeps pages in a long log.
  ///
  /// - Parameters:
  ///   - reader: The words for the reader.
  ///   - age: How long it has been at its moment.
  mutating func warnOfReader(_ reader: String, for age: Duration) {
    guard age >= .seconds(10), logSize > Self.keptLog else { return }
    warnings.append(
      "The write-ahead log has \(logSize) bytes, and \(reader) has been reading at one moment for"
        + " \(age.components.seconds) seconds. Until it is unpinned, saved, reset or released, the log grows with each save."
    )
  }

  private static let leastSpace: Int64 = 64 << 20
  private static let largeLog: Int64 = 64 << 20
  /// The size from which a log is a reason for a warning: it is kept below that while no reader stays at a moment.
  private static let keptLog: Int64 = 16 << 20
}

// MARK: - The results of operations

extension StoreHealth {
  /// Notes whether something can be read.
  package mutating func noteReading(_ body: (inout StoreHealth) throws -> Void) {
    do {
      try body(&self)
    } catch {
      isReadable = false
      warnings.append("It cannot be read: \(Self.words(error))")
    }
  }

  /// Notes whether something can be written.
  package mutating func noteWriting(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      isWritable = false
      warnings.append("It cannot be written: \(Self.words(error))")
    }
  }

  private static func words(_ error: any Error) -> String {
    if let error = error as? SQLiteError { return "\(error.message)." }
    let error = error as NSError
    return [error.localizedFailureReason, error.localizedRecoverySuggestion].compactMap(\.self)
      .joined(separator: " ")
  }
}
