import CoreData
import CoreDataSQLite
import Foundation

/// Why a store cannot be kept in step, in words.
package enum SyncFailure: Error, CustomStringConvertible {
  case newerSidecar(String)
  case noHistory(String)
  case unusableModel(String)
  case endlessChanges
  case clocksDisagree
  case nothingToTakeBackTo
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
      The value cannot be taken back: its object was deleted, or the model does not have its property \
      any more.
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
  /// Does something with a store and its sidecar, and says in words where their disk is full.
  static func noticingFullDisk<Result>(
    of door: StoreDoor,
    _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as SQLiteError where error.hasNoRoom {
      throw fullDisk(door.store.url?.lastPathComponent ?? "the store")
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw fullDisk(door.store.url?.lastPathComponent ?? "the store")
    }
  }
}
