import CoreData
import Foundation

/// Looks for objects that would have the same values where the model wants them unique.
enum SharedValue {
  /// Throws for the first that is found, with both objects.
  static func requireNone(
    among objects: [NSManagedObject],
    in context: NSManagedObjectContext
  ) throws {
    for object in objects {
      let changed = Set(object.changedValues().keys)
      for entity in sequence(first: object.entity, next: \.superentity) {
        for constraint in entity.uniquenessConstraints {
          let keys = constraint.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
          guard !changed.isDisjoint(with: keys),
            let other = try other(than: object, with: keys, in: entity, context)
          else { continue }
          throw Refusal(
            "nothing was changed: \(object.objectID.words) and \(other.objectID.words) would have the "
              + "same \(keys.joined(separator: " and ")), which the model wants to be unique"
          )
        }
      }
    }
  }

  private static func other(
    than object: NSManagedObject,
    with keys: [String],
    in entity: NSEntityDescription,
    _ context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    var (format, arguments) = ("SELF != %@", [object as Any])
    for key in keys {
      // An object without one of the values is like no other.
      guard let value = object.value(forKey: key) else { return nil }
      format += " AND %K == %@"
      arguments += [key, value]
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    request.fetchLimit = 1
    return try refusing { try context.fetch(request).first }
  }
}
