import CoreData
import Observation
import Synchronization
import TestSupport
import Testing

/// Objects in `withObservationTracking`.
@Suite struct TrackingTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a read property is told of once, before it changes`(kind: StoreKind) throws {
    try tracked(kind) { context in
      let note = context.note("1")
      let told = Told()
      withObservationTracking {
        #expect(note.title == "1")
      } onChange: {
        told.note("changing")
      }
      note.stars = 3
      #expect(told.all.isEmpty)
      note.title = "2"
      note.title = "3"
      #expect(told.all == ["changing"])
      #expect(told.read(note, \.title) == "3")
    }
  }

  @Test func `numbers, dates, relationships and values by key are tracked alike`() throws {
    try tracked { context in
      let (folder, other) = (context.folder("F"), context.folder("G"))
      let note = context.note("1", in: folder)
      let tag = context.tag("T")
      let reads: [(String, () -> Void, () -> Void)] = [
        ("stars", { _ = note.stars }, { note.stars = 1 }),
        ("rating", { _ = note.rating }, { note.rating = 1 }),
        ("isFavourite", { _ = note.isFavourite }, { note.isFavourite = true }),
        ("created", { _ = note.created }, { note.created = Date() }),
        ("image", { _ = note.image }, { note.image = Data([1]) }),
        ("price", { _ = note.price }, { note.price = 1 }),
        ("folder", { _ = note.folder }, { note.folder = other }),
        ("notes", { _ = other.notes }, { note.folder = nil }),
        ("tags", { _ = note.tags }, { note.addToTags(tag) }),
        ("inverse", { _ = tag.notes }, { note.removeFromTags(tag) }),
        ("key", { _ = note.value(forKey: "text") }, { note.setValue("T", forKey: "text") }),
        ("path", { _ = note.value(forKeyPath: "uuid") }, { note.uuid = UUID() }),
        ("set", { _ = note.mutableSetValue(forKey: "related") }, { note.addToRelated(note) }),
      ]
      for (name, read, change) in reads {
        let told = Told()
        withObservationTracking(read) { told.note(name) }
        change()
        #expect(told.all == [name])
      }
    }
  }

  @Test func `a fetch that does not find a new object yet tracks what it looks for`() throws {
    try tracked { context in
      let note = context.note("1")
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "title == '2'")
      let told = Told()
      withObservationTracking {
        #expect((try? context.fetch(request))?.isEmpty == true)
      } onChange: {
        told.note("changing")
      }
      note.title = "2"
      #expect(told.all == ["changing"])
      let found = try context.fetch(request)
      #expect(found == [note])
    }
  }

  @Test func `a path through objects is tracked hop by hop`() throws {
    try tracked { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let note = context.note("1", in: home)
      let told = Told()
      func track(_ word: String) {
        withObservationTracking {
          _ = note.folder?.name
        } onChange: {
          told.note(word)
        }
      }
      track("moved")
      note.folder = work
      track("renamed")
      home.name = "House"
      work.name = "Office"
      #expect(told.all == ["moved", "renamed"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a merge is told of for the properties that it has changed`(kind: StoreKind) throws {
    try tracked(kind) { context in
      let (note, folder) = (context.note("1"), context.folder("F"))
      try context.save()
      let told = Told()
      func track(_ word: String, _ read: () -> Void) {
        withObservationTracking(read) { told.note(word) }
      }
      track("title") { _ = note.title }
      track("stars") { _ = note.stars }
      track("folder") { _ = note.folder }
      track("name") { _ = folder.name }
      track("notes") { _ = folder.notes?.count }
      func merge(_ change: (NSManagedObjectContext) -> Void) throws {
        let other = NSManagedObjectContext(.privateQueue)
        other.persistentStoreCoordinator = context.persistentStoreCoordinator
        let saved = Received(other, .NSManagedObjectContextDidSave)
        try other.performAndWait {
          change(other)
          try other.save()
        }
        let name = Notification.Name.NSManagedObjectContextDidSave
        context.mergeChanges(
          fromContextDidSave: Notification(name: name, object: other, userInfo: saved.last)
        )
      }
      let (id, folderID) = (note.objectID, folder.objectID)
      try merge { $0.find(id).stars = 5 }
      #expect(told.all == ["stars"])
      try merge { $0.find(id).folder = $0.find(folderID, as: Folder.self) }
      #expect(Set(told.all) == ["stars", "folder", "notes"])
      try merge { $0.find(id).title = "2" }
      #expect(told.all.last == "title" && told.all.count == 4)
      try merge { $0.find(folderID, as: Folder.self).name = "G" }
      #expect(told.all.last == "name" && told.all.count == 5)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `refresh, rollback and reset count as changes`(kind: StoreKind) throws {
    try tracked(kind) { context in
      let note = context.note("1")
      try context.save()
      let told = Told()
      func track(_ word: String) {
        withObservationTracking {
          _ = note.title
        } onChange: {
          told.note(word)
        }
      }
      track("refreshed")
      context.refresh(note, mergeChanges: false)
      context.processPendingChanges()
      note.title = "2"
      context.processPendingChanges()
      track("rolled back")
      context.rollback()
      track("merged")
      context.refresh(note, mergeChanges: true)
      #expect(told.all == ["refreshed", "rolled back"], "nothing is different")
      let (other, id) = (NSManagedObjectContext(.privateQueue), note.objectID)
      other.persistentStoreCoordinator = context.persistentStoreCoordinator
      try other.performAndWait {
        other.find(id).title = "3"
        try other.save()
      }
      context.refresh(note, mergeChanges: true)
      context.processPendingChanges()
      track("reset")
      context.reset()
      #expect(told.all == ["refreshed", "rolled back", "merged", "reset"])
    }
  }

  @Test func `writing in a tracked closure is no reading`() throws {
    try tracked { context in
      let note = context.note("1")
      let told = Told()
      withObservationTracking {
        note.title = "2"
        note.addToTags(context.tag("T"))
      } onChange: {
        told.note("changed")
      }
      note.title = "3"
      note.tags = nil
      #expect(told.all.isEmpty)
    }
  }

  @Test func `observers and tracking do not disturb each other`() throws {
    try tracked { context in
      let note = context.note("1")
      let told = Told()
      var observation: NSKeyValueObservation? = note.observe(\.title) { _, _ in
        told.note("observed")
      }
      withObservationTracking {
        _ = note.title
      } onChange: {
        told.note("tracked")
      }
      note.title = "2"
      #expect(told.all == ["tracked", "observed"])
      withObservationTracking {
        _ = note.title
      } onChange: {
        told.note("tracked again")
      }
      #expect(observation != nil)
      observation = nil
      note.title = "3"
      #expect(told.all == ["tracked", "observed", "tracked again"])
    }
  }

  @Test @MainActor func `objects of the main queue are tracked unasked, those of others not`()
    throws
  {
    let stack = try NotesStack()
    let main = NSManagedObjectContext(.mainQueue)
    main.persistentStoreCoordinator = stack.coordinator
    #expect(main.allowsObservationTracking)
    let told = Told()
    let note = main.note("1")
    withObservationTracking {
      _ = note.title
    } onChange: {
      told.note("main")
    }
    note.title = "2"
    try stack.work { context in
      #expect(!context.allowsObservationTracking)
      let note = context.note("1")
      withObservationTracking {
        _ = note.title
      } onChange: {
        told.note("private")
      }
      note.title = "2"
      context.allowsObservationTracking = true
      withObservationTracking {
        _ = note.title
      } onChange: {
        told.note("allowed")
      }
      note.title = "3"
      context.allowsObservationTracking = false
      withObservationTracking {
        _ = note.title
      } onChange: {
        told.note("disallowed")
      }
      note.title = "4"
    }
    #expect(told.all == ["main", "allowed"])
  }

  @Test @MainActor func `a sequence of observations follows a property`() async throws {
    let stack = try NotesStack()
    let main = NSManagedObjectContext(.mainQueue)
    main.persistentStoreCoordinator = stack.coordinator
    let note = main.note("1")
    let titles = Observations { note.title ?? "" }
    var heard: [String] = []
    for await title in titles {
      heard.append(title)
      if heard.count == 3 { break }
      note.title = "\(heard.count + 1)"
    }
    #expect(heard == ["1", "2", "3"])
  }

  /// Works in a context whose objects are tracked.
  private func tracked(
    _ kind: StoreKind = .memory,
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    try NotesStack(kind).work { context in
      context.allowsObservationTracking = true
      try body(context)
    }
  }
}

/// Writes down what it is told.
private final class Told: Sendable {
  private let words = Mutex<[String]>([])

  var all: [String] { words.withLock { $0 } }

  func note(_ word: String) { words.withLock { $0.append(word) } }

  func read<Value>(_ note: Note, _ path: KeyPath<Note, Value>) -> Value { note[keyPath: path] }
}
