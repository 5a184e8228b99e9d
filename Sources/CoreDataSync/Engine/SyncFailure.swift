import CoreData
import CoreDataSQLite
import Foundation

/// Why a store cannot be kept in step, in words.
package enum SyncFailure: Error, CustomStringConvertible {
  case newerSidecar(String)
  case olderSidecar(String)
  case unreadableSidecar(String, String)
  case changedSidecar(String)
  case noHistory(String)
  case unusableModel(String)
  case endlessChanges
  case clocksDisagree
  case nothingToTakeBackTo
  case endIsGone
  case neededIsGone
  case unusableLock(String, String)
  case usedElsewhere(String)
  case fullDisk(String)

  package var description: String {
    switch self {
    case .newerSidecar(let path):
      """
      \(path) was written by a newer version of this program. Use that version, or move the file away; \
      the store is then read anew.
      """
    case .olderSidecar(let path):
      """
      \(path) was written by an earlier version of this program, and is not read by this one as it is. Open the store \
      once with its program, which brings the file up to date.
      """
    case .unreadableSidecar(let path, let reason):
      """
      \(path) cannot be read (\(reason)). Look at its permissions and those of its folder; a file that is damaged is \
      made anew when it is moved away and the store is opened.
      """
    case .changedSidecar(let path):
      "A program has begun to write to \(path) while it was read. Ask again."
    case .noHistory(let path):
      """
      \(path) keeps no persistent history, without which changes cannot be found. Set \
      NSPersistentHistoryTrackingKey to true when the store is added.
      """
    case .unusableModel(let sentence): sentence
    case .endlessChanges:
      """
      The store is written to so often that incoming changes find no moment to be applied. They wait, \
      and are applied later.
      """
    case .clocksDisagree:
      """
      The server refuses changes as later than its clock, although they have its time. Look at the server's clock; \
      the changes wait.
      """
    case .nothingToTakeBackTo:
      """
      The value cannot be taken back: nothing is known of its object any more, the store refuses it, or the model does \
      not have the property any more.
      """
    case .endIsGone:
      """
      The value cannot be taken back: the object to which it leads was deleted. What is there now stays; dismiss the \
      conflict, or let the property lead to another object.
      """
    case .neededIsGone:
      """
      The value cannot be taken back: its object was deleted, and cannot come back without one that it needs and that \
      was deleted too, or beside one that has its unique values now. Make it anew, and dismiss the conflict.
      """
    case .unusableLock(let path, let reason):
      "\(path) cannot be made (\(reason)). Make its folder writable."
    case .usedElsewhere(let path):
      """
      Another program keeps \(path) in step at the moment. What is saved here goes out with what that program \
      sends.
      """
    case .fullDisk(let path):
      """
      The disk has no room for what keeps \(path) in step. What was saved stays, and nothing half arrives; make room, \
      and the exchange goes on by itself.
      """
    }
  }
}

extension SyncFailure {
  /// Does something with a store and its sidecar, and says in words where their disk is full, or the sidecar cannot be
  /// used.
  static func explaining<Result>(
    _ door: StoreDoor,
    sidecar path: String,
    _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as SQLiteError where error.hasNoRoom {
      throw fullDisk(door.store.url?.lastPathComponent ?? "the store")
    } catch let error as SQLiteError where error.isOfUnusableFile {
      // A store's error of this kind is reported as an error of Cocoa's.
      throw unreadableSidecar(path, error.message)
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw fullDisk(door.store.url?.lastPathComponent ?? "the store")
    }
  }
}

extension SQLiteError {
  /// Whether a file is damaged, is not a database, or cannot be opened or written.
  fileprivate var isOfUnusableFile: Bool { [3, 8, 11, 14, 26].contains(primaryCode) }
}
