import Foundation

/// Why a shape does not fit an object.
enum ShapeFailure {
  case noAttribute(String, path: String, entity: String?)
  case noObject(String, path: String, entity: String?)
  case notEncodable(String, type: String, entity: String?)
  case namelessKeyPath(String, entity: String?)

  var error: NSError {
    switch self {
    case .noAttribute(let name, let path, let entity):
      text(
        "\(entity ?? "The entity") has no attribute \(name), which the shape names in \(path).",
        "Name an attribute, or a key path that ends with one."
      )
    case .noObject(let name, let path, let entity):
      text(
        "\(entity ?? "The entity") has no relationship \(name) that leads to one object, which the shape names in \(path).",
        "Name a to-one relationship, or add a to-many relationship with following(_:as:)."
      )
    case .namelessKeyPath(let path, let entity):
      text(
        "\(path), which the shape of \(entity ?? "the entity") has, does not lead to a property of the model.",
        "Use the key path of a property that the model has, and load the model first."
      )
    case .notEncodable(let name, let type, let entity):
      text(
        "\(entity ?? "The entity").\(name) has a value of the type \(type), which cannot be encoded.",
        "Leave the attribute out, or offer a computed value."
      )
    }
  }

  private func text(_ reason: String, _ suggestion: String) -> NSError {
    FailureText(
      description: "The values of the objects cannot be read.",
      reason: reason,
      suggestion: suggestion
    ).error(code: NSPersistentStoreUnsupportedRequestTypeError)
  }
}
