import CoreData
import CoreDataModel
import Foundation

/// A store that a command works on, with the model it is read by.
///
/// The model is the one given with `--model`, or the one that is in the file. Classes of entities are
/// those of programs that are not here, so that every object is an `NSManagedObject`.
struct OpenedStore {
  let url: URL
  let schema: ModelSchema
  let coordinator: NSPersistentStoreCoordinator

  init(at url: URL, model: URL?, isReadOnly: Bool = true) throws {
    self.url = url
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal("\(url.path): there is no such file")
    }
    schema = try refusing {
      try model.map { try ModelSchema(contentsOf: $0) } ?? StoredModel(inStoreAt: url).schema
    }
    .withoutClasses
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: schema)
    )
    try refusing {
      try coordinator.addPersistentStore(
        type: .sqlite,
        at: url,
        options: isReadOnly ? [NSReadOnlyPersistentStoreOption: true] : nil
      )
    }
  }

  /// A context of its own queue; what a command does with objects it does in `performAndWait`.
  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}

/// Does something of the framework's; an error of Apple's kind becomes a sentence for the terminal.
@discardableResult
func refusing<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as ModelError {
    throw error
  } catch let error as NSError {
    let sentences = [
      error.localizedDescription, error.localizedFailureReason,
      error.localizedRecoverySuggestion,
    ]
    throw Refusal(sentences.compactMap(\.self).joined(separator: " "))
  }
}
