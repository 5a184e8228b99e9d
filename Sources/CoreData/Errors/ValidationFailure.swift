package import CoreDataModel
import CoreDataPredicates
package import Foundation

/// A value that cannot be saved: which property, and which rule it breaks.
///
/// ```swift
/// throw ValidationFailure(.missingValue, entity: "Note", key: "title")
///   .error(object: note, value: nil)
/// ```
package struct ValidationFailure: Hashable {
  package var reason: Reason
  package var entity: String
  package var key: String

  package init(_ reason: Reason, entity: String, key: String) {
    self.reason = reason
    self.entity = entity
    self.key = key
  }

  package enum Reason: Hashable {
    case missingValue
    /// Fewer objects than the model's minimum.
    case tooFew(Int)
    /// More objects than the model's maximum.
    case tooMany(Int)
    /// The relationship has the rule Deny, and objects.
    case deniedDelete
    /// The value is not of the attribute's type, which is told as people say it: "a whole number".
    case wrongType(expected: String)
    /// A validation predicate of the model is not met.
    case predicate(NSPredicate, ValidationSchema.Warning)
  }

  /// The error, with the object that is not valid and the value it has: of a relationship the
  /// objects, or their number.
  package func error(object: Any, value: Any?) -> NSError {
    var userInfo: [String: Any] = [
      NSValidationObjectErrorKey: object,
      NSValidationKeyErrorKey: key,
    ]
    userInfo[NSValidationValueErrorKey] = value
    if case .predicate(let predicate, _) = reason {
      userInfo[NSValidationPredicateErrorKey] = predicate
    }
    return text(value).error(code: reason.code, userInfo: userInfo)
  }
}

extension ValidationFailure.Reason {
  package var code: Int {
    switch self {
    case .missingValue: NSValidationMissingMandatoryPropertyError
    case .tooFew: NSValidationRelationshipLacksMinimumCountError
    case .tooMany: NSValidationRelationshipExceedsMaximumCountError
    case .deniedDelete: NSValidationRelationshipDeniedDeleteError
    case .wrongType, .predicate(_, .message): NSManagedObjectValidationError
    case .predicate(_, .code(let code)): code
    }
  }
}

// MARK: - Several at once

extension ValidationFailure {
  /// What to throw for all the errors of a save; nil when there are none.
  ///
  /// ```
  /// none            nil
  /// one             the error itself
  /// more than one   1560, with all of them under NSDetailedErrorsKey
  /// ```
  ///
  /// An error that was made of several gives its parts, so that the list is always flat.
  package static func combined(_ errors: [NSError]) -> NSError? {
    let parts = errors.flatMap(parts)
    guard parts.count > 1 else { return parts.first }
    let text = FailureText(
      description: "Multiple validation errors occurred.",
      reason: parts.map(\.localizedDescription).joined(separator: "\n"),
      suggestion: "Mend each of the errors under NSDetailedErrorsKey."
    )
    return text.error(
      code: NSValidationMultipleErrorsError,
      userInfo: [NSDetailedErrorsKey: parts]
    )
  }

  private static func parts(of error: NSError) -> [NSError] {
    guard error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
    else { return [error] }
    return details.flatMap(parts)
  }
}

// MARK: - Words

extension ValidationFailure {
  private func text(_ value: Any?) -> FailureText {
    let place = "\(entity).\(key)"
    return switch reason {
    case .missingValue:
      FailureText(
        description: "\(key) is a required value.",
        reason: "\(place) is not optional and has no value.",
        suggestion: "Give \(place) a value, or make it optional in the model."
      )
    case .tooFew(let minimum):
      FailureText(
        description: "Too few items in \(key).",
        reason: "\(place) has \(objects(value)); the least is \(minimum).",
        suggestion: "Add objects to \(place), or lower its minimum count in the model."
      )
    case .tooMany(let maximum):
      FailureText(
        description: "Too many items in \(key).",
        reason: "\(place) has \(objects(value)); the most is \(maximum).",
        suggestion: "Remove objects from \(place), or raise its maximum count in the model."
      )
    case .deniedDelete:
      FailureText(
        description: "Items cannot be deleted from \(key).",
        reason: "\(place) has \(objects(value)), and its delete rule is Deny.",
        suggestion: "Delete or move the objects in \(place) first."
      )
    case .wrongType(let expected):
      FailureText(
        description: "\(key) is not valid.",
        reason: "\(place) takes \(expected), but has \(shown(value)).",
        suggestion: "Give \(place) a value of its type."
      )
    case .predicate(let predicate, let warning):
      FailureText(
        description: description(of: warning),
        reason: "\(place) is \(shown(value)); the model asks for \(predicate.spelling).",
        suggestion: "Give \(place) a value that meets the condition, or change it in the model."
      )
    }
  }

  private func description(of warning: ValidationSchema.Warning) -> String {
    switch warning {
    case .message(let message): message
    case .code(NSValidationNumberTooLargeError): "\(key) is too large."
    case .code(NSValidationNumberTooSmallError): "\(key) is too small."
    case .code(NSValidationDateTooLateError): "\(key) is too late."
    case .code(NSValidationDateTooSoonError): "\(key) is too soon."
    case .code(NSValidationStringTooLongError): "\(key) is too long."
    case .code(NSValidationStringTooShortError): "\(key) is too short."
    case .code(NSValidationStringPatternMatchingError): "\(key) does not match its pattern."
    case .code: "\(key) is not valid."
    }
  }

  private func objects(_ value: Any?) -> String {
    let count: Int? =
      switch value {
      case let count as Int: count
      case let set as NSSet: set.count
      case let list as NSOrderedSet: list.count
      case let list as [Any]: list.count
      case nil: 0
      case .some: nil
      }
    return switch count {
    case nil: "objects"
    case 0?: "no objects"
    case 1?: "1 object"
    case let count?: "\(count) objects"
    }
  }

  private func shown(_ value: Any?) -> String {
    switch value {
    case nil: "nothing"
    case let text as String: "“\(text)”"
    case let value?: "\(value)"
    }
  }
}
