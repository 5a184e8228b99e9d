import CoreDataModel
import CoreDataModelChanges
import Foundation

/// A migration with a mapping model that was not done: the step at which it ended, and the reason.
///
/// Source and destination are as they were.
enum MappingFailure: Error {
  /// All the obstacles to inferring a mapping model.
  case notInferable([ModelChange])
  case missingMapping
  /// The mapping model is not one of these models.
  case mismatch([String])
  case source(path: String, any Error)
  case sourceInMemory
  case destination(path: String, any Error)
  case noPolicy(mapping: String)
  case unknownPolicy(String, mapping: String, candidates: [String])
  case unknownFunction(selector: String, policy: String)
  /// A policy has thrown an error of its own.
  case policy(String, mapping: String, step: String, any Error)
  /// An expression without a value.
  case expression(place: String, reason: String)
  /// A value that the property does not take.
  case unfit(place: String, problem: String, remedy: String)
  /// Objects that break the rules of the new model.
  case invalid(any Error)
  case cancelled(path: String)
  /// The new file cannot be put in the place of the old one.
  case replacing(path: String, any Error)
}

// MARK: - As errors

extension MappingFailure {
  func error() -> NSError {
    var userInfo: [String: Any] = [:]
    userInfo[NSUnderlyingErrorKey] = underlying
    userInfo[NSFilePathErrorKey] = path
    if case .notInferable(let changes) = self {
      // One of them, as Apple has it; all of them are in the sentences.
      userInfo["reason"] = changes.obstacles.first?.reason
    }
    return text.error(code: code, userInfo: userInfo)
  }

  private var code: Int {
    switch self {
    case .notInferable: NSInferredMappingModelError
    case .missingMapping: NSMigrationMissingMappingModelError
    case .source, .sourceInMemory: NSMigrationManagerSourceStoreError
    case .destination: NSMigrationManagerDestinationStoreError
    case .unknownPolicy, .unknownFunction, .policy: NSEntityMigrationPolicyError
    case .invalid: NSMigrationConstraintViolationError
    case .cancelled: NSMigrationCancelledError
    case .mismatch, .noPolicy, .expression, .unfit, .replacing: NSMigrationError
    }
  }

  private var underlying: (any Error)? {
    switch self {
    case .source(_, let error), .destination(_, let error), .policy(_, _, _, let error),
      .invalid(let error), .replacing(_, let error):
      error
    case .notInferable, .missingMapping, .mismatch, .sourceInMemory, .noPolicy, .unknownPolicy,
      .unknownFunction, .expression, .unfit, .cancelled:
      nil
    }
  }

  private var path: String? {
    switch self {
    case .source(let path, _), .destination(let path, _), .cancelled(let path),
      .replacing(let path, _):
      path
    case .notInferable, .missingMapping, .mismatch, .sourceInMemory, .noPolicy, .unknownPolicy,
      .unknownFunction, .policy, .expression, .unfit, .invalid:
      nil
    }
  }

  /// Whether an error says by its code already what became of a migration.
  static func isOne(_ error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == NSCocoaErrorDomain
      && (NSMigrationError...NSInferredMappingModelError).contains(error.code)
  }
}

extension [ModelChange] {
  /// Why a change cannot be inferred and what would help, each once.
  var obstacles: [(reason: String, remedy: String)] {
    var seen: Set<String> = []
    return compactMap { change in
      guard case .impossible(let reason, let remedy) = change.verdict,
        seen.insert("\(reason); \(remedy)").inserted
      else { return nil }
      return (reason, remedy)
    }
  }
}
