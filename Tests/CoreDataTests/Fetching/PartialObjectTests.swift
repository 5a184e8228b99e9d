import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Objects that come with some of their values, or newer ones, or none.
@Suite struct PartialObjectTests {
  private func filled(_ kind: StoreKind) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let folder = context.folder("Ideas")
      for number in 0..<3 {
        let note = context.note("note \(number)", in: folder)
        note.text = "text \(number)"
        note.stars = Int16(number)
      }
      try context.save()
    }
    stack.coordinator.persistentStores.first?.rowCache.removeAll()
    return stack
  }

  private func request() -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `objects come with the properties that are fetched, and get the others later (63)`(
    kind: StoreKind
  ) throws {
    let stack = try filled(kind)
    let log = StatementLog(stack.coordinator)
    try stack.work { context throws in
      let request = request()
      request.propertiesToFetch = ["title", "folder"]
      var notes: [Note] = []
      let statements = try log.during { notes = try context.fetch(request) }
      if kind.isSQLite {
        #expect(statements.first?.contains("ZTITLE") == true)
        #expect(statements.first?.contains("ZTEXT") == false)
      }
      let silence1 = log.during {
        #expect(notes.map(\.title) == ["note 0", "note 1", "note 2"])
        #expect(notes.allSatisfy { $0.folder != nil })
      }
      #expect(silence1.isEmpty)
      if kind.isSQLite { #expect(notes.allSatisfy { $0.isFault }) }
      let later = log.during { #expect(notes[1].text == "text 1") }
      #expect(later.count == (kind.isSQLite ? 1 : 0))
      #expect(!notes[1].isFault)
      notes[2].title = "changed"
      try context.save()
      #expect(notes[2].text == "text 2")
      #expect(notes[2].stars == 2)
      #expect(notes[2].folder === notes[0].folder)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a part of the values never stands for all of them in another context (63)`(
    kind: StoreKind
  ) throws {
    let stack = try filled(kind)
    try stack.work { context throws in
      let request = request()
      request.propertiesToFetch = ["title"]
      let notes = try context.fetch(request)
      let other = stack.context()
      try other.performAndWait {
        let theirs = try other.existingObject(with: notes[0].objectID) as? Note
        #expect(theirs?.text == "text 0")
      }
      #expect(notes[2].value(forKey: "stars") as? Int == 2)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a fetch leaves values as they are unless it shall refresh them (60)`(
    kind: StoreKind
  )
    throws
  {
    let stack = try filled(kind)
    try stack.work { context throws in
      let notes = try context.fetch(request())
      #expect(notes.map(\.stars) == [0, 1, 2])
      notes[1].text = "mine"
      try stack.work { other in
        for note in try other.fetch(request()) { note.stars += 2 }
        try other.save()
      }
      #expect(try context.fetch(request()).map(\.stars) == [0, 1, 2])
      let refreshing = request()
      refreshing.shouldRefreshRefetchedObjects = true
      #expect(try context.fetch(refreshing).map(\.stars) == [2, 3, 4])
      #expect(notes[1].text == "mine")
      #expect(context.updatedObjects == [notes[1]])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a count of objects refreshed them where others were unsaved (60)`(kind: StoreKind) throws {
    let stack = try filled(kind)
    try stack.work { context throws in
      let notes = try context.fetch(request())
      #expect(notes.map(\.stars) == [0, 1, 2])
      context.note("unsaved")
      try stack.work { other in
        for note in try other.fetch(request()) { note.stars += 2 }
        try other.save()
      }
      let refreshing = request()
      refreshing.shouldRefreshRefetchedObjects = true
      #expect(try context.count(for: refreshing) == 4)
      let ids = refreshing.retyped(NSManagedObjectID.self)
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids).count == 4)
      #expect(notes.map(\.stars) == [0, 1, 2])
      #expect(try context.fetch(refreshing).prefix(3).map(\.stars) == [2, 3, 4])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `objects come as faults, with values, or without (62)`(kind: StoreKind) throws {
    let stack = try filled(kind)
    try stack.work { context throws in
      let request = request()
      request.includesPropertyValues = false
      #expect(try context.fetch(request).allSatisfy { $0.record.pointee.stored == nil })
      context.reset()
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request).allSatisfy { !$0.isFault })
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `identities are found without objects (70)`(kind: StoreKind) throws {
    let stack = try filled(kind)
    try stack.work { context throws in
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      request.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
      request.fetchLimit = 2
      let ids = try context.fetch(request)
      #expect(context.registeredObjects.isEmpty)
      #expect(ids.map { context.find($0).stars } == [2, 1])
      context.find(ids[0]).stars = 0
      let new = context.note("new")
      new.stars = 5
      #expect(try context.fetch(request).map { context.find($0).stars } == [5, 1])
    }
  }
}
