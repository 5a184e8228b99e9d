import CoreDataModel
import CoreDataModelChanges
import Foundation

/// The texts of failures of migrations with mapping models.
extension MappingFailure {
  var text: FailureText {
    FailureText(
      description: description,
      reason: reason,
      suggestion: suggestion
    )
  }

  private var description: String {
    switch self {
    case .notInferable: "No mapping model can be inferred."
    case .missingMapping: "There is no mapping model."
    case .cancelled: "The migration was cancelled."
    case .invalid: "Migrated objects are not valid."
    case .mismatch, .source, .sourceInMemory, .destination, .noPolicy, .unknownPolicy,
      .unknownFunction, .policy, .expression, .unfit, .replacing:
      "The store cannot be migrated."
    }
  }

  private var reason: String {
    switch self {
    case .notInferable(let changes):
      changes.obstacles.map(\.reason).joined(separator: "; ") + "."
    case .missingMapping:
      "The migration manager was asked to migrate without a mapping model."
    case .mismatch(let problems):
      "The mapping model is not one of these models: " + problems.joined(separator: "; ") + "."
    case .source(let path, let error):
      "The source \(path) cannot be used: \(error.sentence)"
    case .sourceInMemory:
      "The source is in memory, where nobody but its own coordinator sees its objects."
    case .destination(let path, let error):
      "The destination \(path) cannot be used: \(error.sentence)"
    case .noPolicy(let mapping):
      "The entity mapping \(mapping) is a custom one and names no class of a policy."
    case .unknownPolicy(let name, let mapping, let candidates) where candidates.isEmpty:
      "The entity mapping \(mapping) names the policy \(name), and there is no such class."
    case .unknownPolicy(let name, let mapping, let candidates):
      """
      The entity mapping \(mapping) names the policy \(name), which may be any of \
      \(candidates.joined(separator: ", ")).
      """
    case .unknownFunction(let selector, let policy):
      "An expression calls \"\(selector)\" of $entityPolicy, which \(policy) does not answer."
    case .policy(let policy, let mapping, let step, let error):
      "\(policy) has thrown in \(step) of the entity mapping \(mapping): \(error.sentence)"
    case .expression(let place, let reason):
      "The expression of \(place) has no value: \(reason)."
    case .unfit(let place, let problem, _):
      "\(place): \(problem)."
    case .invalid(let error):
      "They break a rule of the destination model: \(error.sentence)"
    case .cancelled(let path):
      "The migration of \(path) was cancelled before it was complete."
    case .replacing(let path, let error):
      "\(path) cannot be replaced by the migrated store: \(error.sentence)"
    }
  }

  private var suggestion: String {
    switch self {
    case .notInferable(let changes):
      changes.obstacles.map { $0.remedy.prefix(1).uppercased() + $0.remedy.dropFirst() + "." }
        .joined(separator: " ")
    case .missingMapping:
      "Pass one from a file, an inferred one, or one made in code."
    case .mismatch:
      "Use the mapping model that was made for both models, or make it anew from them."
    case .source:
      "Check that it is a store of the source model and may be read."
    case .sourceInMemory:
      "Save the objects in a file, with migratePersistentStore, and migrate that."
    case .destination:
      "Check that there is nothing or a store of the destination model, and room to write."
    case .noPolicy:
      "Set entityMigrationPolicyClassName, or another mappingType."
    case .unknownPolicy:
      "Name a subclass of NSEntityMigrationPolicy as Module.Class."
    case .unknownFunction:
      "Override value(forFunction:arguments:) in the policy and answer the selector there."
    case .policy:
      "Both stores are as they were; mend the cause and migrate again."
    case .expression:
      "Correct the expression in the mapping model."
    case .unfit(_, _, let remedy):
      remedy
    case .invalid:
      "Both stores are as they were; give the objects valid values in the mapping model or a policy."
    case .cancelled:
      "Both stores are as they were; migrate again when it suits."
    case .replacing:
      "The store is as it was; mend the cause and migrate again."
    }
  }
}

extension Error {
  /// The reason that an error gives, as a sentence.
  fileprivate var sentence: String {
    let error = self as NSError
    let isTold = error.userInfo[NSLocalizedDescriptionKey] != nil
    let parts =
      isTold
      ? [error.localizedDescription, error.localizedFailureReason].compactMap(\.self)
      : ["\(self)"]
    let text = parts.joined(separator: " ")
    return text.hasSuffix(".") ? text : text + "."
  }
}
