public import Foundation

// Foundation on Linux has no key-value coding. Its collections have it from here, as far as they have
// it on Apple's systems; managed objects have their own.

/// An object that takes values by key, such as a managed object.
package protocol KeyValueWritable: AnyObject {
  func setKeyValue(_ value: Any?, forKey key: String)
}

extension NSArray {
  /// What each element has for a key, with `NSNull` for those that have nothing; operators such as
  /// `@count` answer for the whole array.
  ///
  /// Where the elements have collections, the result has one for each element.
  /// An element that has no such key stops the program.
  public func value(forKey key: String) -> Any { KeyValues.read([key], of: self) ?? NSNull() }

  /// What the elements have at the end of a key path, or what an operator makes of it: `@max.stars`.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// Sets a value for a key in every element.
  ///
  /// Foundation on Linux hands out copies of the dictionaries in a collection: they are changed in a
  /// mutable array only, where the changed copies take their places.
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
  public func setValue(_ value: Any?, forKeyPath path: String) {
    KeyValues.write(value, forKeyPath: path, to: self)
  }
}

extension NSSet {
  /// The values that the elements have for a key; operators such as `@count` answer for the whole set.
  ///
  /// Where the elements have collections, these are the values.
  /// An element that has no such key stops the program.
  public func value(forKey key: String) -> Any { KeyValues.read([key], of: self) ?? NSNull() }

  /// What the elements have at the end of a key path, or what an operator makes of it: `@max.stars`.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// Sets a value for a key in every element.
  public func setValue(_ value: Any?, forKey key: String) {
    for element in self { KeyValues.write(value, forKey: key, to: element) }
  }

  /// Sets a value at the end of a key path in every element.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    KeyValues.write(value, forKeyPath: path, to: self)
  }
}

extension NSOrderedSet {
  /// The values that the elements have for a key, in their order; operators such as `@count` answer for
  /// the whole set.
  ///
  /// Where the elements have collections, these are the values.
  /// An element that has no such key stops the program.
  public func value(forKey key: String) -> Any { KeyValues.read([key], of: self) ?? NSNull() }

  /// What the elements have at the end of a key path, or what an operator makes of it: `@max.stars`.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// Sets a value for a key in every element.
  public func setValue(_ value: Any?, forKey key: String) {
    for element in self { KeyValues.write(value, forKey: key, to: element) }
  }

  /// Sets a value at the end of a key path in every element.
  public func setValue(_ value: Any?, forKeyPath path: String) {
    KeyValues.write(value, forKeyPath: path, to: self)
  }
}

extension NSDictionary {
  /// What stands at the end of a key path, each key being one of a dictionary or of an object in it.
  public func value(forKeyPath path: String) -> Any? { KeyValues.read(path.keys, of: self) }

  /// The values of several keys, with `NSNull` for those that have none.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }
}

extension NSMutableDictionary {
  /// Puts a value under a key; nil takes the key away.
  public func setValue(_ value: Any?, forKey key: String) {
    if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key) }
  }

  /// Sets a value at the end of a key path.
  ///
  /// Foundation on Linux hands out copies of the dictionaries in a dictionary: the changed copy takes the
  /// place of the one that was there.
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

  /// Puts values under their keys; `NSNull` takes a key away.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values { setValue(value is NSNull ? nil : value, forKey: key) }
  }
}

// MARK: - Reading and writing

extension KeyValues {
  /// The value at the end of a path, where nobody can catch an error.
  ///
  /// A key that an object does not have stops the program; where values do not fit, as in a sum of
  /// texts, the result is nil and the log says why.
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
