import Foundation

/// An attribute in a model that is described in Swift.
public struct ModelAttribute<Object: NSManagedObject> {
  let part: ModelPart

  /// Describes the attribute of a property.
  ///
  /// The model's type follows from the property's: `String`, `Int16`, `Date`, `Data`, `UUID`, `URL`,
  /// `Decimal` and so on, with or without a question mark. An enumeration or option set is kept by its raw
  /// value. An `NSNumber` can be any number, so `type` must be given; any other class or struct is
  /// transformable.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - type: The model's type, or `nil` for the one that follows from the property.
  ///   - isOptional: Whether the value may be nil when it is saved, or `nil` for what the property says.
  ///   - defaultValue: The value of new objects, or `nil`.
  ///   - isTransient: Whether the value is not saved.
  ///   - renamedFrom: The attribute's name in the version before, for migration.
  ///   - configure: Sets values for which there is no parameter, such as `allowsExternalBinaryDataStorage`.
  public init<Value>(
    _ keyPath: KeyPath<Object, Value>,
    _ type: NSAttributeType? = nil,
    isOptional: Bool? = nil,
    default defaultValue: Value? = nil,
    isTransient: Bool = false,
    renamedFrom: String? = nil,
    configure: ((NSAttributeDescription) -> Void)? = nil
  ) {
    let name = PropertyProbe.name(of: keyPath)
    let declared = DeclaredType(Value.self)
    guard let type = type ?? declared.attributeType else {
      stop("\(Object.self).\(name) is declared as \(Value.self); say which type of attribute it is")
    }
    self.init(name, type, isOptional: isOptional ?? declared.isOptional, isTransient: isTransient) {
      $0.renamingIdentifier = renamedFrom
      $0.defaultValue = DeclaredType.stored(defaultValue)
      if type == .transformableAttributeType {
        $0.valueTransformerName =
          NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        $0.attributeValueClassName = "\(declared.wrapped)"
      }
      configure?($0)
    }
  }

  /// Describes an attribute by its name.
  ///
  /// - Parameters:
  ///   - name: The attribute's name.
  ///   - type: The type of its values.
  ///   - isOptional: Whether the value may be nil when it is saved.
  ///   - defaultValue: The value of new objects, or `nil`.
  ///   - isTransient: Whether the value is not saved.
  ///   - configure: Sets values for which there is no parameter.
  public init(
    _ name: String,
    _ type: NSAttributeType,
    isOptional: Bool = true,
    default defaultValue: Any? = nil,
    isTransient: Bool = false,
    configure: ((NSAttributeDescription) -> Void)? = nil
  ) {
    part = ModelPart { entity, _ in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = isOptional
      attribute.isTransient = isTransient
      attribute.defaultValue = defaultValue
      configure?(attribute)
      entity.properties.append(attribute)
    }
  }
}

/// The facts about an attribute that follow from the type of its Swift property.
private struct DeclaredType {
  let wrapped: Any.Type
  let isOptional: Bool

  init(_ type: Any.Type) {
    let inner = (type as? any AnyOptional.Type)?.wrapped
    wrapped = inner ?? type
    isOptional = inner != nil
  }

  /// The type of the attribute; `nil` if the property allows any.
  var attributeType: NSAttributeType? {
    if let type = Self.types[ObjectIdentifier(wrapped)] { return type }
    if wrapped == NSNumber.self { return nil }
    if let type = wrapped as? any RawRepresentable.Type {
      return Self(Self.rawType(of: type)).attributeType
    }
    return .transformableAttributeType
  }

  private static func rawType<Value: RawRepresentable>(of _: Value.Type) -> Any.Type {
    Value.RawValue.self
  }

  private static let types: [ObjectIdentifier: NSAttributeType] = [
    ObjectIdentifier(Int16.self): .integer16AttributeType,
    ObjectIdentifier(Int32.self): .integer32AttributeType,
    ObjectIdentifier(Int64.self): .integer64AttributeType,
    ObjectIdentifier(Int.self): .integer64AttributeType,
    ObjectIdentifier(Double.self): .doubleAttributeType,
    ObjectIdentifier(Float.self): .floatAttributeType,
    ObjectIdentifier(Bool.self): .booleanAttributeType,
    ObjectIdentifier(String.self): .stringAttributeType,
    ObjectIdentifier(Date.self): .dateAttributeType,
    ObjectIdentifier(Data.self): .binaryDataAttributeType,
    ObjectIdentifier(UUID.self): .UUIDAttributeType,
    ObjectIdentifier(URL.self): .URIAttributeType,
    ObjectIdentifier(Decimal.self): .decimalAttributeType,
    ObjectIdentifier(NSDecimalNumber.self): .decimalAttributeType,
  ]

  /// A default as the model keeps it: of an enumeration the raw value.
  static func stored<Value>(_ value: Value?) -> Any? {
    guard let value = value.flatMap(SlotValue.unwrapped) else { return nil }
    return (value as? any RawRepresentable).map { rawValue(of: $0) } ?? value
  }

  private static func rawValue(of value: some RawRepresentable) -> Any { value.rawValue }
}
