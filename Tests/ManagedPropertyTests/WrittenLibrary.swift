import CoreData
import Foundation
import Testing

/// Notes in a store in memory, whose classes are written by hand.
struct WrittenLibrary {
  let container: NSPersistentContainer

  init(model name: String = "Written") throws {
    ValueTransformer.setValueTransformer(
      ColourTransformer(),
      forName: NSValueTransformerName("ColourTransformer")
    )
    let location = try #require(Bundle.module.url(forResource: name, withExtension: "momd"))
    let model = try #require(NSManagedObjectModel(contentsOf: location))
    container = NSPersistentContainer(name: name, managedObjectModel: model)
    let store = NSPersistentStoreDescription()
    store.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
  }

  /// Does something in a context of its own, and saves.
  func change<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      let result = try body(context)
      try context.save()
      return result
    }
  }

  /// Makes a note, saves it, and reads it in another context.
  func note(
    _ fill: (Note) throws -> Void,
    thenReading read: (Note) throws -> Void
  ) throws {
    try change { context in
      let note = Note(context: context)
      try fill(note)
    }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try read(try #require(try context.fetch(Note.fetchRequest()).first))
    }
  }
}
