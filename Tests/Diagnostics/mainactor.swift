// swiftc -default-isolation MainActor
// New projects have everything on the main actor that does not say otherwise. Their classes can override all the same;
// subclasses of classes that are Sendable have to say otherwise.

import CoreData

class Note: NSManagedObject {
  override func awakeFromInsert() { super.awakeFromInsert() }
}

nonisolated class Context: NSManagedObjectContext, @unchecked Sendable {
  override func save() throws { try super.save() }
}

nonisolated class Container: NSPersistentContainer, @unchecked Sendable {
  override class func defaultDirectoryURL() -> URL { super.defaultDirectoryURL() }
}

nonisolated class SyncedContainer: NSPersistentCloudKitContainer, @unchecked Sendable {
  override func newBackgroundContext() -> NSManagedObjectContext { super.newBackgroundContext() }
}

nonisolated class Coordinator: NSPersistentStoreCoordinator, @unchecked Sendable {}

nonisolated class LatestWins: NSMergePolicy, @unchecked Sendable {
  override func resolve(mergeConflicts list: [Any]) throws {
    try super.resolve(mergeConflicts: list)
  }
}

class NotePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
  }
}

class Manager: NSMigrationManager {
  override var migrationProgress: Float { super.migrationProgress }
}

class ColourTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [NSNumber.self] }
}

class Uppercase: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.uppercased() }
}

nonisolated class FileStore: NSAtomicStore, @unchecked Sendable {
  override func load() throws {}
  override func save() throws {}
}

nonisolated class ServerStore: NSIncrementalStore, @unchecked Sendable {
  override func loadMetadata() throws {}
}

class NotesController: NSFetchedResultsController<Note> {
  override func performFetch() throws { try super.performFetch() }
}
