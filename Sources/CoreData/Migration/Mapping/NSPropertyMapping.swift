import CoreDataModel
import CoreDataModelChanges
public import CoreDataPredicates
public import Foundation

/// Where the value of one property of the destination comes from.
///
/// ```swift
/// let title = NSPropertyMapping()
/// title.name = "title"
/// title.valueExpression = NSExpression(format: "$source.name")
/// ```
///
/// The expression sees what stands under the keys that begin with `NSMigration`: `$manager`, `$source`,
/// `$destination`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`.
open class NSPropertyMapping: NSObject {
  /// The property's name in the destination.
  open var name: String?
  /// What gives the value; nil to leave the property as new objects have it.
  open var valueExpression: CoreDataPredicates.NSExpression?
  /// Whatever the developer keeps with the mapping.
  open var userInfo: [AnyHashable: Any]?
}

extension NSPropertyMapping {
  convenience init(_ schema: PropertyMappingSchema) {
    self.init()
    name = schema.name
    valueExpression = schema.valueExpression.map(CoreDataPredicates.NSExpression.init)
    if !schema.userInfo.isEmpty { userInfo = schema.userInfo }
  }

  /// The mapping as a value.
  var schema: PropertyMappingSchema {
    var schema = PropertyMappingSchema(name: name ?? "", valueExpression: valueExpression?.tree)
    schema.userInfo = userInfo?.texts ?? [:]
    return schema
  }
}

extension [AnyHashable: Any] {
  /// The entries that are texts.
  var texts: [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in self {
      if let key = key.base as? String, let value = value as? String { texts[key] = value }
    }
    return texts
  }
}

extension NSPropertyMapping: KeyValueReadable {
  package func keyValue(_ key: String) -> Any? {
    switch key {
    case "name": name
    case "valueExpression": valueExpression
    case "userInfo": userInfo
    case _: nil
    }
  }
}
