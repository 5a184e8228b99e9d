import CoreData
import CoreDataSQLite
import Foundation

/// A repair that was not begun, or that came to nothing; the store is as it was.
struct RepairFailure {
  let cause: Cause
  let path: String

  enum Cause {
    /// Pages of the file cannot be read.
    case damagedFile
    /// The write-ahead log beside the file is another store's.
    case logOfAnother
    case sqlite(SQLiteError)
    /// The disk is full on which the new store is made.
    case noRoom
    /// The file to be made already exists.
    case targetExists
    /// The purpose of the tables is unknown.
    case noModel(String)
    /// The model that was given is not the store's, and how it differs.
    case otherModel(String)
    /// The file does not begin as a database does.
    case notADatabase
    /// Not even the list of tables can be read.
    case unsalvageable(SQLiteError)
  }

  init(_ cause: Cause, path: String) {
    self.cause = cause
    self.path = path
  }

  var error: NSError {
    switch cause {
    case .damagedFile:
      FailureText(
        description: "The store's file is damaged.",
        reason: "\(path): SQLite cannot read parts of it, and writing could destroy more.",
        suggestion: "Copy what can be read into a new store with --salvage NEWFILE."
      )
      .error(code: CocoaError.fileReadCorruptFile.rawValue)
    case .logOfAnother:
      FailureText(
        description: "The -wal file beside the store is another store's.",
        reason:
          "\(path) is sound without that log and damaged with it, and writing would move the log into the file.",
        suggestion:
          "Put its own -wal file beside it, or move this one away if the store was closed without one."
      )
      .error(code: CocoaError.fileReadCorruptFile.rawValue)
    case .sqlite(let error):
      FailureText(
        description: "The store could not be repaired; it is as it was.",
        reason: "\(path): \(error.description).",
        suggestion: [5, 6].contains(error.primaryCode)
          ? "Close the programs that use the store, and try again."
          : "Make room on the disk and see that the file may be written, and try again."
      )
      .error(code: NSPersistentStoreSaveError)
    case .noRoom:
      FailureText(
        description: "There is no room for the new store.",
        reason: "\(path) cannot be written, because the disk is full.",
        suggestion:
          "Make room there for the new store and for a copy of the damaged one, which is needed meanwhile; "
          + "or name another place."
      )
      .error(code: CocoaError.fileWriteOutOfSpace.rawValue)
    case .targetExists:
      FailureText(
        description: "There is a file already.",
        reason: "\(path) is there, and nothing is written over it.",
        suggestion: "Choose another name."
      )
      .error(code: CocoaError.fileWriteFileExists.rawValue)
    case .noModel(let reason):
      FailureText(
        description: "There is no model to read the store by.",
        reason: "\(path): \(reason).",
        suggestion: "Give the store's model with --model."
      )
      .error(code: NSPersistentStoreOpenError)
    case .otherModel(let difference):
      FailureText(
        description: "The store was made with another model.",
        reason: "\(path): \(difference).",
        suggestion:
          "Give the version of the model that the store was made with, or none, so that the "
          + "file's own model or tables are used."
      )
      .error(code: NSPersistentStoreIncompatibleVersionHashError)
    case .notADatabase:
      FailureText(
        description: "The file is not a database.",
        reason:
          "\(path) is something else, or encrypted, or its beginning is damaged: nothing of it can be"
          + " salvaged.",
        suggestion: "Choose another file, or put back a copy that is whole."
      )
      .error(code: CocoaError.fileReadCorruptFile.rawValue)
    case .unsalvageable(let error):
      FailureText(
        description: "Nothing of the store can be salvaged.",
        reason:
          "\(path): the list of its tables is on pages that cannot be read, or that are cut off"
          + " (\(error.message)).",
        suggestion:
          "Put back a copy that is whole, with the -wal file beside it: every backup of the "
          + "device or its app has one. No model can stand in for the list, so that --model does not "
          + "help here; what SQLite's own shell finds with .recover is rows without their tables."
      )
      .error(code: CocoaError.fileReadCorruptFile.rawValue)
    }
  }
}
