import CoreData
import CoreDataSyncCore

// MARK: - What the store refuses

extension SyncEngine {
  /// Holds back what a save was refused for.
  ///
  /// - Returns: How much it is.
  func hold(refused error: CocoaError, _ edit: StoreEdit) throws -> Int {
    var count = 0
    for single in error.parts {
      guard let object = single.userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
        let id = edit.identity(of: object)
      else { continue }
      let key = single.userInfo[NSValidationKeyErrorKey] as? String
      let entity = model.entity(of: object)
      // A new object does not have an earlier value to stay with.
      let attribute = object.isInserted ? nil : key.flatMap { entity?.attribute(named: $0) }
      try sidecar.hold(id, attribute?.property, single.localizedDescription, at: world.time())
      count += 1
    }
    return count
  }

  /// Holds back new objects whose unique values another object of the store has, of which the cells say
  /// nothing.
  func hold(conflicting error: CocoaError, _ edit: StoreEdit) throws {
    guard let conflicts = error.userInfo["conflictList"] as? [NSConstraintConflict] else { return }
    for conflict in conflicts {
      for object in conflict.conflictingObjects {
        guard let id = edit.identity(of: object), edit.inserted[id] != nil else { continue }
        try sidecar.hold(id, nil, error.localizedDescription, at: world.time())
      }
    }
  }
}

extension CocoaError {
  /// The single errors of an error that combines several.
  fileprivate var parts: [CocoaError] {
    (userInfo[NSDetailedErrorsKey] as? [any Error])?.compactMap { $0 as? CocoaError } ?? [self]
  }
}

extension StoreEdit {
  func identity(of object: NSManagedObject) -> SyncID? {
    objects.first { $0.value === object }?.key
  }
}
