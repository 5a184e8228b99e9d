// Blocks on a context's queue do not touch the state of an actor unnoticed, and need no `@Sendable in`.

import CoreData

actor Counter {
  var hits = 0
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

  func count() async {
    await context.perform { self.hits += 1 }  // expected-warning {{actor-isolated property 'hits' can not be mutated from a Sendable closure}}
  }

  func countLater() {
    context.perform { self.hits += 1 }  // expected-warning {{actor-isolated property 'hits' can not be mutated from a Sendable closure}}
  }

  func countInBackground(_ container: NSPersistentContainer) async {
    await container.performBackgroundTask { _ in self.hits += 1 }  // expected-warning {{actor-isolated property 'hits' can not be mutated from a Sendable closure}}
  }
}

@MainActor final class NoteList {
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  private(set) var titles: [String] = []

  func load() async throws {
    titles = try await context.perform {
      try self.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        .map { $0.value(forKey: "title") as? String ?? "" }
    }
  }

  func touch(_ note: NSManagedObject) async {
    await context.perform { note.setValue(1, forKey: "stars") }  // expected-warning {{capture of 'note' with non-Sendable type 'NSManagedObject' in a '@Sendable' closure}}
  }
}

struct Repository {
  let context: NSManagedObjectContext

  func count(_ predicate: NSPredicate) async throws -> Int {
    try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = predicate
      return try context.count(for: request)
    }
  }
}
