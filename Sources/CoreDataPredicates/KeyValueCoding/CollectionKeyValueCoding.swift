public import Foundation

// Foundation on Linux does not have key-value coding. Its collections get it here, as far as they have it on
// Apple's systems; managed objects have their own.

/// An object that takes values by key, such as a managed object.
package protocol KeyValueWritable: AnyObject {
  func setKeyValue(_ value: Any?, forKey key: String)
}

extension NSArray {
  /// Returns the values that the elements have for a key.
  ///
  /// The program stops if an element does not have the key.
  ///
  /// - Parameter key: The name of a property, or an operator such as `@count`.
  /// - Returns: An array with one value for each element, which can be a collection, and `NSNull` for elements without a
  ///   value; for an operator, its result for the whole array.
  public func value(forKey key: String) -> Any { KeyValues.read([key], of: self) ?? NSNull() }

  /// Returns the values at the end of a key path in every element, or the result of an operator such as `@max.stars`.
  ///
  /// The program stops if an element does not have a key of the path.
  ///
  /// - Parameter path: The names of properties with dots between them, or an operator and such names.
  /// - Returns: The values, or the operator's result. It is `nil`, with a line in the log, if the operator cannot be applied
  ///   to the values, as in a sum of texts.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// Sets a value for a key in every element.
  ///
  /// Dictionaries among the elements are changed in a mutable array only, because Foundation on Linux returns copies of
  /// them; the changed copies take their places.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove it.
  ///   - key: The name of a property.
  public func setValue(_ value: Any?, forKey key: String) {
    for index in 0..<count {
      let element = object(at: index)
      if let list = self as? NSMutableArray, let dictionary = KeyValues.changeable(element) {
        dictionary.setValue(value, forKey: key)
        list.replaceObject(at: index, with: dictionary)
      } else {
        KeyValues.write(value, forKey: key, to: element)
      }
    }
  }

  /// Sets a value at the end of a key path in every element.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove it.
  ///   - path: The names of properties with dots between them.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    KeyValues.write(value, forKeyPath: path, to: self)
  }
}

extension NSSet {
  /// Returns the values that the elements have for a key.
  ///
  /// The program stops if an element does not have the key.
  ///
  /// - Parameter key: The name of a property, or an operator such as `@count`.
  /// - Returns: A set with the values, which can be collections; for an operator, its result for the whole set.
  public func value(forKey key: String) -> Any { KeyValues.read([key], of: self) ?? NSNull() }

  /// Returns the values at the end of a key path in every element, or the result of an operator such as `@max.stars`.
  ///
  /// The program stops if an element does not have a key of the path.
  ///
  /// - Parameter path: The names of properties with dots between them, or an operator and such names.
  /// - Returns: The values, or the operator's result. It is `nil`, with a line in the log, if the operator cannot be applied
  ///   to the values, as in a sum of texts.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// Sets a value for a key in every element.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove it.
  ///   - key: The name of a property.
  public func setValue(_ value: Any?, forKey key: String) {
    for element in self { KeyValues.write(value, forKey: key, to: element) }
  }

  /// Sets a value at the end of a key path in every element.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove it.
  ///   - path: The names of properties with dots between them.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    KeyValues.write(value, forKeyPath: path, to: self)
  }
}

extension NSOrderedSet {
  /// Returns the values that the elements have for a key.
  ///
  /// The program stops if an element does not have the key.
  ///
  /// - Parameter key: The name of a property, or an operator such as `@count`.
  /// - Returns: An ordered set with the values, which can be collections, in the order of the elements; for an operator, its
  ///   result for the whole set.
  public func value(forKey key: String) -> Any { KeyValues.read([key], of: self) ?? NSNull() }

  /// Returns the values at the end of a key path in every element, or the result of an operator such as `@max.stars`.
  ///
  /// The program stops if an element does not have a key of the path.
  ///
  /// - Parameter path: The names of properties with dots between them, or an operator and such names.
  /// - Returns: The values, or the operator's result. It is `nil`, with a line in the log, if the operator cannot be applied
  ///   to the values, as in a sum of texts.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// Sets a value for a key in every element.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove it.
  ///   - key: The name of a property.
  public func setValue(_ value: Any?, forKey key: String) {
    for element in self { KeyValues.write(value, forKey: key, to: element) }
  }

