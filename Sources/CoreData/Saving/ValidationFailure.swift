package import CoreDataModel
package import Foundation

/// A value that cannot be saved: which property, and which rule it breaks.
///
/// ```swift
/// throw ValidationFailure(.missingValue, key: "title", entity: "Note")
///   .error(object: note, value: nil)
/// ```
package struct ValidationFailure: Hashable, Sendable {
  package var rule: Rule
  package var key: String
  package var entity: String
  /// The model's words in the user's language, such as `ErrorString/title is too long.`.
  package var localization: [String: String] = [:]

  package init(_ rule: Rule, key: String, entity: String) {
    self.rule = rule
    self.key = key
    self.entity = entity
  }

  package enum Rule: Hashable, Sendable {
    case missingValue
    case tooFewObjects(count: Int, minimum: Int)
    case tooManyObjects(count: Int, maximum: Int)
    /// The relationship has the rule Deny, and objects.
    case deniedDelete(count: Int)
    /// The relationship leads to objects that the same save deletes.
    case deletedObjects(count: Int)
    /// The value is not of the attribute's type, which is told as people say it: "a whole number".
    case wrongType(expected: String)
    /// The date is not a number.
    case invalidDate
    /// A validation predicate of the model is not met.
    case predicate(String, ValidationSchema.Warning)
  }

  /// The error, with the object that is not valid and the value it has.
  package func error(
    object: Any,
    value: Any?,
    predicate: NSPredicate? = nil
  ) -> NSError {
    var userInfo: [String: Any] = [
      NSValidationObjectErrorKey: object,
      NSValidationKeyErrorKey: key,
    ]
    userInfo[NSValidationValueErrorKey] = value
    userInfo[NSValidationPredicateErrorKey] = predicate
    return localizedText(value: value).error(code: rule.code, userInfo: userInfo)
  }
}

extension ValidationFailure.Rule {
  package var code: Int {
    switch self {
    case .missingValue: NSValidationMissingMandatoryPropertyError
    case .tooFewObjects: NSValidationRelationshipLacksMinimumCountError
    case .tooManyObjects: NSValidationRelationshipExceedsMaximumCountError
    case .deniedDelete: NSValidationRelationshipDeniedDeleteError
    case .invalidDate: NSValidationInvalidDateError
    case .deletedObjects, .wrongType, .predicate(_, .message): NSManagedObjectValidationError
    case .predicate(_, .code(let code)): code
    }
  }
}

extension ValidationFailure.Rule {
  /// The condition that is violated; `nil` if it is code, which does not have a text that could be read again.
  var predicate: NSPredicate? {
    guard case .predicate(let format, _) = self else { return nil }
    return try? NSPredicate(parsing: format)
  }
}

// MARK: - Words

extension ValidationFailure {
  private func text(value: Any?) -> FailureText {
    let place = "\(entity).\(key)"
    return switch rule {
    case .missingValue:
      FailureText(
        description: "\(label) is a required value.",
        reason: "\(place) is not optional and has no value.",
        suggestion: "Give \(place) a value, or make it optional in the model."
      )
    case .tooFewObjects(let count, let minimum):
      FailureText(
        description: "Too few items in \(label).",
        reason: "\(place) has \(objects(count)); the least is \(minimum).",
        suggestion: "Add objects to \(place), or lower its minimum count in the model."
      )
    case .tooManyObjects(let count, let maximum):
      FailureText(
        description: "Too many items in \(label).",
        reason: "\(place) has \(objects(count)); the most is \(maximum).",
        suggestion: "Remove objects from \(place), or raise its maximum count in the model."
      )
    case .deniedDelete(let count):
      FailureText(
        description: "Items cannot be deleted from \(label).",
        reason: "\(place) has \(objects(count)), and its delete rule is Deny.",
        suggestion: "Delete or move the objects in \(place) first."
      )
    case .deletedObjects(let count):
      FailureText(
        description: "Dangling reference to an invalid object.",
        reason: "\(place) leads to \(objects(count)) that this save deletes.",
        suggestion: "Set \(place) to objects that are not deleted, or to nothing."
      )
    case .wrongType(let expected):
      FailureText(
        description: "\(label) is not valid.",
        reason: "\(place) takes \(expected), but has \(shown(value)).",
        suggestion: "Give \(place) a value of its type."
      )
    case .invalidDate:
      FailureText(
        description: "\(label) is not a date.",
        reason: "\(place) has a date whose seconds are not a number.",
        suggestion: "Give \(place) a date that was not computed from an undefined number."
      )
    case .predicate(let format, let warning):
      FailureText(
        description: description(of: warning),
        reason: "\(place) is \(shown(value)); the model asks for \(format).",
        suggestion: "Give \(place) a value that meets the condition, or change it in the model."
      )
    }
  }

  private func description(of warning: ValidationSchema.Warning) -> String {
    switch warning {
    case .message(let message): message
    case .code(NSValidationNumberTooLargeError): "\(label) is too large."
    case .code(NSValidationNumberTooSmallError): "\(label) is too small."
    case .code(NSValidationDateTooLateError): "\(label) is too late."
    case .code(NSValidationDateTooSoonError): "\(label) is too soon."
    case .code(NSValidationStringTooLongError): "\(label) is too long."
    case .code(NSValidationStringTooShortError): "\(label) is too short."
    case .code(NSValidationStringPatternMatchingError): "\(label) does not match its pattern."
    case .code: "\(label) is not valid."
    }
  }

  private func objects(_ count: Int) -> String {
    count == 0 ? "no objects" : count == 1 ? "1 object" : "\(count) objects"
  }

  private func shown(_ value: Any?) -> String {
    switch value {
    case nil: "nothing"
    case let text as String: "“\(text)”"
    case let value?: "\(value)"
    }
  }
}

// MARK: - Words in the user's language

extension ValidationFailure {
  /// The text, described as the model's localization has it.
  ///
  /// ```
  /// ErrorString/A note needs a title.  →  Eine Notiz braucht einen Titel.
  /// Property/title                     →  Titel    so: Titel is too long.
  /// ```
  fileprivate func localizedText(value: Any?) -> FailureText {
    var text = text(value: value)
    if localization.isEmpty { return text }
    let plain = ValidationFailure(rule, key: key, entity: entity).text(value: value).description
    text.description = localization["ErrorString/\(plain)"] ?? text.description
    return text
  }

  /// The property's name in a sentence.
  fileprivate var label: String {
    localization["Property/\(key)/Entity/\(entity)"] ?? localization["Property/\(key)"] ?? key
  }
}
