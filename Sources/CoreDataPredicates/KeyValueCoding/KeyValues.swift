import Foundation

/// An object that answers to keys, such as a managed object.
package protocol KeyValueReadable {
  func keyValue(_ key: String) -> Any?
}

/// Reads key paths from whatever stands in a predicate.
///
/// ```
/// folder.name            name of the folder
/// notes.title            a collection of titles, for a collection of notes
/// notes.@avg.stars       one number for the whole collection
/// ```
package enum KeyValues {
  package static func value(
    ofPath names: ArraySlice<String>,
    in base: Any?
  ) throws(EvaluationError) -> Any? {
    var value = base
    var rest = names
    while let name = rest.popFirst() {
      guard let object = value else { return nil }
      if name.utf8.first == UInt8(ascii: "@"), let collection = ValueCollection(object) {
        value = try collection.value(ofOperator: name, &rest)
      } else {
        value = try self.value(ofKey: name, in: object)
      }
    }
    return value
  }

  /// The value of one key.
  static func value(ofKey key: String, in wrapped: Any) throws(EvaluationError) -> Any? {
    if key == "self" { return wrapped }
    if let readable = wrapped as? any KeyValueReadable { return readable.keyValue(key) }
    if let dictionary = dictionary(wrapped) { return try dictionary.value(of: key) }
    guard let object = unwrapped(wrapped) else { return nil }
    switch Operand(object) {
    case .nothing:
      return nil
    case .collection(let collection):
      return try collection.map { element throws(EvaluationError) in
        try value(ofKey: key, in: element)
      }
    case let operand:
      if let value = operand.property(key) { return value }
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
    throw EvaluationError("\(operand) has no value for the key \"\(key)\"")
  }
}

extension Operand {
  var isNothing: Bool {
    if case .nothing = self { true } else { false }
  }
}

extension KeyValues {
  /// What an optional or an `AnyHashable` holds; any other value is itself.
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

// MARK: - Dictionaries

extension KeyValues {
  /// The value, when it is a dictionary of any make.
  static func dictionary(_ value: Any) -> (any KeyValueReadable)? {
    if type(of: value) is any AnyObject.Type {
      return (value as AnyObject as? NSDictionary).map(FoundationDictionary.init)
    }
    return (value as? any EntryListing)?.readable
  }
}

private struct FoundationDictionary: KeyValueReadable {
  let dictionary: NSDictionary

  func keyValue(_ key: String) -> Any? { dictionary.object(forKey: key as NSString) }
}

/// Swift's dictionaries, whatever they hold.
private protocol EntryListing {
  var readable: any KeyValueReadable { get }
}

extension Dictionary: EntryListing {
  fileprivate var readable: any KeyValueReadable { SwiftDictionary(dictionary: self) }
}

private struct SwiftDictionary<Key: Hashable, Value>: KeyValueReadable {
  let dictionary: [Key: Value]

  func keyValue(_ key: String) -> Any? {
    let typed = (key as? Key) ?? (AnyHashable(key) as? Key)
    return typed.flatMap { dictionary[$0] }
  }
}

extension KeyValueReadable {
  /// A dictionary has operators too, though a key of that name comes first.
  fileprivate func value(of key: String) throws(EvaluationError) -> Any? {
    switch (keyValue(key), key) {
    case (let value?, _): return value
    case (nil, "@count"): return count
    case (nil, _): return nil
    }
  }

  private var count: Int? {
    switch self {
    case let wrapper as FoundationDictionary: wrapper.dictionary.count
    case let wrapper as any Counting: wrapper.count
    default: nil
    }
  }
}

private protocol Counting {
  var count: Int { get }
}

extension SwiftDictionary: Counting {
  fileprivate var count: Int { dictionary.count }
}