  /// Sets a value at the end of a key path in every element.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove it.
  ///   - path: The names of properties with dots between them.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    KeyValues.write(value, forKeyPath: path, to: self)
  }
}

extension NSDictionary {
  /// Returns the value at the end of a key path.
  ///
  /// - Parameter path: Keys with dots between them. Each is a key of this dictionary, or of a dictionary or an object in it.
  /// - Returns: The value, or `nil` if there is none.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// Returns the values of several keys.
  ///
  /// - Parameter keys: The keys.
  /// - Returns: The values by key, with `NSNull` for keys without a value.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }
}

extension NSMutableDictionary {
  /// Sets the value of a key.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove the key.
  ///   - key: The key.
  public func setValue(_ value: Any?, forKey key: String) {
    if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key) }
  }

  /// Sets a value at the end of a key path.
  ///
  /// Nothing happens if there is no object at the beginning of the path. A dictionary in this one is replaced by a changed
  /// copy, because Foundation on Linux returns copies.
  ///
  /// - Parameters:
  ///   - value: The new value, or `nil` to remove it.
  ///   - path: Keys with dots between them.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    let keys = path.keys
    guard let first = keys.first, keys.count > 1 else { return setValue(value, forKey: path) }
    guard let inner = object(forKey: first as NSString) else { return }
    let rest = keys.dropFirst().joined(separator: ".")
    if let dictionary = KeyValues.changeable(inner) {
      dictionary.setValue(value, forKeyPath: rest)
      setObject(dictionary, forKey: first as NSString)
    } else {
      KeyValues.write(value, forKeyPath: rest, to: inner)
    }
  }

  /// Sets the values of several keys.
  ///
  /// - Parameter values: The new values by key. `NSNull` removes a key.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values { setValue(value is NSNull ? nil : value, forKey: key) }
  }
}

// MARK: - Reading and writing

extension KeyValues {
  /// The value at the end of a path, where nobody can catch an error.
  ///
  /// A key that an object does not have stops the program; if values do not fit, as in a sum of texts, the result is
  /// `nil` and the log says why.
  package static func read(_ names: [String], of object: Any) -> Any? {
    do {
      return try value(ofPath: names[...], in: object, .kept).asObject
    } catch {
      let path = names.joined(separator: ".")
      guard !error.isMistake else { fatalError("cannot read \"\(path)\": \(error)") }
      error.say(in: path, instead: "It has no value.")
      return nil
    }
  }

  /// A copy of a dictionary that can be changed; nil for anything else.
  fileprivate static func changeable(_ value: Any) -> NSMutableDictionary? {
    guard ValueDictionary(value) != nil, let dictionary = value as? NSDictionary else { return nil }
    return NSMutableDictionary(dictionary: dictionary as? [AnyHashable: Any] ?? [:])
  }

  fileprivate static func write(_ value: Any?, forKeyPath path: String, to object: Any) {
    guard let key = path.keys.last else { return }
    let owners = path.keys.dropLast()
    if owners.isEmpty {
      write(value, forKey: key, to: object)
    } else if let owner = read(Array(owners), of: object) {
      write(value, forKey: key, to: owner)
    }
  }

  fileprivate static func write(_ value: Any?, forKey key: String, to object: Any) {
    switch object {
    case let object as any KeyValueWritable: object.setKeyValue(value, forKey: key)
    case let dictionary as NSMutableDictionary: dictionary.setValue(value, forKey: key)
    case let list as NSArray: list.setValue(value, forKey: key)
    default:
      guard let members = ValueCollection(object) else {
        if object is NSNull { return }
        fatalError(
          "cannot set \"\(key)\" of \(Operand(object)): only managed objects, collections of them and "
            + "dictionaries in mutable arrays and dictionaries take values by key here"
        )
      }
      for case let element? in members.elements { write(value, forKey: key, to: element) }
    }
  }
}

extension Any? {
  /// A value as Objective-C would hand it out: numbers as `NSNumber`, which casts to every type that
  /// holds them, and collections as Foundation's or Swift's own.
  package var asObject: Any? {
    guard let value = outward else { return nil }
    if type(of: value) is any AnyObject.Type { return value }
    switch Operand(value) {
    // A decimal stays one, because nothing can hash an `NSDecimalNumber` here.
    case .number(.decimal): return value
    case .number: return value as? NSNumber ?? value
    case .nothing: return nil
    case .text, .date, .uuid, .url, .data, .collection, .dictionary, .object: return value
    }
  }
}
