import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Faults that get their values batch by batch.
@Suite struct FetchBatchTests {
  let stack: NotesStack
  let log: StatementLog

  init() throws {
    stack = try NotesStack(.sqlite)
    try stack.work { context throws in
      let folder = context.folder("Ideas")
      for number in 0..<200 {
        let note = context.note(String(format: "note %03d", number), in: folder)
        note.stars = Int16(number % 5)
        note.text = String(repeating: "x", count: 2000)
      }
      try context.save()
    }
    stack.coordinator.persistentStores.first?.rowCache.removeAll()
    log = StatementLog(stack.coordinator)
  }

  private func request(_ size: Int = 20) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    request.fetchBatchSize = size
    return request
  }

  @Test func `one access reads the twenty notes of its batch, in one statement (67)`() throws {
    let context = stack.context()
    try context.performAndWait {
      var notes: [Note] = []
      let log2 = try log.during { notes = try context.fetch(request()) }
      #expect(log2.count == 1)
      #expect(notes.count == 200)
      #expect(notes.allSatisfy { $0.isFault })
      #expect(notes.allSatisfy { $0.record.pointee.stored == nil })
      let log3 = log.during { #expect(notes[50].title == "note 149") }
      #expect(log3.count == 1)
      #expect(notes.filter { $0.record.pointee.stored != nil } == Array(notes[40..<60]))
      let silence1 = log.during {
        for note in notes[40..<60] { #expect(note.text?.count == 2000) }
      }
      #expect(silence1.isEmpty)
      let log4 = log.during { for note in notes { _ = note.title } }
      #expect(log4.count == 9)
    }
  }

  @Test func `a note of a batch that another context has deleted is gone, the others are there`()
    throws
  {
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.fetch(request())
      let gone = notes[3].objectID
      try stack.work { other in
        other.delete(other.find(gone))
        try other.save()
      }
      #expect(notes[2].title == "note 197")
      #expect(notes[3].title == nil)
      #expect(notes[4].title == "note 195")
    }
  }

  @Test func `a batched fetch sees unsaved changes and reads few rows for their places (60, 67)`()
    throws
  {
    let context = stack.context()
    try context.performAndWait {
      context.note("note 149 and a half")
      let all = try context.fetch(request())
      context.delete(all[0])
      all[10].title = "note 000 a"
      let plain = request(0)
      let other = stack.context()
      let expected = try context.fetch(plain).map(\.objectID)
      withExtendedLifetime(other) {}
      context.refreshAllObjects()
      #expect(try context.fetch(request()).map(\.objectID) == expected)
      #expect(all.count == 201)
    }
  }

  @Test func `a changed object of a batch went behind its equals (67)`() throws {
    try stack.work { context in
      let request = request()
      request.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: false)]
      let notes = try context.fetch(request)
      var expected = notes.map(\.objectID)
      for place in [0, 50, 51, 52, 199] { notes[place].text = "changed" }
      #expect(try context.fetch(request).map(\.objectID) == expected)
      notes[51].stars = 4
      let moved = expected.remove(at: 51)
      expected.insert(moved, at: 40)
      #expect(try context.fetch(request).map(\.objectID) == expected)
      request.fetchOffset = 40
      request.fetchLimit = 2
      #expect(try context.fetch(request).map(\.objectID) == Array(expected[40..<42]))
    }
  }

  @Test func `what waits in no batch takes little memory (67)`() throws {
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.fetch(request())
      _ = notes[0].title
      let bytes = notes.reduce(0) { $0 + ($1.record.pointee.stored?.size ?? 0) }
      let full = stack.context()
      let all = try full.performAndWait { try full.fetch(request(0)) }
      let fullBytes = all.reduce(0) { $0 + ($1.record.pointee.stored?.size ?? 0) }
      #expect(bytes * 9 < fullBytes)
    }
  }

  @Test func `batches bring the relationships that are prefetched (67, 69)`() throws {
    let context = stack.context()
    try context.performAndWait {
      let request = request()
      request.relationshipKeyPathsForPrefetching = ["folder"]
      let notes = try context.fetch(request)
      let log5 = log.during { _ = notes[0].title }
      #expect(log5.count == 2)
      let log6 = log.during { #expect(notes[7].folder?.name == "Ideas") }
      #expect(log6.isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `batches of every size give all notes in every kind of store (67)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      for number in 0..<23 { context.note("\(number)") }
      try context.save()
    }
    for size in [1, 2, 7, 23, 100] {
      try stack.work { context throws in
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.fetchBatchSize = size
        request.fetchLimit = 20
        #expect(try context.fetch(request).compactMap(\.title) == (0..<20).map(String.init))
      }
    }
  }
}
