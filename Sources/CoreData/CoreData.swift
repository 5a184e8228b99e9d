/// Core Data for Linux.
///
/// The module has the names and the behaviour of Apple's framework, so that a file which says `import CoreData`
/// compiles here. Each folder has one area; `Scripts/check-floors.py` refuses names of a floor above in a floor below:
///
/// ```
/// Values/        objects as Encodable values       ObjectShape, ObjectValues
/// Transactions/  blocks that write or read         NSPersistentContainer.write, ManagedObjectActor
///
/// Model/         descriptions of data              NSManagedObjectModel, NSEntityDescription
/// Objects/       objects and their identities      NSManagedObject, NSManagedObjectID
/// Context/       contexts and their queues         NSManagedObjectContext
/// Undo/          undo and redo                     UndoManager
/// Requests/      the requests                      NSFetchRequest, NSBatchInsertRequest
/// Fetching/      from a request to objects
/// Results/       lists that follow a context       NSFetchedResultsController, FetchRequest
/// Queries/       queries in SQL                    SQLQuery
/// Saving/        from changes to rows              NSMergePolicy
/// Batches/       the execution of batch requests
/// Coordination/  the stack                         NSPersistentContainer, NSPersistentStoreCoordinator
/// StoreKinds/    the kinds of stores, and stores of your own   NSPersistentStore, NSIncrementalStore
/// Migration/     stores of earlier versions        NSMappingModel, NSStagedMigrationManager
/// History/       the persistent history            NSPersistentHistoryTransaction
/// Observing/     key-value observing, streams of changes
/// Operating/     health, backups, checkpoints      StoreHealth
/// Metrics/       measurements                      StoreMeter
/// Syncing/       several devices                   NSPersistentCloudKitContainer
///
/// Stores/        rows in SQLite files and in memory
/// Rows/          layouts, snapshots and plans: values without objects and contexts
/// Errors/        error codes and their sentences
/// ```
@_exported public import CoreDataPredicates
@_exported public import Foundation

// Foundation on Linux has classes of these names that cannot be made, or do not work. An import of a
// single class wins over an import of a module, and a client has it from here with `import CoreData`:
// so the names mean these classes also in a file that imports Foundation.
@_exported public import class CoreDataPredicates.NSComparisonPredicate
@_exported public import class CoreDataPredicates.NSCompoundPredicate
@_exported public import class CoreDataPredicates.NSExpression
