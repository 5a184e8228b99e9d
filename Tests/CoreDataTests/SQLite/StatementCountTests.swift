import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of the number of statements to the store, for which programs wait.
@Suite struct StatementCountTests {
  let stack: NotesStack
  let context: NSManagedObjectContext
  let log: StatementLog

  init() throws {
    stack = try NotesStack(.sqlite)
    let writer = stack.context()
    try writer.performAndWait {
      let folder = Folder(context: writer)
      folder.name = "Ideas"
      let tag = Tag(context: writer)
      tag.name = "swift"
      for number in 1...100 {
        let note = Note(context: writer)
        note.title = "note \(number)"
        note.created = Date(timeIntervalSinceReferenceDate: Double(number))
        note.folder = folder
        note.tags = NSSet(array: [tag])
      }
      try writer.save()
    }
    stack.coordinator.persistentStores.first?.rowCache.removeAll()
    context = stack.context()
    log = StatementLog(stack.coordinator)
  }

  @Test func `fetching 100 notes and reading all their attributes is one statement`() throws {
    try context.performAndWait {
      let statements = try log.during {
        for note in try context.fetch(Note.fetchRequest()) {
          for name in note.entity.attributesByName.keys { _ = note.value(forKey: name) }
        }
      }
      #expect(statements.count == 1)
      #expect(statements.first?.hasPrefix("SELECT") == true)
    }
  }

