import CoreData
import Foundation
import Synchronization
import TestSupport
import Testing

/// `automaticallyMergesChangesFromParent`.
@Suite struct AutomaticMergingTests {
  private func follower(_ stack: NotesStack) -> NSManagedObjectContext {
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = true
    return context
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `saves of other contexts are merged on the context's queue`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    let context = follower(stack)
    #expect(context.automaticallyMergesChangesFromParent)
    let kept = Kept()
    await context.perform {
      kept.objects = [context.find(id)]
      _ = context.find(id).title
    }
    try stack.work { other in
      other.find(id).title = "2"
      other.note("new")
      try other.save()
    }
    await context.perform {
      #expect(context.find(id).title == "2")
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `nothing is merged unless asked for (83)`(kind: StoreKind) async throws {
    let container = try Self.container()
    #expect(!container.viewContext.automaticallyMergesChangesFromParent)
    #expect(!container.newBackgroundContext().automaticallyMergesChangesFromParent)
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    let context = stack.context()
    let kept = Kept()
    await context.perform {
      kept.objects = [context.find(id)]
      _ = context.find(id).title
    }
    try stack.work { other in
      other.find(id).title = "2"
      try other.save()
    }
    await context.perform { #expect(context.find(id).title == "1") }
    context.automaticallyMergesChangesFromParent = true
    context.automaticallyMergesChangesFromParent = false
    try stack.work { other in
      other.find(id).title = "3"
      try other.save()
    }
    await context.perform { #expect(context.find(id).title == "1") }
  }

  @Test func `a view context follows background saves when asked to (83)`() async throws {
    let container = try Self.container()
    let view = container.viewContext
    view.automaticallyMergesChangesFromParent = true
    let kept = Kept()
    let id = try await container.performBackgroundTask { context in
      let note = context.note("1")
      try context.save()
      return note.objectID
    }
    await view.perform {
      kept.objects = [view.find(id)]
      #expect(view.find(id).title == "1")
    }
    try await container.performBackgroundTask { context in
      context.find(id).title = "2"
      try context.save()
    }
    await view.perform { #expect(view.find(id).title == "2") }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `many threads save, and the follower ends with what is stored`(kind: StoreKind) async throws
  {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("F") }
    let context = follower(stack)
    let kept = Kept()
    await context.perform {
      let folder = context.find(id, as: Folder.self)
      kept.objects = [folder]
      #expect(folder.titles == [])
    }
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      let other = stack.context()
      other.performAndWait {
        var notes: [Note] = []
        for round in 0..<10 {
          notes.append(other.note("\(worker)/\(round)"))
          // Nobody else changes these objects, and the stores are in memory or wait.
          #expect(throws: Never.self) { try other.save() }
        }
        for note in notes { note.stars = 5 }
        #expect(throws: Never.self) { try other.save() }
      }
    }
    try await context.perform {
      let notes = try context.fetch(Note.fetchRequest())
      #expect(notes.count == 80)
      #expect(notes.allSatisfy { $0.stars == 5 })
      #expect(!context.hasChanges)
      #expect(checkInvariants(of: context).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `merges come in the order of the saves`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let context = follower(stack)
    let titles = Titles()
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: context,
      queue: nil
    ) { notification in
      let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
      titles.append((inserted?.first as? Note)?.title ?? "none")
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try stack.work { other in
      for number in 0..<50 {
        other.note("\(number)")
        try other.save()
      }
    }
    await context.perform {}
    #expect(titles.all == (0..<50).map(String.init))
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child follows its parent's saves and its siblings'`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    let parent = stack.context()
    let (child, sibling) = (parent.child(), parent.child())
    child.automaticallyMergesChangesFromParent = true
    let kept = Kept()
    await child.perform {
      kept.objects = [child.find(id)]
      #expect(child.find(id).title == "1")
    }
    try await sibling.perform {
      sibling.find(id).title = "sibling's"
      try sibling.save()
    }
    await child.perform { #expect(child.find(id).title == "sibling's") }
    try await parent.perform {
      parent.find(id).title = "parent's"
      try parent.save()
    }
    await child.perform {
      #expect(child.find(id).title == "parent's")
      #expect(!child.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a child's own objects get their identities from a followed save (79)`(
    kind: StoreKind
  ) async throws {
    let stack = try NotesStack(kind)
    let parent = stack.context()
    let child = parent.child()
    child.automaticallyMergesChangesFromParent = true
    let kept = Kept()
    try await child.perform {
      kept.objects = [child.note("1")]
      try child.save()
    }
    try await parent.perform { try parent.save() }
    await child.perform { #expect(kept.objects.allSatisfy { !$0.objectID.isTemporaryID }) }
  }

  @Test(arguments: StoreKind.allCases)
  func `what a parent has merged goes on to children that follow`(kind: StoreKind) async throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1") }
    let parent = follower(stack)
    let child = parent.child()
    child.automaticallyMergesChangesFromParent = true
    let kept = Kept()
    await child.perform {
      kept.objects = [child.find(id)]
      #expect(child.find(id).title == "1")
    }
    await parent.perform { kept.objects.append(parent.find(id)) }
    try stack.work { other in
      other.find(id).title = "2"
      try other.save()
    }
    await parent.perform { #expect(parent.find(id).title == "2") }
    await child.perform { #expect(child.find(id).title == "2") }
  }

  @Test(arguments: StoreKind.allCases)
  func `a follower is not kept alive`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    weak var weakContext: NSManagedObjectContext?
    do { weakContext = follower(stack) }
    #expect(weakContext == nil)
    try stack.saved { $0.note("1") }
  }

  private static func container() throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container
  }
}

/// Objects that a test keeps alive.
///
/// Safety: used on the queue of the objects' context.
private final class Kept: @unchecked Sendable {
  var objects: [NSManagedObject] = []
}

/// The titles that an observer received, in order.
private final class Titles: Sendable {
  private let titles = Mutex<[String]>([])

  var all: [String] { titles.withLock { $0 } }

  func append(_ title: String) { titles.withLock { $0.append(title) } }
}
