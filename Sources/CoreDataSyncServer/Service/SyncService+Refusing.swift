import CoreDataSQLite
import Foundation

// MARK: - What goes wrong

extension SyncService {
  /// What a device is told of an error; where it is for the server's owner to mend, he is told too.
  package func refusal(for error: any Error) -> ServiceRefusal {
    if Self.isOfFullDisk(error) {
      owner.tell(
        """
        The disk with what the server keeps is full. Make room on it; what devices could not send is with them, and \
        comes then.
        """,
        at: clock()
      )
      return .fullDisk
    }
    if let refusal = error as? ServiceRefusal { return refusal }
    let sentence = "The server cannot read or write what it keeps: \(error)"
    owner.tell(sentence, at: clock())
    return ServiceRefusal(500, sentence)
  }

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
  /// What arrived is in no part there.
  package static let fullDisk = ServiceRefusal(
    507,
    """
    The server's disk is full, and it can take nothing down. What is written here waits, and is sent when there is \
    room on the server's machine; nothing of it is lost.
    """
  )
}
