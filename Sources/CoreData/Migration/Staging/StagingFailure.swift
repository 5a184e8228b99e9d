import Foundation

/// A staged migration that was not done, or not to its end.
enum StagingFailure: Error {
  /// A reference leads to no model, or to others.
  case missingModel(place: String, checksum: String, found: [String])
  /// The stages name a version whose model was not found.
  case unknownVersion(checksum: String)
  /// The store is of a version that the stages do not name.
  case unknownStore(path: String, checksum: String)
  /// The coordinator's model is of a version that the stages do not name.
  case unknownDestination(checksum: String)
  case backward(path: String)
  /// The store does not say of which version it is, in today's way.
  case oldMetadata(path: String)
}

extension StagingFailure {
  func error() -> NSError {
    var userInfo: [String: Any] = [:]
    switch self {
    case .unknownStore(let path, _), .backward(let path), .oldMetadata(let path):
      userInfo[NSFilePathErrorKey] = path
    case .missingModel, .unknownVersion, .unknownDestination:
      break
    }
    return FailureText(description: description, reason: sentence, suggestion: suggestion)
      .error(code: code, userInfo: userInfo)
  }

  private var code: Int {
    switch self {
    case .missingModel, .unknownVersion, .unknownStore, .unknownDestination:
      NSManagedObjectModelReferenceNotFoundError
    case .backward: NSStagedMigrationBackwardMigrationError
    case .oldMetadata: NSStagedMigrationFrameworkVersionMismatchError
    }
  }

  private var description: String {
    switch self {
    case .missingModel: "A model that a migration needs was not found."
    case .unknownVersion, .unknownStore: "The stages of the migration name an unknown version."
    case .unknownDestination: "The stages of the migration do not name the program's model."
    case .backward: "The store is of a later version than the program."
    case .oldMetadata: "The store is too old for a staged migration."
    }
  }

  /// The failure as a sentence, with names.
  var sentence: String {
    switch self {
    case .missingModel(let place, let checksum, let found):
      "The version \(checksum) is not there: \(place) "
        + (found.isEmpty
          ? "has no model that can be read." : "has \(found.joined(separator: ", ")).")
    case .unknownVersion(let checksum):
      "No model of the program, of the stages or in the store has the version \(checksum)."
    case .unknownStore(let path, let checksum):
      "\(path) is of the version \(checksum), which no stage names."
    case .unknownDestination(let checksum):
      "The coordinator's model is of the version \(checksum), which no stage names."
    case .backward(let path):
      "\(path) is of a version that stands after the coordinator's model in the stages."
    case .oldMetadata(let path):
      "The metadata of \(path) have no version hashes of today's kind, from which its version would be "
        + "known."
    }
  }

  private var suggestion: String {
    switch self {
    case .missingModel:
      "Check name, place and checksum of the reference."
    case .unknownVersion:
      "Add that version of the model to the program, or name it in a custom stage."
    case .unknownStore, .unknownDestination:
      "Add a stage with that checksum, at the place of the version."
    case .backward:
      "Open the store with the newer program."
    case .oldMetadata:
      "Open it once with its own model or by an automatic migration, without stages."
    }
  }
}
