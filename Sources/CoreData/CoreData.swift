/// An open Core Data.
///
/// The module has Apple's names and Apple's behaviour: a file that says `import CoreData` compiles
/// here. Its folders are its layers, from the description of data down to the file:
///
/// ```
/// Model/         what the data is            NSManagedObjectModel, NSEntityDescription
/// Objects/       the data as objects         NSManagedObject, NSManagedObjectID
/// Context/       objects that belong together NSManagedObjectContext
/// Requests/      what is asked for           NSFetchRequest
/// Fetching/      from a request to objects
/// Saving/        from changes to rows
/// Coordination/  the stack                   NSPersistentContainer
/// Stores/        where rows live             SQLite, memory
/// Observing/     who is told of changes
/// Errors/        what can go wrong, in words
/// ```
@_exported public import CoreDataPredicates
@_exported public import Foundation

// Foundation on Linux has classes of these names that cannot be made, or do not work. An import of a
// single class wins over an import of a module, and a client has it from here with `import CoreData`:
// so the names mean these classes also in a file that imports Foundation.
@_exported public import class CoreDataPredicates.NSComparisonPredicate
@_exported public import class CoreDataPredicates.NSCompoundPredicate
@_exported public import class CoreDataPredicates.NSExpression
