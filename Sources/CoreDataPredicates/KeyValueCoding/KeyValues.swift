import Foundation

/// An object that answers to keys, such as a managed object.
package protocol KeyValueReadable {
  func keyValue(_ key: String) throws(EvaluationError) -> Any?
}

/// The treatment of the collections that a key finds at the elements of a collection.
///
/// ```
/// folders.notes     joined: one collection with the notes of all folders, for predicates
///                   kept: a collection with the notes of each folder, for key-value coding
/// ```
package enum InnerCollections: Sendable {
  case joined, kept
}

/// Reads key paths from any value in a predicate.
///
/// ```
/// folder.name            name of the folder
/// notes.title            a collection of titles, for a collection of notes
/// notes.@avg.stars       one number for the whole collection
/// ```
package enum KeyValues {
  package static func value(
    ofPath names: ArraySlice<String>,
    in base: Any?,
    _ inner: InnerCollections = .joined
  ) throws(EvaluationError) -> Any? {
    var value = base
    var rest = names
    while let name = rest.popFirst() {
      guard let object = value else { return nil }
      if name.utf8.first == UInt8(ascii: "@"), let collection = members(of: object, key: name) {
        value = try collection.value(ofOperator: name, &rest, inner)
      } else {
        value = try self.value(ofKey: name, in: object, inner)
      }
    }
    return value
  }

  /// The value of one key.
  static func value(
    ofKey key: String,
    in wrapped: Any,
    _ inner: InnerCollections = .joined
  ) throws(EvaluationError) -> Any? {
    if key == "self" { return wrapped }
    if let readable = wrapped as? any KeyValueReadable { return try readable.answer(to: key) }
    if let dictionary = ValueDictionary(wrapped) { return dictionary.value(for: key) }
    guard let object = unwrapped(wrapped) else { return nil }
    switch Operand(object) {
    case .nothing:
      return nil
    case .collection(let collection):
      return try collection.map(inner) { element throws(EvaluationError) in
        try value(ofKey: key, in: element, inner)
      }
    case .dictionary(let dictionary):
      return dictionary.value(for: key)
    case let operand:
      if let value = operand.property(key) { return unwrapped(value) }
      return try reflected(key, in: object, operand)
    }
  }

  /// A stored property of a class or a structure, whatever its type.
  private static func reflected(
    _ key: String,
    in object: Any,
    _ operand: Operand
  ) throws(EvaluationError) -> Any? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let present = mirror {
      if let child = present.children.first(where: { $0.label == key }) {
        return unwrapped(child.value)
      }
      mirror = present.superclassMirror
    }
    if key == "description" { return "\(object)" }
    let problem = "\(operand) has no value for the key \"\(key)\""
    throw operand.decides(key) ? .mistake(problem) : EvaluationError(problem)
  }

  /// The values that an operator such as `@sum` runs through; a dictionary's own keys come first, then its values.
  private static func members(of object: Any, key: String) -> ValueCollection? {
    switch Operand(object) {
    case .collection(let collection): collection
    case .dictionary(let dictionary): dictionary.value(for: key) == nil ? dictionary.values : nil
    case .nothing, .number, .text, .date, .uuid, .url, .data, .object: nil
    }
  }
}

extension KeyValueReadable {
  /// No model has a key that begins like an operator, and a single object does not have members to run through.
  fileprivate func answer(to key: String) throws(EvaluationError) -> Any? {
    if key == "SELF" { return self }
    if key.utf8.first == UInt8(ascii: "@") {
      throw EvaluationError("\(Operand(self)) is no collection, which \(key) needs")
    }
    return try keyValue(key)
  }
}

extension Operand {
  var isNothing: Bool {
    if case .nothing = self { true } else { false }
  }

  /// Whether its class decides if there is such a key, so that an unknown one is a mistake; an operator such
  /// as `@count` only fits collections.
  fileprivate func decides(_ key: String) -> Bool {
    guard case .object(let object) = self else { return false }
    return type(of: object) is any AnyObject.Type && !key.hasPrefix("@")
  }
}

extension KeyValues {
  /// The content of an optional or an `AnyHashable`; any other value is itself.
  static func unwrapped(_ value: Any) -> Any? {
    if type(of: value) is any AnyObject.Type { return value }
    if let hashable = exactly(AnyHashable.self, value) { return unwrapped(hashable.base) }
    guard let optional = value as? any OptionalValue else { return value }
    return optional.valueIfAny.flatMap(unwrapped)
  }

  /// A cast that does not bridge or box.
  private static func exactly<Value>(_: Value.Type, _ value: Any) -> Value? {
    type(of: value) == Value.self ? value as? Value : nil
  }
}
