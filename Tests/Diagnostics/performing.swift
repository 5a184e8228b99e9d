// Blocks on a context's queue do not touch the state of an actor unnoticed, and need no `@Sendable in`.

import CoreData

actor Counter {
  var hits = 0
  // expected-note@-1 3{{mutation of this property is only permitted within the actor}}
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

  func count() async {
    await context.perform { self.hits += 1 }
    // expected-warning@-1 {{actor-isolated property 'hits' can not be mutated from a Sendable closure}}
  }

  func countLater() {
    context.perform { self.hits += 1 }
    // expected-warning@-1 {{actor-isolated property 'hits' can not be mutated from a Sendable closure}}
  }

  func countInBackground(_ container: NSPersistentContainer) async {
    await container.performBackgroundTask { _ in self.hits += 1 }
    // expected-warning@-1 {{actor-isolated property 'hits' can not be mutated from a Sendable closure}}
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
    await context.perform { note.setValue(1, forKey: "stars") }
    // expected-warning@-1 {{capture of 'note' with non-Sendable type 'NSManagedObject' in a '@Sendable' closure}}
  }
}

struct Repository {
  let context: NSManagedObjectContext

  func count(of title: String) async throws -> Int {
    try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "title == %@", title)
      return try context.count(for: request)
    }
  }
}
