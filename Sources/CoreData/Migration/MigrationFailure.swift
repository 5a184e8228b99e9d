import CoreDataModel
import CoreDataModelChanges
package import CoreDataSQLite
import Foundation

/// A migration that was not done: why, and what would help.
///
/// The file is as it was.
package struct MigrationFailure: Error {
  let cause: Cause

  package init(_ cause: Cause) {
    self.cause = cause
  }

  /// All the obstacles to an inferred migration.
  init(obstacles: [ModelChange]) {
    let list = obstacles.compactMap { change -> Obstacle? in
      guard case .impossible(let reason, let remedy) = change.verdict else { return nil }
      return Obstacle(reason: reason, remedy: remedy)
    }
    self.init(.notInferable(list.uniqued))
  }

  package struct Obstacle: Hashable {
    let reason: String
    let remedy: String

    package init(reason: String, remedy: String) {
      self.reason = reason
      self.remedy = remedy
    }
  }

  package enum Cause {
    /// The model that the store was made with is neither in the program nor in the store.
    case missingSource(ModelDifference)
    /// The store's model is in the store alone, and the program's model lacks a place for some of the contents.
    case unknownLoss([CountedLoss])
    /// There is no mapping model, and none may be inferred.
    case missingMapping
    case notInferable([Obstacle])
    /// The store is mirrored elsewhere, by numbers that would change.
    case mirrored
    /// The file is not what its model says.
    case otherTables(lacks: [String])
    case readOnly(ModelDifference)
    /// Several rows have values that must be unique: the constraint, and some values.
    case duplicates(index: String, values: [String])
    case cancelled
    /// The rows differ from the plan; the file has been left as it was.
    case unexpected(String)
    case backup(path: String, reason: String)
    case sqlite(SQLiteError)
    /// A server has refused; `refusal` is `nil` if values are not unique.
    case server(refusal: NSError?, reason: String, advice: Advice)
  }
}

// MARK: - As errors

extension MigrationFailure {
  package func error(path: String, metadata: [String: Any]? = nil) -> NSError {
    var userInfo: [String: Any] = [NSFilePathErrorKey: path]
    userInfo[StoreFailure.metadataKey] = metadata
    switch cause {
    case .missingSource(let difference), .readOnly(let difference):
      userInfo[StoreFailure.storeHashesKey] = difference.storeHashes
      userInfo[StoreFailure.modelHashesKey] = difference.modelHashes
    case .notInferable(let obstacles):
      // One of them, as Apple has it; all of them are in the sentences.
      userInfo["reason"] = obstacles.first?.reason
    case .sqlite(let error) where !error.isDuplicate:
      return StoreFailure(.saving(error), path: path).error(metadata: metadata)
        .explained(as: text(path))
    case .server(let refusal?, _, _):
      return refusal.explained(as: text(path))
    case .unknownLoss, .missingMapping, .mirrored, .otherTables, .duplicates, .cancelled,
      .unexpected, .backup, .sqlite, .server:
      break
    }
    return text(path).error(code: code, userInfo: userInfo)
  }

  private var code: Int {
    switch cause {
    case .missingSource, .unknownLoss: NSMigrationMissingSourceModelError
    case .missingMapping: NSMigrationMissingMappingModelError
    case .notInferable, .mirrored: NSInferredMappingModelError
    case .otherTables: NSMigrationManagerSourceStoreError
    case .readOnly: NSPersistentStoreIncompatibleVersionHashError
    case .duplicates: NSMigrationConstraintViolationError
    case .sqlite(let error) where error.isDuplicate: NSMigrationConstraintViolationError
    case .server(nil, _, _): NSMigrationConstraintViolationError
    case .cancelled: NSMigrationCancelledError
    case .unexpected, .backup, .sqlite, .server: NSMigrationError
    }
  }

  private func text(_ path: String) -> FailureText {
    FailureText(
      description: "The store cannot be migrated.",
      of: path,
      reason,
      advice: advice
    )
  }

  private var reason: String {
    switch cause {
    case .missingSource(let difference):
      "none of the program's models is the one it was made with, and it has no model in it; "
        + difference.words
    case .unknownLoss(let losses):
      "none of the versions of the program's model is the one it was made with, which may be newer or"
        + " another program's, and these would be lost: "
        + losses.map { "\($0)" }.joined(separator: "; ")
    case .missingMapping:
      "there is no mapping model from its model to the program's, and none may be inferred"
    case .notInferable(let obstacles):
      obstacles.map(\.reason).joined(separator: "; ")
    case .mirrored:
      "it has tables of CloudKit's mirroring, which know objects by the numbers of their entities,"
        + " and the new model has other numbers"
    case .otherTables(let lacks):
      "its tables are not those of the model it says it was made with: it lacks "
        + lacks.prefix(5).joined(separator: ", ") + (lacks.count > 5 ? " and more" : "")
    case .readOnly(let difference):
      "it is of another version of the model and may not be written; "
        + difference.words
    case .duplicates(let index, let values):
      "several objects have the same values where the new model wants them to be unique (\(index)): "
        + values.joined(separator: "; ")
    case .cancelled:
      "its migration was cancelled"
    case .unexpected(let what):
      "after the migration \(what)"
    case .backup(let path, let reason):
      "a copy to fall back on could not be made at \(path): \(reason)"
    case .sqlite(let error):
      error.reason
    case .server(_, let reason, _):
      reason
    }
  }

  private var advice: Advice {
    switch cause {
    case .missingSource: .bringSourceModel
    case .unknownLoss: .confirmLoss
    case .missingMapping:
      "Set NSInferMappingModelAutomaticallyOption, or add a mapping model to the program."
    case .notInferable(let obstacles):
      .words(obstacles.map(\.remedy).uniqued.map(Advice.sentence).joined(separator: " "))
    case .mirrored:
      .words(
        "Name new entities so that they come after the others in the alphabet, or migrate on a system"
          + " of Apple's."
      )
    case .otherTables:
      "Check the file with coredata check."
    case .readOnly: .openForWriting
    case .duplicates:
      "Make the values different with the old model, and migrate then."
    case .cancelled:
      "The file is as it was; it can be migrated another time."
    case .unexpected:
      "The file is as it was; please report this with both models."
    case .backup: .makeRoomForBackup
    case .sqlite:
      "The file is as it was; mend the cause and try again."
    case .server(_, _, let advice):
      .preceded(by: "The tables are as they were.", advice)
    }
  }
}

extension NSError {
  /// The same error with other sentences.
  fileprivate func explained(as text: FailureText) -> NSError {
    text.error(code: code, userInfo: userInfo)
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, at its first place.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
