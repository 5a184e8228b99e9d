import CoreDataSQLite
import Foundation
import Synchronization

// MARK: - What goes wrong

extension SyncService {
  /// Tells the server's owner something, once a minute at most.
  package func tellOwner(_ sentence: String) { owner.tell(sentence, at: clock()) }

  /// The reason why the storage is not well: it cannot be read, or has refused something in the last minute and taken
  /// nothing since.
  ///
  /// After that minute something is written, by which one learns whether it can be.
  package func illness() -> ServiceRefusal? {
    do {
      _ = try zones.zoneNames()
      guard let last = trouble.withLock({ $0 }) else { return nil }
      let now = clock()
      guard now >= last.time, now - last.time > 60_000 else { return last.refusal }
      try zones.rewrite()
      trouble.withLock { $0 = nil }
      return nil
    } catch {
      return refusal(for: error)
    }
  }

  /// Notes a refusal that is about the storage.
  private func noted(_ refusal: ServiceRefusal) -> ServiceRefusal {
    trouble.withLock { $0 = (refusal, clock()) }
    return refusal
  }

  /// The refusal that a device gets for an error; if the server's owner has to mend it, the owner's
  /// log gets it too.
  package func refusal(for error: any Error) -> ServiceRefusal {
    if Self.isOfFullDisk(error) {
      tellOwner(FileSizeLimit.isSet ? Self.reachedLimit : Self.lackOfRoom)
      return noted(.fullDisk)
    }
    if let refusal = error as? ServiceRefusal { return refusal }
    // A database's message names tables and files, which are for its owner.
    let isDamaged = (error as? SQLiteError)?.isOfDamagedFile == true
    let advice = isDamaged ? ". Stop the server, and start it once with --salvage" : ""
    owner.tell("What the server keeps cannot be read or written: \(error)\(advice)", at: clock())
    return noted(.unusableStorage)
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
