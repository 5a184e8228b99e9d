import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataStrictJSON
import CoreDataWebServer
import Foundation
import Synchronization

/// The changes that somebody makes in Studio: pending until they are saved or discarded, with undo and redo.
///
/// ```
/// Allow changes ─▶ a copy beside the store ─▶ one context ─▶ changes … undo … redo ─▶ save, or discard
/// ```
///
/// Everything goes through the framework: validation, delete rules, and a transaction of the author `coredata studio`
/// in the history of a store that keeps one.
final class ChangeSession: Sendable {
  static let author = "coredata studio"

  let contents: StudioContents
  /// The copy of the store as it was before the first change.
  let copy: URL
  /// The file that the session writes to; if another takes its place, nothing is written any more.
  let identity: FileIdentity?
  private let context: NSManagedObjectContext
  /// The objects that were inserted here, by the numbers in their addresses.
  private let newObjects = Mutex<[NSManagedObjectID]>([])

  init(_ contents: StudioContents, copy: URL, identity: FileIdentity?) throws {
    guard let coordinator = contents.coordinator else {
      throw Problem(404, "Only a model is open here; there are no objects to change.")
    }
    self.contents = contents
    self.copy = copy
    self.identity = identity
    let context = NSManagedObjectContext(.privateQueue)
    context.performAndWait {
      context.persistentStoreCoordinator = coordinator
      context.transactionAuthor = Self.author
      context.mergePolicy = NSMergePolicy.error
      let manager = UndoManager()
      manager.groupsByEvent = false
      manager.levelsOfUndo = 200
      context.undoManager = manager
    }
    self.context = context
  }

  var schema: ModelSchema { contents.schema }

  /// Runs a body on the context's queue; one after the other.
  func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try context.performAndWait { try body(context) }
  }

  /// Makes one change, which one undo takes back.
  func change<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try perform { context in
      let manager = context.undoManager
      manager?.beginUndoGrouping()
      defer {
        context.processPendingChanges()
        manager?.endUndoGrouping()
      }
      return try body(context)
    }
  }
}

// MARK: - Objects

extension ChangeSession {
  /// The object with a name such as `Note/p3`, or `Note/t1` for the first object that was inserted here.
  ///
  /// Called on the context's queue.
  func object(_ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let missing = Problem(404, "There is no object \(name.prefix(240)); perhaps it was deleted.")
    guard parts.count == 2 else { throw missing }
    if parts[1].first == "t" {
      guard
        let number = WholeNumber.read(String(parts[1].dropFirst()), within: 1...Int.greatestRow),
        let identity = newObjects.withLock({ $0.count < number ? nil : $0[number - 1] })
      else { throw missing }
      return try existing(identity, missing, context)
    }
    guard let key = StoredKey(entity: parts[0], number: parts[1]),
      let coordinator = contents.coordinator,
      let identity = coordinator.managedObjectID(
        for: "x-coredata://\(coordinator.persistentStores.first?.identifier ?? "")/\(key.text)"
      )
    else { throw missing }
    return try existing(identity, missing, context)
  }

  private func existing(
    _ identity: NSManagedObjectID,
    _ missing: Problem,
    _ context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    do {
      return try context.existingObject(with: identity)
    } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
      throw missing
    }
  }

  /// Remembers an inserted object under the next number.
  func remember(_ object: NSManagedObject) {
    newObjects.withLock { $0.append(object.objectID) }
  }

  /// The name of an object: by its number in the store, or by the number under which it was inserted.
  func name(of object: NSManagedObject) -> String {
    let identity = object.objectID
    guard identity.isTemporaryID else { return StoredKey(identity).text }
    let place = newObjects.withLock { $0.firstIndex(of: identity) }
    return "\(object.entity.name ?? "")/t\((place ?? -1) + 1)"
  }

  /// The permanent identities of objects that a save has stored, for addresses with the old names.
  func adoptIdentities(of objects: [(place: Int, object: NSManagedObject)]) {
    newObjects.withLock { known in
      for (place, object) in objects where known.indices.contains(place) {
        known[place] = object.objectID
      }
    }
  }

  /// The objects that were inserted here and are not saved yet, with their places.
  ///
  /// Called on the context's queue.
  func unsavedObjects(
    in context: NSManagedObjectContext
  ) -> [(place: Int, object: NSManagedObject)] {
    let known = newObjects.withLock { $0 }
    return known.enumerated().compactMap { place, identity in
      guard identity.isTemporaryID else { return nil }
      return context.insertedObjects.first { $0.objectID == identity }.map { (place, $0) }
    }
  }
}