  @Test func `the keys of one entity's objects were read from their rows, not from an index`()
    throws
  {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
      request.resultType = .managedObjectIDResultType
      var found: [NSManagedObjectID] = []
      let statements = try log.during { found = try context.fetch(request) }
      #expect(statements.first?.contains("Z_ENT") == false)
      #expect(found.map(\.entity.name) == ["Tag"])
      let tag = try #require(found.first.map { try context.existingObject(with: $0) })
      #expect(tag.value(forKey: "name") as? String == "swift")
    }
  }

  @Test(arguments: ["notes", "children", "pinned"])
  func `a to-many relationship with its members' attributes is one statement`(
    name: String
  ) throws {
    try context.performAndWait {
      let folder = try #require(context.fetch(Folder.fetchRequest()).first)
      let statements = log.during {
        let members = folder.value(forKey: name)
        let all = (members as? NSOrderedSet)?.array ?? (members as? NSSet)?.allObjects ?? []
        for case let note as Note in all { _ = note.title }
      }
      #expect(statements.count == 1)
    }
  }

  @Test func `a many-to-many relationship is one statement`() throws {
    try context.performAndWait {
      let tag = try #require(context.fetch(TestSupport.Tag.fetchRequest()).first)
      let statements = log.during { #expect(tag.notes?.count == 100) }
      #expect(statements.count == 1)
    }
  }

  @Test(arguments: [("Note", "tags"), ("Folder", "notes")])
  func `members come as an index has them, and are not sorted`(
    entity: String,
    relationship: String
  ) throws {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      let owner = try #require(context.fetch(request).first)
      let one = log.during {
        #expect((owner.value(forKey: relationship) as? NSSet)?.count ?? 0 > 0)
      }
      let other = stack.context()
      let many = try other.performAndWait {
        request.relationshipKeyPathsForPrefetching = [relationship]
        return try log.during { _ = try other.fetch(request) }
      }
      for statement in [one.last, many.last] {
        let steps = try plan(of: #require(statement))
        #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
      }
    }
  }

  /// SQLite's plan for a statement.
  private func plan(of statement: String) throws -> [String] {
    try #require(stack.coordinator.pool).read { connection in
      let explanation = try connection.statement("EXPLAIN QUERY PLAN \(statement)" as String)
      var steps: [String] = []
      while try explanation.step() { steps.append(explanation.text(3)) }
      return steps
    }
  }

  @Test func `adding to a to-many relationship with a to-one inverse reads nothing`() throws {
    try context.performAndWait {
      let folder = try #require(context.fetch(Folder.fetchRequest()).first)
      let statements = log.during {
        let note = Note(context: context)
        folder.addToNotes(note)
        #expect(note.folder === folder)
        Note(context: context).folder = folder
        context.processPendingChanges()
      }
      #expect(statements == [])
    }
  }

  @Test func `counting is one statement, and reads no rows`() throws {
    try context.performAndWait {
      let statements = try log.during {
        let count = try context.count(for: Note.fetchRequest())
        #expect(count == 100)
      }
      #expect(statements == [#"SELECT COUNT(*) FROM "ZNOTE" "t0""#])
    }
  }

  @Test func `what was read stays read, also in another context`() throws {
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      let statements = try log.during {
        _ = note.title
        let other = stack.context()
        try other.performAndWait { _ = try other.existingObject(with: note.objectID) }
      }
      #expect(statements == [])
    }
  }

  @Test func `saving 100 new notes is one statement for each, and three around them`() throws {
    try context.performAndWait {
      for number in 1...100 { Note(context: context).title = "\(number)" }
      let statements = try log.during { try context.save() }
      #expect(statements.count == 103)
      #expect(Set(statements).count == 4)
      #expect(statements.first == "BEGIN IMMEDIATE")
      #expect(statements.last == "COMMIT")
    }
  }

  @Test func `the last key is asked for once, and again when somebody else has written`() throws {
    let asking = "SELECT (SELECT Z_MAX"
    let file = try #require(stack.coordinator.persistentStores.first?.url)
    try context.performAndWait {
      func newNote() throws -> (key: Int64, asks: Bool) {
        let note = Note(context: context)
        note.title = "new"
        let statements = try log.during { try context.save() }
        return (note.key.number, statements.contains { $0.hasPrefix(asking) })
      }
      let first = try newNote()
      let second = try newNote()
      #expect(!second.asks && second.key == first.key + 1)
      let other = try Connection(path: file.path)
      try other.run(
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) SELECT 900, Z_ENT, 1 FROM ZNOTE LIMIT 1"
      )
      let third = try newNote()
      #expect(third.asks && third.key == 901, "the row of somebody who told nobody of his key")
      let fourth = try newNote()
      #expect(!fourth.asks && fourth.key == 902)
    }
  }

  @Test(arguments: ["rows of a copy", "keys without rows", "a refused save", "a batch"])
  func `a key was given twice after rows with keys of their own`(_ what: String) throws {
    try context.performAndWait {
      let first = Note(context: context)
      first.title = "first"
      try context.save()
      switch what {
      case "keys without rows":
        let new = [Note(context: context), Note(context: context)]
        try context.obtainPermanentIDs(for: new)
        context.delete(new[1])
        new[0].title = "kept"
        try context.save()
        #expect(new[0].key.number == first.key.number + 1)
      case "a refused save":
        let rival = stack.context()
        try rival.performAndWait {
          let same = try #require(try rival.existingObject(with: first.objectID) as? Note)
          same.title = "rival"
          try rival.save()
        }
        first.title = "mine"
        Note(context: context).title = "with it"
        #expect(throws: CocoaError.self) { try context.save() }
        context.rollback()
      case "a batch":
        let request = NSBatchInsertRequest(
          entityName: "Note",
          objects: [["title": "a"], ["title": "b"]]
        )
        _ = try context.execute(request)
      default:
        let copy = URL(fileURLWithPath: NSTemporaryDirectory() + UUID().uuidString + ".sqlite")
        defer { try? FileManager.default.removeItem(at: copy) }
        let store = try #require(stack.coordinator.persistentStores.first)
        _ = try stack.coordinator.migratePersistentStore(store, to: copy, type: .sqlite)
        return try expectNewKeys()
      }
      try expectNewKeys()
    }
  }

  /// Whether two more notes get keys that no row has.
  private func expectNewKeys() throws {
    for _ in 1...2 {
      let known = try Set(context.fetch(Note.fetchRequest()).map(\.key.number))
      let note = Note(context: context)
      note.title = "new"
      try context.save()
      #expect(!known.contains(note.key.number) && note.key.number > known.max() ?? 0)
    }
  }

  @Test func `many new notes are there for another context without a statement`() throws {
    try context.performAndWait {
      let notes = (1...600).map { number in
        let note = Note(context: context)
        note.title = "new \(number)"
        return note
      }
      try context.save()
      let other = stack.context()
      let (first, gone) = (notes[0].objectID, notes[1].objectID)
      let statements = try log.during {
        try other.performAndWait {
          for (place, note) in notes.enumerated() {
            let same = try #require(try other.existingObject(with: note.objectID) as? Note)
            #expect(same.title == "new \(place + 1)")
          }
        }
      }
      #expect(statements == [])
      notes[0].title = "changed"
      context.delete(notes[1])
      try context.save()
      let third = stack.context()
      third.performAndWait {
        #expect((third.object(with: first) as? Note)?.title == "changed")
        #expect(throws: CocoaError.self) { try third.existingObject(with: gone) }
      }
    }
  }

  @Test func `an update writes what has changed, and nothing else`() throws {
    try context.performAndWait {
      let note = try #require(context.fetch(Note.fetchRequest()).first)
      note.stars = 4
      note.title = "changed"
      let statements = try log.during { try context.save() }
      #expect(
        statements == [
          "BEGIN IMMEDIATE",
          #"UPDATE "ZNOTE" SET "ZSTARS" = ?1, "ZTITLE" = ?2, "Z_OPT" = ?3"#
            + #" WHERE "Z_PK" = ?4 AND COALESCE("Z_OPT", 0) = ?5"#,
          "COMMIT",
        ]
      )
    }
  }

  @Test func `deleting 100 objects reads what each relationship leads to at once`() throws {
    try context.performAndWait {
      let notes = try context.fetch(Note.fetchRequest())
      for note in notes { _ = note.title }
      let statements = log.during {
        for note in notes { context.delete(note) }
        context.processPendingChanges()
      }
      // The notes related to all, their tags, the one folder, and the notes in order of the one tag.
      #expect(statements.count == 4, "\(statements)")
      try context.save()
      #expect(try context.count(for: Note.fetchRequest()) == 0)
    }
  }

  @Test func `saving nothing is no statement`() throws {
    try context.performAndWait {
      _ = try context.fetch(Note.fetchRequest())
      let statements = try log.during { try context.save() }
      #expect(statements == [])
    }
  }
}
