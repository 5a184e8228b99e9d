public import CoreData

/// The rules that must always hold in a context; each violation in words.
///
/// Nothing is read from a store: a fault stays one and is not judged.
public func checkInvariants(of context: NSManagedObjectContext) -> [String] {
  var problems: [String] = []
  for object in context.registeredObjects {
    if context.registeredObject(for: object.objectID) !== object {
      problems.append("\(object.objectID) is not registered under its identity")
    }
    if object.isInserted != context.insertedObjects.contains(object)
      || object.isUpdated != context.updatedObjects.contains(object)
    {
      problems.append("\(object.objectID) stands in the wrong set of changes")
    }
    if !object.isDeleted, !object.isFault { problems += brokenRelationships(of: object) }
  }
  return problems
}

/// The relationships whose other end does not lead back.
private func brokenRelationships(of object: NSManagedObject) -> [String] {
  var problems: [String] = []
  for (name, relationship) in object.entity.relationshipsByName {
    guard let inverse = relationship.inverseRelationship, object.knows(relationship) else {
      continue
    }
    for target in object.targets(of: name) {
      if target.isDeleted {
        problems.append("\(object.objectID).\(name) leads to the deleted \(target.objectID)")
      } else if target.knows(inverse), !target.targets(of: inverse.name).contains(object) {
        problems.append("\(object.objectID).\(name) leads to \(target.objectID), but not back")
      }
    }
  }
  return problems
}

extension NSManagedObject {
  /// Whether the relationship can be read without asking the store.
  fileprivate func knows(_ relationship: NSRelationshipDescription) -> Bool {
    if isFault { return false }
    return !relationship.isToMany || !hasFault(forRelationshipNamed: relationship.name)
  }

  fileprivate func targets(of name: String) -> [NSManagedObject] {
    switch value(forKey: name) {
    case let object as NSManagedObject: [object]
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case _: []
    }
  }
}
