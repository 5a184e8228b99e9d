import CoreDataSQLite
import Foundation

/// The meaning of SQLite's refusals for the owner of a store's file, and the remedies.
extension SQLiteError {
  /// SQLite's words, after the meaning if it is known.
  ///
  /// The statement, which may be as long as a model has properties, is in the underlying error.
  var reason: String {
    if isBeyondBounds || isOutOfTime { return message }
    return meaning.map { "\($0) (\(words))" } ?? words
  }

  /// SQLite's words without the statement.
  var words: String { "SQLite error \(code): \(message)" }

  var isReadOnlyDisk: Bool { systemNumber == EROFS }

  /// Whether a journal lies beside the file that a connection which only reads cannot play back.
  var isOfUnfinishedSave: Bool { code == 776 }

  /// Whether a sum of whole numbers has more than the 64 bits that SQLite adds in.
  private var isTooLargeNumber: Bool { primaryCode == 1 && message == "integer overflow" }

  private var meaning: String? {
    switch primaryCode {
    case 1 where isTooLargeNumber: "a number is too large"
    case 5, 6: "another program keeps it locked"
    case 7: "a value, or what is done with it, needs more memory than there is for it"
    case 8 where isOfOtherFile:
      "its file, or the -wal beside it, was removed or replaced while the store was open"
    case 8 where isOfUnfinishedSave:
      "a program ended in the middle of a save, which the -journal beside it undoes once somebody writes"
    case 8: "it may not be written"
    case 10 where isFullDisk, 14 where isFullDisk: "the disk is full"
    case 10 where isReadOnlyDisk, 14 where isReadOnlyDisk: "the disk is read-only"
    case 10: "the system could not read or write it"
    case 11: "it is damaged: some of its pages are not what they should be"
    case 13: "the disk is full"
    case 14 where sql != nil: "it, or a file that SQLite needs beside it, cannot be opened"
    case 26: "it is no database, or is encrypted, or its beginning is damaged"
    default: nil
    }
  }

  /// The advice for a file that is there, with or without a log.
  func advice(forStoreAt path: String) -> Advice? {
    if isOfUnfinishedSave { return .undoUnfinishedSave(path) }
    return [11, 26].contains(primaryCode) && Self.hasLog(path) ? Self.adviceForLog : advice
  }

  static func hasLog(_ path: String) -> Bool {
    // A log that is not there is as good as an empty one.
    let facts = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (facts?[.size] as? NSNumber)?.intValue ?? 0 > 0
  }

  /// SQLite believes whatever log lies beside a file, if only its checksums are right.
  static let adviceForLog: Advice = .words(
    "The -wal file beside it may belong to another store, or to an older copy of this one: put back the"
      + " two files that belong together. If there is no such copy, look at a copy of the file without"
      + " the -wal, or have what can still be read copied into a new store with coredata repair --salvage."
  )

  /// The advice; `nil` if none fits every operation.
  var advice: Advice? {
    switch primaryCode {
    case 1 where isTooLargeNumber:
      "Compute with smaller numbers."
    case 5, 6:
      .waitForOtherProgram
    case 8 where isOfOtherFile:
      "Put the files back in their place, and save again; or end the program and open the file that is there now."
    case _ where hasNoRoom:
      "Make room on the disk, and try again."
    case 10 where isReadOnlyDisk:
      nil
    case 10:
      "Check the disk; work on with a copy of the file and of the -wal file beside it."
    case 9 where isOutOfTime:
      .searchLess
    case 11 where isBeyondBounds:
      .words(
        "Run coredata check on the file, which names every such number, and coredata repair, which mends "
          + "them."
      )
    case 11, 26:
      .words(
        "Put back a copy that is whole, with the -wal file beside it; or have what can still be "
          + "read copied into a new store with coredata repair --salvage."
      )
    case 14 where sql != nil:
      "If there is a -wal file beside it, copy both into a folder that may be written, and open that."
    default:
      nil
    }
  }
}
