import CoreDataSQLite
import Foundation
import Synchronization

// MARK: - What goes wrong

extension SyncService {
  /// Tells the server's owner something, once a minute at most.
  package func tellOwner(_ sentence: String) { owner.tell(sentence, at: clock()) }

  /// Refuses if the storage cannot be read, or could not be written the last time and still cannot be.
  package func requireHealth() throws {
    _ = try zones.zoneNames()
    guard trouble.withLock({ $0 }) else { return }
    try zones.rewrite()
    trouble.withLock { $0 = false }
  }

  /// The refusal that a device gets for an error; if the server's owner has to mend it, the owner's
  /// log gets it too.
  package func refusal(for error: any Error) -> ServiceRefusal {
    if Self.isOfFullDisk(error) {
      trouble.withLock { $0 = true }
      tellOwner(FileSizeLimit.isSet ? Self.reachedLimit : Self.lackOfRoom)
      return .fullDisk
    }
    if let refusal = error as? ServiceRefusal { return refusal }
    trouble.withLock { $0 = true }
    // A database's message names tables and files, which are for its owner.
    owner.tell("What the server keeps cannot be read or written: \(error)", at: clock())
    return .unusableStorage
  }

  private static let lackOfRoom = """
    The disk with what the server keeps is full. Make room on it; what devices could not send is with them, and \
    comes then.
    """

  private static let reachedLimit = """
    What the server keeps has no room: its disk is full, or a file would be larger than the system lets files of the \
    server be (ulimit -f). Make room, or start the server again with a higher limit; what devices could not send is \
    with them, and comes then.
    """

  private static func isOfFullDisk(_ error: any Error) -> Bool {
    switch error {
    case let refusal as ServiceRefusal: refusal == .fullDisk
    case let error as SQLiteError: error.hasNoRoom
    case let error as CocoaError: error.code == .fileWriteOutOfSpace
    default: false
    }
  }
}

extension ServiceRefusal {
  fileprivate static let unusableStorage = ServiceRefusal(
    500,
    """
    The server cannot read or write what it keeps, and has told its owner why. Changes wait, and are sent when it can.
    """
  )

  /// Nothing of the request was kept.
  package static let fullDisk = ServiceRefusal(
    507,
    """
    The server's disk is full, and it can take nothing down. What is written here waits, and is sent when there is \
    room on the server's machine; nothing of it is lost.
    """
  )
}
