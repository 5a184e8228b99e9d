import CoreData
import Foundation

/// Whether a model allows the values of a record: types, mandatory values, bounds, patterns.
struct ImportCheck {
  private let entity: NSEntityDescription
  private let scratch: NSManagedObject

  init(_ entity: NSEntityDescription) {
    self.entity = entity
    scratch = NSManagedObject(entity: entity, insertInto: nil)
  }

  /// Why the values cannot be imported; nil if they can.
  func obstacle(in values: [String: Any]) -> String? {
    for (name, attribute) in entity.attributesByName.sorted(by: { $0.key < $1.key })
    where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
      let given = values[name] ?? attribute.defaultValue
      var value: AnyObject? = given is NSNull ? nil : given as AnyObject?
      do {
        try scratch.validateValue(&value, forKey: name)
      } catch {
        let error = error as NSError
        return error.localizedFailureReason ?? error.localizedDescription
      }
    }
    for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
    where !relationship.isOptional && !relationship.isToMany && !relationship.isTransient {
      if values[name] == nil || values[name] is NSNull {
        return "\(entity.name ?? "").\(name) must lead to an object."
      }
    }
    return nil
  }
}
