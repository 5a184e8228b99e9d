import Foundation
@_spi(Reflection) import Swift

/// Values for properties of models that only note which of them are read.
enum Placeholder {
  /// A value of a type; `nil` if none can be made without knowing the type.
  static func value<Value>(of type: Value.Type) -> Value? {
    if let optional = type as? any AnyOptionalType.Type { return optional.holding(nil) as? Value }
    if let integer = type as? any FixedWidthInteger.Type { return zero(integer) as? Value }
    if let model = type as? any PersistentModel.Type {
      return ModelBox.adopted(ModelType.of(model).recorder) as? Value
    }
    switch type {
    case is Bool.Type: return false as? Value
    case is Double.Type: return 0.0 as? Value
    case is Float.Type: return Float(0) as? Value
    case is Decimal.Type: return Decimal(0) as? Value
    case is String.Type: return "" as? Value
    case is Date.Type: return Date(timeIntervalSinceReferenceDate: 0) as? Value
    case is Data.Type: return Data() as? Value
    case is UUID.Type: return UUID() as? Value
    case is URL.Type: return URL(fileURLWithPath: "/") as? Value
    case let list as any EmptyCollection.Type: return list.empty as? Value
    case _: return made(type)
    }
  }

  private static func anyValue(of type: Any.Type) -> Any? {
    func open<Value>(_ type: Value.Type) -> Any? {
      let value: Value? = value(of: type)
      return value.map { $0 as Any }
    }
    return _openExistential(type, do: open)
  }

  private static func zero<Integer: FixedWidthInteger>(_: Integer.Type) -> Any { Integer.zero }

  /// A case of an enumeration, or a structure of such values.
  private static func made<Value>(_ type: Value.Type) -> Value? {
    if let cases = EnumCases(of: type) {
      return cases.payloadCount == 0 ? EnumCases.value(0, of: type) : nil
    }
    // A type that cannot be stored needs no placeholder.
    guard let shape = try? StructureShape(of: type) else { return nil }
    return shape.value(as: type) { anyValue(of: $0.type) }
  }
}

/// A collection that can be made without elements.
private protocol EmptyCollection {
  static var empty: Self { get }
}

extension Array: EmptyCollection {
  fileprivate static var empty: [Element] { [] }
}
extension Set: EmptyCollection {
  fileprivate static var empty: Set<Element> { [] }
}
extension Dictionary: EmptyCollection {
  fileprivate static var empty: [Key: Value] { [:] }
}
