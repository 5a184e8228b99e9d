package import CoreData
import Foundation

extension NSManagedObjectContext {
  /// Gives transient attributes that must have a value one, as the classes of the program would; it is not stored.
  package func fillTransients(of objects: [NSManagedObject]) {
    for object in objects where object.hasChanges {
      for (name, attribute) in object.entity.attributesByName
      where attribute.isTransient && !attribute.isOptional && object.value(forKey: name) == nil {
        object.setPrimitiveValue(attribute.attributeType.anyValue, forKey: name)
      }
    }
  }
}

extension NSAttributeType {
  /// A value of the type; nil for types whose values only their program can make.
  fileprivate var anyValue: Any? {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
      NSNumber(value: 0)
    case .decimalAttributeType: NSDecimalNumber.zero
    case .stringAttributeType: ""
    case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 0)
    case .binaryDataAttributeType: Data()
    case .UUIDAttributeType: UUID()
    case .URIAttributeType: URL(string: "about:blank")
    case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType,
      .compositeAttributeType:
      nil
    }
  }
}
