import Foundation

/// A batch request that cannot be carried out; nothing has changed then.
enum BatchFailure: Hashable {
  case noEntity
  case abstract(entity: String)
  /// A key that is not a property of the entity, and the place of the key.
  case unknownProperty(String, entity: String, place: String)
  /// A property whose value no batch can set: why, and what helps.
  case unsettable(String, why: String, remedy: String)
  /// A value that the property does not take, as people write it.
  case wrongType(String, expected: String, value: String, place: String)
  /// An object that a to-one relationship cannot lead to.
  case wrongTarget(String, target: String, why: String, place: String, code: Int)
  /// An expression that computes what the property does not take.
  case wrongExpression(String, expected: String, expression: String, found: String)
  /// A row without a value that every row must have.
  case missing(String, place: String)
  case nothingToUpdate(entity: String)
  case severalEntities([String])
  /// A relationship with the rule Deny that leads from rows to be deleted to rows that stay.
  case denied(String, count: Int)
  /// A to-one relationship that is not optional and would become nil.
  case mandatory(String, count: Int)

  var error: NSError { error() }

  /// The error, with the property and the value concerned.
  func error(key: String? = nil, value: Any? = nil) -> NSError {
    var userInfo: [String: Any] = [:]
    userInfo[NSValidationKeyErrorKey] = key
    userInfo[NSValidationValueErrorKey] = value
    return text.error(code: code, userInfo: userInfo)
  }

  /// The failures of several stores in one error.
  static func error(
    of failures: [(store: NSPersistentStore, error: NSError)],
    among stores: [NSPersistentStore]
  ) -> NSError {
    let reasons = failures.map { store, error in
      "\(store.url?.lastPathComponent ?? store.type): \(error.localizedDescription)"
    }
    return FailureText(
      description: "The request failed in \(failures.count) of \(stores.count) stores.",
      reason: reasons.joined(separator: " "),
      suggestion: "Mend the causes and execute the request again, with these stores as its"
        + " affectedStores; the others have done it."
    ).error(
      code: NSPersistentStoreOperationError,
      userInfo: [
        NSDetailedErrorsKey: failures.map(\.error),
        NSAffectedStoresErrorKey: failures.map(\.store),
      ]
    )
  }
}

// MARK: - Codes

extension BatchFailure {
  private var code: Int {
    switch self {
    case .noEntity, .abstract, .unknownProperty, .unsettable, .nothingToUpdate, .severalEntities:
      NSCoreDataError
    case .wrongType: NSManagedObjectValidationError
    case .wrongTarget(_, _, _, _, let code): code
    case .wrongExpression: NSPersistentStoreUnsupportedRequestTypeError
    case .denied: NSValidationRelationshipDeniedDeleteError
    case .mandatory, .missing: NSValidationMissingMandatoryPropertyError
    }
  }
}

// MARK: - Words

extension BatchFailure {
  private var text: FailureText {
    switch self {
    case .noEntity:
      FailureText(
        description: "The request has no entity.",
        reason: "The fetch request of a batch deletion says which rows, and names no entity.",
        suggestion: "Set the fetch request's entity, or make it with an entity's name."
      )
    case .abstract(let entity):
      FailureText(
        description: "The rows cannot be inserted.",
        reason: "The entity \(entity) is abstract and has no rows of its own.",
        suggestion: "Insert rows of one of its subentities."
      )
    case .unknownProperty(let name, let entity, let place):
      FailureText(
        description: "“\(name)” is no property of \(entity).",
        reason: "\(place) has a value for “\(name)”, and \(entity) has no such property.",
        suggestion: "Correct the key, or leave it out."
      )
    case .unsettable(let property, let why, let remedy):
      FailureText(
        description: "\(property) cannot be set by a batch request.",
        reason: "\(property) \(why).",
        suggestion: remedy
      )
    case .wrongType(let property, let expected, let value, let place):
      FailureText(
        description: "\(property) is not valid.",
        reason: "\(property) takes \(expected), and \(place) has \(value).",
        suggestion: "Give \(property) a value of its type, or NSNull for none."
      )
    case .wrongTarget(let property, let target, let why, let place, _):
      FailureText(
        description: "\(property) cannot lead there.",
        reason: "\(place) has \(target) for \(property), which \(why).",
        suggestion: "Give the objectID of a saved object in the same store, or NSNull."
      )
    case .wrongExpression(let property, let expected, let expression, let found):
      FailureText(
        description: "\(property) cannot be computed so.",
        reason: "\(property) takes \(expected), and \(expression) is \(found).",
        suggestion: "Use an expression of the property's type."
      )
    case .missing(let property, let place):
      FailureText(
        description: "\(property) is missing.",
        reason: "\(property) is not optional and has no default, and \(place) has no value for it.",
        suggestion: "Give each row a value for \(property); no row was inserted."
      )
    case .nothingToUpdate(let entity):
      FailureText(
        description: "There is nothing to update.",
        reason: "The batch update of \(entity) has no propertiesToUpdate.",
        suggestion: "Set propertiesToUpdate to the new values, by the names of properties."
      )
    case .severalEntities(let names):
      FailureText(
        description: "The objects are of several entities.",
        reason: "A batch deletion was given identities of \(names.joined(separator: ", ")).",
        suggestion: "Make a request for each entity."
      )
    case .denied(let relationship, let count):
      FailureText(
        description: "The objects cannot be deleted.",
        reason:
          "\(relationship) has the delete rule Deny, and leads from \(rows(count)) to others.",
        suggestion: "Delete or move the objects in \(relationship) first."
      )
    case .mandatory(let relationship, let count):
      FailureText(
        description: "The objects cannot be deleted.",
        reason: "\(relationship) is not optional, and would become nil in \(rows(count)).",
        suggestion: "Delete those objects first, or let \(relationship) lead elsewhere."
      )
    }
  }

  private func rows(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }
}
