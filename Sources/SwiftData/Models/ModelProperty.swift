import CoreData
import Foundation

/// A property of a class of models.
struct ModelProperty {
  let name: String
  let metadata: Schema.PropertyMetadata
  /// The type of the property, which may be optional.
  let valueType: Any.Type
  /// The type without the optional.
  let storedType: Any.Type
  let content: Content
  let isConstant: Bool
  /// The property as rows know it; complete once the class's list is.
  var slot = ManagedSlot("")

  enum Content {
    case attribute(ValueForm)
    case toOne(any PersistentModel.Type)
    case toMany(any PersistentModel.Type)
    /// Values of this type cannot be stored; a schema of a container with the property stops the program.
    case refused(String)
  }

  init(_ metadata: Schema.PropertyMetadata, of type: any PersistentModel.Type) {
    name = metadata.name
    self.metadata = metadata
    valueType = Swift.type(of: metadata.keypath).valueType
    storedType = (valueType as? any AnyOptionalType.Type)?.wrappedType ?? valueType
    isConstant = metadata.isConstant
    content = Self.content(of: storedType, metadata)
  }

  private static func content(of type: Any.Type, _ metadata: Schema.PropertyMetadata) -> Content {
    if let model = type as? any PersistentModel.Type { return .toOne(model) }
    if let list = type as? any ModelList.Type, let model = list.modelType { return .toMany(model) }
    if (metadata.metadata as? Schema.Attribute)?.transformerName != nil {
      return .attribute(.transformed(type))
    }
    if (metadata.metadata as? Schema.Attribute)?.options.contains(.codable) == true,
      let codable = type as? any (Decodable & Encodable).Type
    {
      return .attribute(.json(codable))
    }
    do throws(UnstorableType) {
      return .attribute(try ValueForm(of: type))
    } catch {
      return .refused(error.reason)
    }
  }

  /// The form of an attribute; nil for relationships.
  var form: ValueForm? {
    switch content {
    case .attribute(let form): form
    case .refused: .unstored
    case .toOne, .toMany: nil
    }
  }

  /// The class to which a relationship leads.
  var destination: (any PersistentModel.Type)? {
    switch content {
    case .toOne(let type), .toMany(let type): type
    case .attribute, .refused: nil
    }
  }

  func isNamed(_ other: StaticString) -> Bool {
    name.utf8.count == other.utf8CodeUnitCount
      && other.withUTF8Buffer { name.utf8.elementsEqual($0) }
  }
}

/// An array, which may be one of models.
protocol ModelList {
  static var modelType: (any PersistentModel.Type)? { get }
}

extension Array: ModelList {
  static var modelType: (any PersistentModel.Type)? { Element.self as? any PersistentModel.Type }
}

/// A constant of a class, whose value is in the model's own memory.
struct ModelConstant {
  let property: ModelProperty
  let offset: Int
  let type: Any.Type

  init(_ property: ModelProperty, at offset: Int, _ type: Any.Type) {
    self.property = property
    self.offset = offset
    self.type = type
  }

  /// The value in a model.
  func value(in model: UnsafeRawPointer) -> Any { TypedMemory.load(type, model + offset) }

  /// Puts another value into a model.
  func replace(by value: Any, in model: UnsafeMutableRawPointer) {
    TypedMemory.replace(type, model + offset, value)
  }
}
