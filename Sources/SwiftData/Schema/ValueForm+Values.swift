import CoreData
import Foundation

// MARK: - From Swift to Core Data

extension ValueForm {
  /// The object that Core Data takes for a value that may be `nil`.
  func boxed(optional value: Any, name: String) -> Any? {
    if let optional = value as? any AnyOptionalType {
      return optional.wrappedValue.flatMap { boxed(optional: $0, name: name) }
    }
    return boxed(value, name: name)
  }

  /// The object that Core Data takes for a value: a composite's as a dictionary.
  func boxed(_ value: Any, name: String) -> Any {
    switch self {
    case .plain:
      return (value as? any PlainValue)?.boxed ?? value
    case .rawValues:
      guard let representable = value as? any RawRepresentable else { return value }
      return [name: Self.rawValue(of: representable)]
    case .cases(let names):
      let index = Self.index(ofCase: value)
      return [names[index]: names[index]]
    case .structure(let shape):
      return Self.elements(of: value, shape)
    case .json:
      guard let encodable = value as? any Encodable else { return value }
      do {
        return try JSONEncoder().encode(encodable)
      } catch {
        stop("a value of \(type(of: value)) for \(name) cannot be encoded as JSON: \(error)")
      }
    case .transformed, .unstored:
      return value
    }
  }

  private static func index(ofCase value: Any) -> Int {
    func open<Value>(_ value: Value) -> Int { EnumCases.index(of: value) }
    return _openExistential(value, do: open)
  }

  private static func elements(of value: Any, _ shape: StructureShape) -> [String: Any] {
    func open<Value>(_ value: Value) -> [String: Any] { shape.elements(of: value) }
    return _openExistential(value, do: open)
  }

  static func rawValue<Value: RawRepresentable>(of value: Value) -> Any {
    (value.rawValue as? any PlainValue)?.boxed ?? value.rawValue
  }
}

// MARK: - From Core Data to Swift

extension ValueForm {
  /// The value of an object of Core Data; `nil` if it is of another type.
  func value<Value>(of boxed: Any, as type: Value.Type, name: String) -> Value? {
    switch self {
    case .plain(let plain):
      return plain.init(boxed: boxed) as? Value
    case .rawValues(let raw):
      guard let elements = boxed as? [String: Any], let given = elements[name],
        let value = raw.init(boxed: given), let type = type as? any RawRepresentable.Type
      else { return nil }
      return Self.make(type, value) as? Value
    case .cases(let names):
      guard let elements = boxed as? [String: Any],
        let index = names.firstIndex(where: { elements[$0] != nil })
      else { return nil }
      return EnumCases.value(index, of: type)
    case .structure(let shape):
      return (boxed as? [String: Any]).flatMap { shape.value(of: $0, as: type) }
    case .json(let codable):
      guard let data = boxed as? Data else { return nil }
      // Bytes of another type are like no value, and the property says which it misses.
      return (try? JSONDecoder().decode(codable, from: data)) as? Value
    case .transformed, .unstored:
      return boxed as? Value
    }
  }

  /// The same for a type that is known at run time only.
  func value(of boxed: Any, as type: Any.Type, name: String) -> Any? {
    func open<Value>(_ type: Value.Type) -> Any? {
      let value: Value? = self.value(of: boxed, as: type, name: name)
      return value.map { $0 as Any }
    }
    return _openExistential(type, do: open)
  }

  private static func make<Value: RawRepresentable>(_: Value.Type, _ raw: Any) -> Value? {
    (raw as? Value.RawValue).flatMap(Value.init(rawValue:))
  }
}
