import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Contexts whose queues wait for each other.
@Suite struct MergeWithoutWaitingTests {
  private func main(_ stack: NotesStack) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = stack.coordinator
    return context
  }

  private func follower(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
    let child = parent.child()
    child.automaticallyMergesChangesFromParent = true
    return child
  }

  @Test(arguments: StoreKind.with(.everyRequest)) @MainActor
  func `a merge does not wait for a queue that waits for it`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let parent = main(stack)
    let note = parent.note("1")
    try parent.save()
    let child = follower(of: parent)
    let known: Note = child.performAndWait { child.find(note.objectID) }
    #expect(child.performAndWait { known.title } == "1")
    for number in 2...20 {
      note.title = "\(number)"
      parent.note("new \(number)")
      try parent.save()
      #expect(child.performAndWait { known.title } == "\(number)")
    }
    #expect(child.performAndWait { child.hasChanges } == false)
  }

  @Test @MainActor func `nor does one of a grandchild, or after a sibling's save`() throws {
    let stack = try NotesStack()
    let parent = main(stack)
    let note = parent.note("1")
    try parent.save()
    let id = note.objectID
    let (child, sibling) = (follower(of: parent), parent.child())
    let grandchild = follower(of: child)
    let known: [Note] = [child, grandchild].map { context in
      context.performAndWait {
        let note: Note = context.find(id)
        #expect(note.title == "1")
        return note
      }
    }
    try sibling.performAndWait {
      sibling.find(id).title = "2"
      try sibling.save()
    }
    #expect(child.performAndWait { known[0].title } == "2")
    #expect(grandchild.performAndWait { known[1].title } == "2")
    note.title = "3"
    try parent.save()
    #expect(grandchild.performAndWait { known[1].managedObjectContext === grandchild })
    #expect(child.performAndWait { known[0].title } == "3")
    #expect(grandchild.performAndWait { known[1].title } == "3")
  }

  @Test @MainActor func `a merge needs no thread but its own`() throws {
    let stack = try NotesStack()
    let parent = main(stack)
    let (note, folder) = (parent.note("1"), parent.folder("F"))
    try parent.save()
    let child = follower(of: parent)
    let known: Note = child.performAndWait { child.find(note.objectID) }
    let home: Folder = child.performAndWait { child.find(folder.objectID, as: Folder.self) }
    #expect(child.performAndWait { known.title } == "1")
    #expect(child.performAndWait { home.titles } == [])
    note.title = "2"
    note.folder = folder
    let other = parent.note("other", in: folder)
    try parent.save()
    // Waits for the child in a way that this framework cannot see.
    let done = DispatchSemaphore(value: 0)
    let seen = Mutex<[String]>([])
    let kept = Kept(note: known, folder: home)
    child.queue.async { @Sendable in
      seen.withLock { $0 = [kept.note.title ?? ""] + kept.folder.titles }
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success, "the child waits for the main thread")
    #expect(seen.withLock { $0 } == ["2", "2", "other"])
    #expect(!other.hasChanges)
  }

  @Test @MainActor func `a block that asks the parent may be waited for on the parent's thread`()
    throws
  {
    let stack = try NotesStack()
    let parent = main(stack)
    for number in 1...9 { parent.note("\(number)") }
    try parent.save()
    let child = parent.child()
    let counts = Mutex<[Int]>([])
    for _ in 1...20 {
      child.queue.async { @Sendable in
        let found = try? child.fetch(Note.fetchRequest()).compactMap(\.title)
        counts.withLock { $0.append(found?.count ?? 0) }
      }
      #expect(try child.performAndWait { try child.count(for: Note.fetchRequest()) } == 9)
    }
    // A block that waited for this thread may not have ended yet.
    let end = ContinuousClock.now + .seconds(60)
    while counts.withLock({ $0.count }) < 20, ContinuousClock.now < end {
      child.performAndWait {}
    }
    #expect(counts.withLock { $0 } == Array(repeating: 9, count: 20))
  }

  @Test @MainActor func `a block that asks the parent runs there on the main thread`() throws {
    let parent = main(try NotesStack())
    let child = parent.child()
    let wasMain = Mutex<Bool?>(nil)
    child.queue.async { @Sendable in
      parent.performAndWait { wasMain.withLock { $0 = ContextQueue.isMainRunning } }
    }
    child.performAndWait { #expect(ContextQueue.isMainRunning, "each on its own thread") }
    // The block may have waited for this one, and not have ended yet.
    let end = ContinuousClock.now + .seconds(60)
    while wasMain.withLock({ $0 }) == nil, ContinuousClock.now < end { child.performAndWait {} }
    #expect(wasMain.withLock { $0 } == true)
  }

  @Test func `threads that hold queues and wait in a circle all come through`() throws {
    let stack = try NotesStack()
    for count in 2...6 {
      let contexts = (0..<count).map { _ in stack.context() }
      let holding = Meeting(of: count)
      let visits = Visits()
      let ended = DispatchGroup()
      for number in 0..<count {
        let next = (number + 1) % count
        ended.enter()
        Thread.detachNewThread {
          contexts[number].performAndWait {
            holding.wait()
            contexts[next].performAndWait {
              contexts[next].note("of \(number)")
              visits.note(number)
            }
          }
          ended.leave()
        }
      }
      #expect(ended.wait(timeout: .now() + 60) == .success, "\(count) threads wait for each other")
      #expect(visits.numbers.withLock { $0.sorted() } == Array(0..<count))
      for context in contexts {
        #expect(context.performAndWait { context.insertedObjects.count } == 1)
      }
    }
  }

  @Test func `many threads that go from queue to queue in any order all come through`() throws {
    let stack = try NotesStack()
    let contexts = (0..<5).map { _ in stack.context() }
    let visits = contexts.map { _ in Visits() }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SeededGenerator(state: UInt64(thread))
      func go(_ depth: Int) {
        let number = Int.random(in: 0..<contexts.count, using: &random)
        contexts[number].performAndWait {
          visits[number].note(thread)
          contexts[number].note("\(thread)")
          if depth > 0 { go(depth - 1) }
        }
      }
      for _ in 0..<300 { go(Int.random(in: 0...3, using: &random)) }
    }
    for (context, visits) in zip(contexts, visits) {
      let made = context.performAndWait { context.insertedObjects.count }
      #expect(made == visits.numbers.withLock { $0.count })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a merge does not bring back what was read after it was told of`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let parent = stack.context()
    let id = try stack.saved { $0.note("1") }
    let child = follower(of: parent)
    let known: Note = child.performAndWait { child.find(id) }
    let original: Note = parent.performAndWait { parent.find(id) }
    child.performAndWait {
      #expect(known.title == "1")
      parent.performAndWait {
        original.title = "2"
        #expect(throws: Never.self) { try parent.save() }
        original.title = "3"
      }
      child.refresh(known, mergeChanges: true)
      #expect(known.title == "3")
    }
    #expect(child.performAndWait { known.title } == "3")
  }

  @Test(arguments: StoreKind.allCases)
  func `a merge leaves what was pushed meanwhile, and brings what others have saved`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let parent = stack.context()
    let id = try stack.saved { $0.note("1") }
    let child = follower(of: parent)
    let known: Note = child.performAndWait { child.find(id) }
    let original: Note = parent.performAndWait { parent.find(id) }
    try child.performAndWait {
      #expect(known.title == "1")
      try parent.performAndWait {
        original.title = "2"
        original.stars = 5
        try parent.save()
      }
      known.title = "mine"
      try child.save()
    }
    child.performAndWait {
      #expect(known.title == "mine")
      #expect(known.stars == 5)
      #expect(!child.hasChanges)
    }
    #expect(parent.performAndWait { original.title } == "mine")
  }
}

/// Safety: objects that are used on the queue of their context only.
private struct Kept: @unchecked Sendable {
  let note: Note
  let folder: Folder
}

private final class Visits: Sendable {
  let numbers = Mutex<[Int]>([])

  func note(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// Lets threads go on when all have come.
private final class Meeting: Sendable {
  private let missing: Mutex<Int>
  private let all = DispatchSemaphore(value: 0)

  init(of count: Int) { missing = Mutex(count) }

  func wait() {
    let left = missing.withLock { missing in
      missing -= 1
      return missing
    }
    if left > 0, all.wait(timeout: .now() + 60) == .timedOut {
      Issue.record("somebody has not come")
    }
    all.signal()
  }
}
