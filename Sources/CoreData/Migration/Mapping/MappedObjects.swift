import CoreDataPredicates
import Foundation

/// The objects in what an expression has given: none, one, or a collection of any make.
struct MappedObjects {
  let objects: [NSManagedObject]

  init(_ value: Any?) throws(EvaluationError) {
    let elements: [Any] =
      switch SlotValue.unwrapped(value) {
      case nil: []
      case let object as NSManagedObject: [object]
      case let set as NSOrderedSet: set.array
      case let set as NSSet: set.allObjects
      case let set as Set<AnyHashable>: set.map(\.base)
      case let list as [Any]: list
      case let other?: [other]
      }
    var objects: [NSManagedObject] = []
    for element in elements where !(element is NSNull) {
      guard let object = element as? NSManagedObject else {
        throw EvaluationError("managed objects are expected, not \(type(of: element))")
      }
      objects.append(object)
    }
    self.objects = objects
  }
}
