import CoreData
import Synchronization
import TestSupport
import Testing

/// Which objects a context keeps alive.
@Suite struct MemoryTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `clean objects are released, changed ones are kept`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      weak var clean: Note?
      weak var changed: Note?
      do {
        let (one, two) = (context.note("1"), context.note("2"))
        try context.save()
        two.stars = 2
        (clean, changed) = (one, two)
      }
      #expect(clean == nil)
      #expect(changed != nil)
      #expect(context.registeredObjects == Set([changed].compactMap { $0 }))
      try context.save()
      #expect(changed == nil)
      #expect(context.registeredObjects.isEmpty)
      #expect(try context.titles() == ["1", "2"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a context that retains keeps all`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      context.retainsRegisteredObjects = true
      weak var note: Note?
      do { note = context.note("1") }
      try context.save()
      #expect(note != nil)
      context.retainsRegisteredObjects = false
      #expect(note == nil)
    }
  }

  @Test(arguments: [true, false])
  func `objects that lead to each other die with their context`(saved: Bool) throws {
    let stack = try NotesStack()
    weak var folder: Folder?
    weak var note: Note?
    var id: NSManagedObjectID?
    try stack.work { context in
      let made = context.folder("F")
      note = context.note("1", in: made)
      made.addToPinned(context.note("2"))
      folder = made
      if saved { try context.save() }
      id = made.objectID
    }
    #expect(id?.isTemporaryID == !saved)
    #expect(folder == nil)
    #expect(note == nil)
  }

  @Test func `new objects that lead to each other die after a rollback or a reset`() throws {
    try NotesStack().work { context in
      weak var rolledBack: Folder?
      weak var reset: Folder?
      do { rolledBack = context.note("1", in: context.folder("F")).folder }
      context.rollback()
      #expect(rolledBack == nil)
      do { reset = context.note("1", in: context.folder("F")).folder }
      context.reset()
      #expect(reset == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a refresh breaks a circle`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("1", in: $0.folder("F")) }
    try stack.work { context in
      weak var folder: Folder?
      do {
        let note = context.find(id)
        folder = note.folder
        #expect(folder?.titles == ["1"])
        context.refresh(note, mergeChanges: false)
        context.processPendingChanges()
      }
      #expect(folder == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an object outlives its context with the values it has`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let note = try stack.work { context in
      let note = context.note("1", in: context.folder("F"))
      try context.save()
      #expect(note.title == "1")
      return note
    }
    #expect(note.managedObjectContext == nil)
    #expect(note.title == "1")
    #expect(note.folder == nil)
    #expect(!note.hasChanges)
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `ten thousand objects are dropped on other threads`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      for number in 0..<2000 { context.note("\(number)") }
      try context.save()
    }
    let context = stack.context()
    for _ in 0..<5 {
      let bags = try context.performAndWait {
        let notes = try context.fetch(Note.fetchRequest())
        for note in notes { #expect(note.title != nil) }
        return Bags(notes, count: 4)
      }
      DispatchQueue.concurrentPerform(iterations: 5) { number in
        if number < 4 {
          bags.drop(number)
        } else {
          // The context looks for the same objects at the same time.
          context.performAndWait { _ = try? context.fetch(Note.fetchRequest()).count }
        }
      }
    }
    context.performAndWait { #expect(context.registeredObjects.isEmpty) }
  }

  private final class Bags: Sendable {
    private let bags: Mutex<[Bag]>

    init(_ objects: [NSManagedObject], count: Int) {
      bags = Mutex(
        (0..<count).map { bag in
          Bag(objects: objects.indices.filter { $0 % count == bag }.map { objects[$0] })
        }
      )
    }

    func drop(_ index: Int) {
      let bag = bags.withLock { bags in
        defer { bags[index] = Bag(objects: []) }
        return bags[index]
      }
      #expect(bag.objects.count > 0)
    }

    /// Safety: the objects in a bag are only released.
    private struct Bag: @unchecked Sendable {
      let objects: [NSManagedObject]
    }
  }
}
