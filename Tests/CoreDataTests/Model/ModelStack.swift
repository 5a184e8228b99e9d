import CoreDataModel
import Foundation
import TestSupport

@testable import CoreData

/// A store of a kind for a model of the test's own.
struct ModelStack {
  let coordinator: NSPersistentStoreCoordinator
  let file: URL?

  init(
    _ schema: ModelSchema,
    _ kind: StoreKind = .sqlite,
    file known: URL? = nil
  ) throws {
    try self.init(NSManagedObjectModel(schema: schema), kind, file: known)
  }

  init(_ model: NSManagedObjectModel, _ kind: StoreKind, file known: URL? = nil) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    file = kind.has(.reopening) ? known ?? kind.place("Notes.sqlite") : nil
    try kind.add(to: coordinator, at: file)
  }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Works in a new context, on its queue.
  @discardableResult
  func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = context()
    return try context.performAndWait { try body(context) }
  }
}

extension NSManagedObjectContext {
  /// A new object with some values.
  func new(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    object.setValuesForKeys(values)
    return object
  }

  func all(_ entity: String, where format: String? = nil) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
    return try fetch(request)
  }
}

extension NSManagedObject {
  func textValue(_ key: String) -> String? { value(forKey: key) as? String }

  func numberValue(_ key: String) -> Double? { (value(forKey: key) as? NSNumber)?.doubleValue }
}
