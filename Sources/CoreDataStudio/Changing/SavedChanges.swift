import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The attempt to save a session's changes: saved, refused by rules of the model, or in conflict with another writer.
///
/// After a refusal and after a conflict, every change is still pending.
struct SavedChanges {
  /// The values that win if another program has changed the same properties.
  enum Winner: String {
    case mine, theirs

    fileprivate var policy: NSMergePolicy {
      switch self {
      case .mine: .mergeByPropertyObjectTrump
      case .theirs: .mergeByPropertyStoreTrump
      }
    }
  }

  let session: ChangeSession

  private static let most = 200

  /// Saves the changes.
  ///
  /// - Parameter winner: The side that wins conflicts; `nil` to list them instead of saving.
  /// - Returns: Whether the changes are saved, the conflicts, and the changes that are still pending.
  /// - Throws: An error of the framework's other than a conflict.
  func save(_ winner: Winner?) throws -> JSONValue {
    try session.perform { context in
      context.processPendingChanges()
      context.fillTransients(of: context.objectsToSave)
      let pending = PendingChanges(session: session, context: context)
      let rules = context.brokenRules()
      if !rules.isEmpty { return answer(isSaved: false, pending) }
      let new = session.unsavedObjects(in: context)
      context.mergePolicy = winner?.policy ?? NSMergePolicy.error
      defer { context.mergePolicy = NSMergePolicy.error }
      do {
        try context.save()
      } catch {
        guard
          let conflicts = (error as NSError).userInfo[NSPersistentStoreSaveConflictsErrorKey]
            as? [NSMergeConflict]
        else { throw error }
        return answer(
          isSaved: false,
          pending,
          conflicts.prefix(Self.most).map { json($0, pending) }
        )
      }
      session.adoptIdentities(of: new)
      return answer(isSaved: true, pending)
    }
  }

  private func answer(
    isSaved: Bool,
    _ pending: PendingChanges,
    _ conflicts: [JSONValue] = []
  ) -> JSONValue {
    [
      "isSaved": .boolean(isSaved), "conflicts": .array(conflicts), "pending": pending.json,
    ]
  }

  /// The properties in which an object differs from what another program has saved.
  private func json(_ conflict: NSMergeConflict, _ pending: PendingChanges) -> JSONValue {
    let object = conflict.sourceObject
    let theirs = conflict.persistedSnapshot ?? conflict.cachedSnapshot
    let mine = object.isDeleted ? nil : object.changedValues()
    let keys = (mine ?? [:]).keys.sorted()
    let values = keys.compactMap { key -> JSONValue? in
      guard
        case .attribute(let attribute)? = session.schema.property(
          key,
          of: object.entity.name ?? ""
        ), let theirs
      else { return nil }
      return [
        "key": .text(key), "mine": pending.cell(mine?[key], attribute),
        "theirs": pending.cell(theirs[key], attribute),
      ]
    }
    return [
      "id": .text(session.name(of: object)),
      "title": pending.title(of: object).map { .text($0) } ?? .null,
      "isDeletedHere": .boolean(object.isDeleted),
      "isGone": .boolean(theirs == nil),
      "values": .array(values),
    ]
  }
}
