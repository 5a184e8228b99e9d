import Foundation

/// A rule of the model for which the save of the present changes would be refused.
package struct BrokenRule: Hashable, Sendable {
  package let object: NSManagedObjectID
  /// The property, if the rule is about one.
  package let key: String?
  /// The error, as a sentence that names the property.
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
    let changes = processedChanges()
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

  /// Saves without checking objects against the rules of the model, for callers that have asked ``brokenRules()`` and
  /// accept its answer.
  package func saveWithoutValidation() throws {
    defersValidation = true
    defer { defersValidation = false }
    try save()
  }

  /// The objects that a save would write.
  package var objectsToSave: [NSManagedObject] { processedChanges().all }
}

extension BrokenRule {
  fileprivate init(_ error: NSError, of object: NSManagedObject, changed: Set<String>?) {
    self.object = object.objectID
    key = error.userInfo[NSValidationKeyErrorKey] as? String
    sentence = error.localizedFailureReason ?? error.localizedDescription
    // A failure without a property belongs to the change, and so does every failure of a new object.
    isOfChange =
      key.map { key in
        changed?.contains { $0 == key || key.hasPrefix("\($0).") } ?? true
      } ?? true
  }
}
