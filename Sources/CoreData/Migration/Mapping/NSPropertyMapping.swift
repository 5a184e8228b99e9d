import CoreDataModel
import CoreDataModelChanges
public import CoreDataPredicates
public import Foundation

/// A description of the value that a property of a destination object gets.
///
/// ```swift
/// let title = NSPropertyMapping()
/// title.name = "title"
/// title.valueExpression = NSExpression(format: "$source.name")
/// ```
///
/// The expression can use the variables whose names begin with `NSMigration`: `$manager`,
/// `$source`, `$destination`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`.
nonisolated open class NSPropertyMapping: NSObject {
  /// The name of the property in the destination entity.
  open var name: String?
  /// The expression whose value the property gets, or `nil` to leave it unchanged.
  open var valueExpression: CoreDataPredicates.NSExpression?
  /// A dictionary for values that you want to keep with the mapping.
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
