import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// How many statements the store is asked, which is what programs wait for.
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

  /// What SQLite says that it would do.
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

  @Test func `saving 100 new notes is one statement for each, and four around them`() throws {
    try context.performAndWait {
      for number in 1...100 { Note(context: context).title = "\(number)" }
      let statements = try log.during { try context.save() }
      #expect(statements.count == 104)
      #expect(Set(statements).count == 5)
      #expect(statements.first == "BEGIN IMMEDIATE")
      #expect(statements.last == "COMMIT")
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
