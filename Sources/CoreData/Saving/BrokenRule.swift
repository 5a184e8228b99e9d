import Foundation

/// A rule of the model for which the save of the present changes would be refused.
package struct BrokenRule: Hashable, Sendable {
  package let object: NSManagedObjectID
  /// The property, where the rule is about one.
  package let key: String?
  /// What is wrong, as a sentence that names the property.
  package let sentence: String
  /// Whether the property is one of those that are being changed; otherwise the rule was broken before.
  package let isOfChange: Bool
}

// MARK: - Asking before saving

extension NSManagedObjectContext {
  /// Holds every object that a save would write against the rules of the model, as the save does.
  ///
  /// Objects that change only because they are the other end of a relationship are among them.
  package func brokenRules() -> [BrokenRule] {
    checkQueue()
    processPendingChanges()
    propagateDeletes()
    let changes = ChangeSet(tracker, locked: pending.locked)
    return (changes.inserted + changes.updated).flatMap { object -> [BrokenRule] in
      var failures = ValidationErrors()
      do {
        try object.willBeInserted ? object.validateForInsert() : object.validateForUpdate()
      } catch {
        failures.add(error)
      }
      if failures.errors.isEmpty { return [] }
      let changed = object.willBeInserted ? nil : Set(object.changedValues().keys)
      return failures.errors.map { BrokenRule($0, of: object, changed: changed) }
    }
  }

  /// Saves without holding objects against the rules of the model, for who has asked ``brokenRules()``
  /// and means it.
  package func saveWithoutValidation() throws {
    defersValidation = true
    defer { defersValidation = false }
    try save()
  }

  /// The objects that a save would write.
  package var objectsToSave: [NSManagedObject] {
    processPendingChanges()
    propagateDeletes()
    return ChangeSet(tracker, locked: pending.locked).all
  }
}

extension BrokenRule {
  fileprivate init(_ error: NSError, of object: NSManagedObject, changed: Set<String>?) {
    self.object = object.objectID
    key = error.userInfo[NSValidationKeyErrorKey] as? String
    sentence = error.localizedFailureReason ?? error.localizedDescription
    // What is not told of a property, and everything of a new object, is of the change.
    isOfChange =
      key.map { key in
        changed?.contains { $0 == key || key.hasPrefix("\($0).") } ?? true
      } ?? true
  }
}
