import CoreDataSQLite
import Foundation

/// The texts of the failures of stores.
extension StoreFailure {
  var text: FailureText {
    switch cause {
    case .unknownType(let type):
      FailureText(
        description: "There is no store type “\(type)”.",
        reason: "\(path) was to be opened as “\(type)”, which is not a type of store.",
        suggestion: type == StoreAddress.postgreSQLType
          ? "Import CoreDataPostgreSQL, of the product of that name, and use NSPostgreSQLStoreType."
          : "Use NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType or "
            + "NSInMemoryStoreType, or register a class for the type first."
      )
    case .otherType(let found, let expected):
      FailureText(
        description: "The store is of another type.",
        reason: "\(path) is of the type “\(found)”, and was to be opened as “\(expected)”.",
        suggestion: "Open it as “\(found)”, or choose another file."
      )
    case .missingFile where path.hasPrefix("postgresql://") || path.hasPrefix("postgres://"):
      FailureText(
        description: "The store does not exist.",
        reason: "\(path) is the address of a database, and no file.",
        suggestion: "Set the type to NSPostgreSQLStoreType, of the product CoreDataPostgreSQL."
      )
    case .missingFile:
      FailureText(
        description: "The store does not exist.",
        reason: MissingFile.link(at: path) ?? "There is no file at \(path).",
        suggestion: "Check the path; a store is only created when it may be written."
      )
    case .unreadable:
      FailureText(
        description: "The store cannot be read.",
        reason: "\(path) may not be read by this user.",
        suggestion: "Change the permissions of the file, or choose another file."
      )
    case .unwritable:
      FailureText(
        description: "The store cannot be written.",
        reason: "\(path), or the folder it is in, may not be written by this user.",
        suggestion: "Change the permissions of the file and its folder, or open it read-only."
      )
    case .notADatabase where SQLiteError.hasLog(path):
      FailureText(
        description: "The file is not a database that can be read.",
        reason: "\(path), read together with the -wal file beside it, is no database.",
        advice: SQLiteError.adviceForLog
      )
    case .notADatabase:
      FailureText(
        description: "The file is not a database.",
        reason:
          "\(path) is there, but is not a database that SQLite can read: it is something else, "
          + "or encrypted, or its beginning is damaged.",
        suggestion:
          "Choose another file, or put back a copy that is whole; this one was not changed."
      )
    case .notAStore(let lack):
      FailureText(
        description: "The file is not a Core Data store.",
        file: path,
        "is a database, but \(lack)",
        advice: "Choose another file; this one was not changed."
      )
    case .noModel:
      FailureText(
        description: "The store has no model in it.",
        file: path,
        "has no model cache, like stores from before iOS 9 and those that were salvaged without one",
        advice: .bringModel(rowsMayBeWhole: false)
      )
    case .damagedModel(let reason):
      FailureText(
        description: "The model in the store cannot be read.",
        file: path,
        "has a damaged model cache: \(reason)",
        advice: .bringModel(rowsMayBeWhole: true)
      )
    case .damagedMetadata:
      FailureText(
        description: "The store's metadata are damaged.",
        reason: "\(path) is a store, but has no metadata that can be read.",
        advice: .readRowsAlone
      )
    case .foreignLog:
      FailureText(
        description: "The write-ahead log beside the store is another store's.",
        reason:
          "\(path) and the -wal file beside it name different stores, and cannot be read together.",
        advice: SQLiteError.adviceForLog
      )
    case .newerFormat(let what):
      FailureText(
        description: "The store has a format that is not known here.",
        reason: "\(path) has \(what); it comes from a newer system, or is damaged.",
        advice: .readRowsAsTheyAre
      )
    case .otherModel(let difference):
      FailureText(
        description: "The model used to open the store is not the one it was made with.",
        of: path,
        difference.words,
        advice: .openWithItsModel
      )
    case .newerModel(let difference, let obstacle):
      FailureText(
        description: "The store has been migrated to a newer version of the program's model.",
        of: path,
        "\(difference.words). This program cannot go on, because \(obstacle)",
        advice: """
          Start the version of the program that has migrated the store; or bring the store back with coredata migrate \
          STORE --to MODEL.
          """
      )
    case .unknownConfiguration(let name):
      FailureText(
        description: "The store cannot be opened.",
        reason: "The model has no configuration \(name), which the store shall hold.",
        suggestion: "Name one of the model's configurations, or none for all entities."
      )
    case .underivable(let name, let reason):
      FailureText(
        description: "A derived attribute cannot be computed.",
        reason: "\(path): \(name) has an expression that gives no value: \(reason).",
        suggestion: "Correct the derivation expression: a key path such as folder.name, one with"
          + " an operator such as notes.@count, or a function such as canonical:(title) or now()."
      )
    case .added:
      FailureText(
        description: "The store is open already.",
        reason: "\(path) is the file of a store of this coordinator; it cannot be added twice.",
        suggestion:
          "Use the store that persistentStore(for:) gives, or remove it first. To open the"
          + " file a second time, take a coordinator of its own."
      )
    case .otherCoordinator:
      FailureText(
        description: "The store cannot be removed.",
        reason: "It is not one of this coordinator's stores.",
        suggestion: "Remove it from its own persistentStoreCoordinator."
      )
    case .untranslatable(let part, let problem, let remedy):
      FailureText(
        description: "The request has a part that the store cannot evaluate.",
        reason: "\(part): \(problem).",
        advice: remedy
      )
    case .unsupportedRequest(let request):
      FailureText(
        description: "The store cannot answer this kind of request.",
        reason: "\(path) was asked for \(request).",
        suggestion: "Use a request that the store supports, such as a fetch or a save."
      )
    case .opening(let error): unopened(error)
    case .reading(let error):
      FailureText(
        description: "The store could not be read.",
        of: path,
        error.reason,
        advice: error.advice(forStoreAt: path)
          ?? "Check that the file is whole, and that no other program changes its tables."
      )
    case .saving(let error) where error.isDuplicate:
      FailureText(
        description: "An object with the same unique values exists already.",
        of: path,
        error.words,
        advice: "Give the object other values, or change the object that has them."
      )
    case .saving(let error):
      FailureText(
        description: "The changes could not be saved.",
        of: path,
        error.reason,
        advice: .saveAgain(first: error.isBeyondBounds ? error.advice : nil)
      )
    }
  }

  private func unopened(_ error: SQLiteError) -> FailureText {
    let description = "The store could not be opened."
    let advice: Advice =
      error.advice(forStoreAt: path)
      ?? "Check that the path is right and the file a store that can be used."
    if let reason = MissingFile.link(at: path) {
      return FailureText(description: description, reason: reason, advice: advice)
    }
    if error.isOfUnfinishedSave {
      let journal = (path as NSString).lastPathComponent + "-journal"
      return FailureText(
        description: description,
        of: path,
        "a program ended in the middle of a save, and nobody has undone it yet, with the file"
          + " \(journal) beside it (\(error.words))",
        advice: advice
      )
    }
    return FailureText(description: description, of: path, error.reason, advice: advice)
  }
}
