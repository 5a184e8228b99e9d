// The names that the examples in documentation comments take for granted, for
// Scripts/check-examples.

// Parameters in the examples of one file:
// FetchedResults.swift: notes: FetchedResults<Note>
// FetchedResultsSnapshot.swift: notes: FetchedResults<Note>
// NSManagedObjectContext+Values.swift: container: NSPersistentContainer
// NSPersistentCloudKitContainer+Sync.swift: container: NSPersistentCloudKitContainer, pasted: String
// NSPersistentContainer+Writing.swift: container: NSPersistentContainer, id: NSManagedObjectID
// NSEntityDescription.swift: title: NSAttributeDescription, folder: NSRelationshipDescription
// NSEntityMapping.swift: title: NSPropertyMapping
// NSFetchIndexDescription.swift: title: NSAttributeDescription, note: NSEntityDescription
// NSManagedObjectModel.swift: note: NSEntityDescription, folder: NSEntityDescription
// NSPropertyDescription.swift: note: NSEntityDescription
// NSRelationshipDescription.swift: notes: NSRelationshipDescription
// SectionedFetchResults.swift: notes: SectionedFetchResults<String, Note>

import CoreData
import Foundation

func anything<T>() -> T { fatalError("Examples are compiled and never run.") }

var viewContext: NSManagedObjectContext { anything() }
var other: NSManagedObjectContext { anything() }
var manager: NSMigrationManager { anything() }
var mapping: NSMappingModel { anything() }
var store: NSPersistentStore { anything() }
var lastToken: NSPersistentHistoryToken? { anything() }
nonisolated(unsafe) var bookmark: NSPersistentHistoryToken?
var transactions: [NSPersistentHistoryTransaction] { anything() }
var change: NSPersistentHistoryChange { anything() }
var notification: Notification { anything() }
var updatedObjectIDs: [NSManagedObjectID] { anything() }
var snapshot: NSDiffableDataSourceSnapshotReference { anything() }
var file: URL { anything() }
var copy: URL { anything() }
var date: Date { anything() }
var field: (text: String, Void) { anything() }

// Models
var old: NSManagedObjectModel { anything() }
var new: NSManagedObjectModel { anything() }
var first: String { anything() }
var second: String { anything() }
var secondModel: NSManagedObjectModelReference { anything() }
var thirdModel: NSManagedObjectModelReference { anything() }
var checksumOfNotes1: String { anything() }
var checksumOfNotes2: String { anything() }
var folderEntity: NSEntityDescription { anything() }

// Types and functions of the program
struct DataSource {
  func apply(_ snapshot: NSDiffableDataSourceSnapshot<String, NSManagedObjectID>) {}
}
var dataSource: DataSource { anything() }
struct StillADraft: Error {}
struct UnknownRequest: Error { init(_ request: NSPersistentStoreRequest) {} }
struct Colour: Codable {}
struct Index: Sendable { func update(_ ids: Set<NSManagedObjectID>) async {} }
var index: Index { anything() }
func show(_ thing: Any) {}
func refresh(_ id: NSManagedObjectID, _ properties: Set<NSPropertyDescription>?) {}
func forget(_ value: Any?) {}
func read(_ url: URL?) throws -> Set<NSAtomicStoreCacheNode> { [] }
func write(_ nodes: Set<NSAtomicStoreCacheNode>, to url: URL?) throws {}
func find(
  _ request: NSFetchRequest<any NSFetchRequestResult>,
  _ context: NSManagedObjectContext?
) throws -> Any { [] }
func send(_ request: NSSaveChangesRequest) throws -> Any { [] }

final class Strokes: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) {}
}

extension Note {
  var stateNumber: Int16 {
    get { stars }
    set { stars = newValue }
  }
}
