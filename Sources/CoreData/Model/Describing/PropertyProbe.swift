import CoreDataPredicates
import Foundation

/// Finds the name of a managed property before there is a model that has it.
///
/// The key path is evaluated on an object of an entity with a single property, which represents all: the first name
/// that is asked for is the one.
enum PropertyProbe {
  /// The name behind a key path to a property of a managed object.
  static func name<Object: NSManagedObject>(of keyPath: PartialKeyPath<Object>) -> String {
    let valueType = Swift.type(of: keyPath).valueType
    guard
      let name = PropertyRecorder.keys(
        read: keyPath,
        on: probe(Object.self, for: valueType)
      ).first
    else {
      stop(
        """
        a key path of \(Object.self) to a \(valueType) reads no property with @NSManaged; name a property \
        that carries it
        """
      )
    }
    return name
  }

  /// An object in which every property is the one there is.
  static func probe(_ type: NSManagedObject.Type, for value: Any.Type) -> NSManagedObject {
    let object = type.init(entity: entity(for: value), insertInto: nil)
    object.record.pointee.watch.formUnion([.recording, .naming])
    return object
  }

  /// A value for a property that is not optional, so that the reading of it ends.
  static func placeholder<Value>(_ type: Value.Type) -> Value? {
    switch type {
    case let type as NSManagedObject.Type: probe(type, for: type) as? Value
    case let type as any RawRepresentable.Type: rawPlaceholder(type) as? Value
    default: plain.lazy.compactMap { $0 as? Value }.first
    }
  }

  private static var plain: [Any] {
    [
      Date.distantPast, UUID(), URL(filePath: "/"), "", Data(), NSNumber(value: 0),
      NSDecimalNumber.zero, NSObject(),
    ]
  }

  private static func rawPlaceholder<Value: RawRepresentable>(_ type: Value.Type) -> Any? {
    if let listed = type as? any CaseIterable.Type { return first(listed) }
    for number in 0..<64 {
      let spellings: [Any] = [
        Int16(number), Int32(number), Int64(number), number, "\(number)", Double(number),
      ]
      for case let raw as Value.RawValue in spellings {
        if let value = Value(rawValue: raw) { return value }
      }
    }
    return ("" as? Value.RawValue).flatMap { Value(rawValue: $0) }
  }

  private static func first<Value: CaseIterable>(_: Value.Type) -> Any? { Value.allCases.first }
}

// MARK: - The model of a probe

extension PropertyProbe {
  private static func entity(for value: Any.Type) -> NSEntityDescription {
    let name =
      value == NSOrderedSet?.self || value == NSOrderedSet.self
      ? "Ordered"
      : value == NSSet?.self || value == NSSet.self || value is any MemberSet.Type
        ? "ToMany" : "Value"
    guard let entity = model.entitiesByName[name] else {
      stop("a probe has an entity for each kind")
    }
    return entity
  }

  private static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    let value = NSEntityDescription()
    value.name = "Value"
    let attribute = NSAttributeDescription()
    attribute.name = "any"
    attribute.isTransient = true
    attribute.isOptional = true
    value.properties = [attribute]
    let collections = ["Ordered", "ToMany"].map { name in
      let entity = NSEntityDescription()
      entity.name = name
      let relationship = NSRelationshipDescription()
      relationship.name = "any"
      relationship.isOrdered = name == "Ordered"
      relationship.destinationEntity = value
      entity.properties = [relationship]
      return entity
    }
    model.entities = [value] + collections
    model.freeze()
    return model
  }()
}

/// A set of objects, in an optional or not.
private protocol MemberSet {}

extension Set: MemberSet where Element: NSManagedObject {}
extension Optional: MemberSet where Wrapped: MemberSet {}
