import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of a child context's fetches through its parent.
@Suite struct ChildFetchingTests {
  let stack: NotesStack
  let parent: NSManagedObjectContext
  let child: NSManagedObjectContext
  let log: StatementLog

  init() throws {
    stack = try NotesStack(.sqlite)
    try stack.work { context in
      let tag = context.tag("swift")
      for number in 0..<40 {
        let folder = context.folder(String(format: "folder %02d", number))
        let note = context.note(String(format: "note %02d", number), in: folder)
        note.stars = Int16(number % 4)
        note.tags = NSSet(object: tag)
      }
      try context.save()
    }
    stack.coordinator.persistentStores.first?.rowCache.removeAll()
    parent = stack.context()
    child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    log = StatementLog(stack.coordinator)
  }

  private func request() -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  @Test func `a batch is one statement through a parent as well (67)`() throws {
    try child.performAndWait {
      let request = request()
      request.fetchBatchSize = 10
      var notes: [Note] = []
      let first = try log.during { notes = try child.fetch(request) }
      #expect(first.count == 1)
      let second = log.during { #expect(notes[15].title == "note 15") }
      #expect(second.count == 1)
      let id = notes[25].objectID
      parent.performAndWait { parent.find(id).title = "changed by the parent" }
      #expect(notes[21].title == "note 21")
      #expect(notes[25].title == "changed by the parent")
      let third = log.during { for note in notes[10..<20] { #expect(note.title != nil) } }
      #expect(third.isEmpty)
    }
  }

  @Test func `relationships are prefetched through a parent, one statement each (69)`() throws {
    try child.performAndWait {
      let request = request()
      request.relationshipKeyPathsForPrefetching = ["folder.notes", "tags"]
      var notes: [Note] = []
      let statements = try log.during { notes = try child.fetch(request) }
      #expect(statements.count == 4, "\(statements.joined(separator: "\n"))")
      let silence = log.during {
        for note in notes {
          #expect(note.folder?.notes?.contains(note) == true)
          #expect((note.tags?.anyObject() as? TestSupport.Tag)?.name == "swift")
        }
      }
      #expect(silence.isEmpty)
    }
  }

  @Test
  func `a child refreshes with its parent's unsaved values, dictionaries have the store's (61)`()
    throws
  {
    try child.performAndWait {
      let note = try #require(try child.fetch(request()).first)
      #expect(note.stars == 0)
      let id = note.objectID
      parent.performAndWait { parent.find(id).stars = 5 }
      let request = request()
      request.shouldRefreshRefetchedObjects = true
      #expect(try child.fetch(request).first?.stars == 5)
      let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Note")
      dictionaries.resultType = .dictionaryResultType
      dictionaries.propertiesToFetch = ["stars"]
      dictionaries.fetchLimit = 1
      #expect(try child.fetch(dictionaries).first?["stars"] as? Int == 0)
    }
  }

  @Test func `a child fetches while its program goes on (74)`() async throws {
    let child = child
    let titles: [String?] = await withCheckedContinuation { continuation in
      child.perform {
        let request = request()
        request.fetchLimit = 2
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          continuation.resume(returning: result.finalResult?.map(\.title) ?? [])
        }
        do { try child.execute(asynchronous) } catch { Issue.record(error) }
        child.note("a new one")
      }
    }
    #expect(titles == ["a new one", "note 00"])
  }

  @Test func `a request is executed in the child whose block it is in (73)`() throws {
    try parent.performAndWait {
      parent.note("of the parent")
      try child.performAndWait {
        child.note("of the child")
        let found = try Note.fetchRequest().execute()
        #expect(found.count == 42)
        #expect(found.first?.managedObjectContext === child)
        try parent.performAndWait {
          let here = try Note.fetchRequest().execute()
          #expect(here.count == 41)
        }
      }
    }
  }
}
