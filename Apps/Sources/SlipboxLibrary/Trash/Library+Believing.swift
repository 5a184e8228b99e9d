import CoreData
import Foundation

extension Library {
  /// The date by which things are deleted that nobody has asked to delete.
  func believedNow() async throws -> Date {
    guard let readClocks else { return now() }
    let (file, reading) = (clockFile, readClocks())
    // One at a time, in the queue of who writes.
    return try await writing.perform { [writing] in
      var clock =
        try CautiousClock(file: file)
        ?? CautiousClock(believing: Self.lastDate(in: writing) ?? reading.wall, reading)
      clock.advance(to: reading)
      try clock.write(to: file)
      return clock.now
    }
  }

  private var clockFile: URL { folder.appendingPathComponent("clock") }

  /// When a note was last edited or put into the trash: it was not earlier than that.
  private static func lastDate(in context: NSManagedObjectContext) throws -> Date? {
    try [NoteProperties.modificationDate, NoteProperties.trashedDate].compactMap { key in
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "%K != nil", key)
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: false)]
      request.fetchLimit = 1
      return try context.fetch(request).first.flatMap { $0.value(forKey: key) as? Date }
    }.max()
  }
}
