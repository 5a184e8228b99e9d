import CoreData
public import Foundation

// MARK: - Saving

extension ModelContext {
  /// The context is about to save.
  public static let willSave = Notification.Name("SwiftData.ModelContext.willSave")
  /// The context has saved; the notification has the identifiers under ``NotificationKey``.
  public static let didSave = Notification.Name("SwiftData.ModelContext.didSave")

  /// The keys of a notification's values.
  public enum NotificationKey: String, Sendable {
    /// The generation of the store that the context sees.
    case queryGeneration
    /// The identifiers of all models, after the context was reset.
    case invalidatedAllIdentifiers
    /// The identifiers of inserted models.
    case insertedIdentifiers
    /// The identifiers of changed models.
    case updatedIdentifiers
    /// The identifiers of deleted models.
    case deletedIdentifiers
    /// The identifiers of models whose values were read again.
    case refreshedIdentifiers
    /// The identifiers of models whose values were forgotten.
    case invalidatedIdentifiers
  }

  /// Writes all changes to the stores, or none of them.
  ///
  /// Without changes nothing is written. A new model whose unique values a stored model has changes that model. After an
  /// error the changes are still there.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with the reason if a model breaks a rule of the schema, such as
  ///   the delete rule `deny`; otherwise the error of the store.
  public func save() throws {
    takeMail()
    guard hasChanges else { return }
    storeConstants()
    NotificationCenter.default.post(name: Self.willSave, object: self)
    // After its save, a context has forgotten them; the notification has the identities as they are then.
    let before = objects.trackedObjects
    do {
      try objects.save()
    } catch {
      throw Self.saveFailure(error)
    }
    announce(before.inserted, before.updated, before.deleted)
  }

  private func announce(
    _ inserted: [NSManagedObject],
    _ updated: [NSManagedObject],
    _ deleted: [NSManagedObject]
  ) {
    let gone = Set(deleted)
    func identifiers(_ objects: [NSManagedObject]) -> [PersistentIdentifier] {
      objects.map { PersistentIdentifier($0.objectID) }
    }
    func kept(_ objects: [NSManagedObject]) -> [NSManagedObject] {
      gone.isEmpty ? objects : objects.filter { !gone.contains($0) }
    }
    for object in deleted { (object as? ModelRow)?.letGo() }
    let keys: [(NotificationKey, [PersistentIdentifier])] = [
      (.insertedIdentifiers, identifiers(kept(inserted))),
      (.updatedIdentifiers, identifiers(kept(updated))),
      (.deletedIdentifiers, identifiers(deleted)),
    ]
    NotificationCenter.default.post(
      name: Self.didSave,
      object: self,
      userInfo: Dictionary(uniqueKeysWithValues: keys.map { ($0.0.rawValue, $0.1) })
    )
  }

  /// Puts constants of models that came by a relationship in their own initializer into their rows.
  func storeConstants() {
    guard parts.hasConstants else { return }
    for object in objects.trackedObjects.inserted {
      guard let row = object as? ModelRow, !row.hasConstants, row.kind.hasConstants,
        let model = row.livingModel
      else { continue }
      ModelBox.storeConstants(of: model, in: row)
    }
  }

  /// Validation errors have a kind of their own; those of stores stay what they are.
  private static func saveFailure(_ error: any Error) -> any Error {
    guard let error = error as? CocoaError, (1550...1680).contains(error.code.rawValue) else {
      return error
    }
    return SwiftDataError.modelValidationFailure.following(error)
  }

  /// Drops all unsaved changes: new models leave the context, changed and deleted ones are as they are stored.
  ///
  /// The actions of the undo manager are removed.
  public func rollback() {
    let changed = objects.unsavedObjects
    objects.rollback()
    for object in changed { (object as? ModelRow)?.letGo() }
  }

  /// Runs a block and saves.
  ///
  /// - Parameter block: The changes.
  /// - Throws: The error of the block, after which nothing is saved and the changes are still there; or of the save.
  public func transaction(block: () throws -> Void) throws {
    try block()
    try save()
  }

  /// Applies delete rules and informs observers of the changes since the last call.
  public func processPendingChanges() {
    takeMail()
    objects.processPendingChanges()
  }
}
