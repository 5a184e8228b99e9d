import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Relationships that are read with the objects.
@Suite struct PrefetchTests {
  let stack: NotesStack
  let log: StatementLog
  let context: NSManagedObjectContext

  init() throws {
    stack = try NotesStack(.sqlite)
    try stack.work { context throws in
      let root = context.folder("Root")
      let tags = (0..<3).map { context.tag("tag \($0)") }
      var notes: [Note] = []
      for number in 0..<4 {
        let folder = context.folder("folder \(number)", in: root)
        for index in 0..<5 {
          let note = context.note("\(number).\(index)", in: folder)
          note.tags = NSSet(array: Array(tags.prefix(index % 3)))
          note.addToRelated(notes.last ?? note)
          notes.append(note)
        }
        folder.pinned = NSOrderedSet(array: notes.suffix(3).reversed())
        folder.cover = notes.last
      }
      context.folder("empty", in: root)
      try context.save()
    }
    stack.coordinator.persistentStores.first?.rowCache.removeAll()
    log = StatementLog(stack.coordinator)
    context = stack.context()
  }

  private func fetch<Object: NSManagedObject>(
    _ entity: String,
    _ paths: String...,
    as type: Object.Type = Object.self
  ) throws -> NSFetchRequest<Object> {
    let request = NSFetchRequest<Object>(entityName: entity)
    request.relationshipKeyPathsForPrefetching = paths
    request.sortDescriptors = [
      NSSortDescriptor(key: entity == "Note" ? "title" : "name", ascending: true)
    ]
    return request
  }

  @Test func `to-one paths of two steps are three statements, and then none (69)`() throws {
    try context.performAndWait {
      var notes: [Note] = []
      let request = try fetch("Note", "folder.parent", as: Note.self)
      let log5 = try log.during { notes = try context.fetch(request) }
      #expect(log5.count == 3)
      #expect(notes.allSatisfy { $0.isFault })
      let silence1 = log.during {
        for note in notes { #expect(note.folder?.parent?.name == "Root") }
      }
      #expect(silence1.isEmpty)
    }
  }

  @Test(arguments: ["notes", "pinned", "children"])
  func `to-many relationships are one more statement, and then none (69)`(name: String) throws {
    try context.performAndWait {
      var folders: [Folder] = []
      let request = try fetch("Folder", name, as: Folder.self)
      let log6 = try log.during { folders = try context.fetch(request) }
      #expect(log6.count == 2)
      var found: [[NSObject]] = []
      let silence2 = log.during {
        found = folders.map { folder in
          let value = folder.value(forKey: name)
          let members =
            (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
          return members.compactMap { member in
            (member as? NSManagedObject).map { _ = $0.value(forKey: "objectID") }
            _ = (member as? Note)?.title
            _ = (member as? Folder)?.name
            return member as? NSObject
          }
        }
      }
      #expect(silence2.isEmpty)
      let other = stack.context()
      try other.performAndWait {
        let plain = try other.fetch(try fetch("Folder", as: Folder.self))
        for (folder, members) in zip(plain, found) {
          let value = folder.value(forKey: name)
          let ids = members.compactMap { ($0 as? NSManagedObject)?.objectID }
          if let ordered = value as? NSOrderedSet {
            #expect(ordered.array.compactMap { ($0 as? NSManagedObject)?.objectID } == ids)
          } else {
            let set = (value as? NSSet)?.allObjects.compactMap {
              ($0 as? NSManagedObject)?.objectID
            }
            #expect(Set(set ?? []) == Set(ids))
          }
        }
      }
    }
  }

  @Test func `many-to-many and reflexive relationships are one statement each (69)`() throws {
    try context.performAndWait {
      var notes: [Note] = []
      let request = try fetch("Note", "tags", "related", as: Note.self)
      let log7 = try log.during { notes = try context.fetch(request) }
      #expect(log7.count == 3)
      let silence3 = log.during {
        #expect(notes.map { $0.tags?.count ?? 0 }.prefix(5) == [0, 1, 2, 0, 1])
        #expect(notes[1].related == NSSet(array: [notes[0], notes[2]]))
        for case let tag as TestSupport.Tag in notes[2].tags ?? NSSet() { #expect(tag.name != nil) }
      }
      #expect(silence3.isEmpty)
    }
  }

  @Test func `paths that begin alike share their steps (69)`() throws {
    try context.performAndWait {
      var folders: [Folder] = []
      let request = try fetch("Folder", "notes", "notes.tags", "notes.folder", as: Folder.self)
      // folders, notes, tags; the notes' folders are there already
      let log8 = try log.during { folders = try context.fetch(request) }
      #expect(log8.count == 3)
      let silence4 = log.during {
        for folder in folders {
          for case let note as Note in folder.notes ?? NSSet() {
            #expect(note.folder === folder)
            for case let tag as TestSupport.Tag in note.tags ?? NSSet() { _ = tag.name }
          }
        }
      }
      #expect(silence4.isEmpty)
    }
  }

  @Test func `unsaved changes and later saves are seen in what was prefetched`() throws {
    try context.performAndWait {
      let folders = try context.fetch(try fetch("Folder", "notes", as: Folder.self))
      let folder = try #require(folders.first { $0.name == "folder 1" })
      let first = try #require(folder.managedObjectContext).note("new", in: folder)
      #expect(folder.titles == ["1.0", "1.1", "1.2", "1.3", "1.4", "new"])
      context.delete(first)
      context.processPendingChanges()
      #expect(folder.titles == ["1.0", "1.1", "1.2", "1.3", "1.4"])
      let second = try #require(folders.first { $0.name == "folder 2" })
      let id = second.objectID
      try stack.work { other in
        let theirs = other.find(id, as: Folder.self)
        for case let note as Note in theirs.notes ?? NSSet() where note.title == "2.0" {
          note.folder = nil
        }
        try other.save()
      }
      context.refresh(second, mergeChanges: true)
      #expect(second.titles == ["2.1", "2.2", "2.3", "2.4"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `prefetched relationships are the same in every kind of store (69)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context throws in
      let folder = context.folder("A")
      let note = context.note("a", in: folder)
      note.tags = NSSet(object: context.tag("t"))
      folder.pinned = NSOrderedSet(object: note)
      try context.save()
    }
    try stack.work { context throws in
      let request = NSFetchRequest<Folder>(entityName: "Folder")
      request.relationshipKeyPathsForPrefetching = ["notes.tags", "pinned", "parent"]
      let folder = try #require(try context.fetch(request).first)
      #expect(folder.titles == ["a"])
      #expect(folder.pinnedTitles == ["a"])
      #expect((folder.notes?.anyObject() as? Note)?.tags?.count == 1)
      #expect(checkInvariants(of: context).isEmpty)
    }
  }

  @Test func `a prefetching context gives its memory back`() throws {
    weak var weakContext: NSManagedObjectContext?
    weak var weakNote: Note?
    try {
      let context = stack.context()
      weakContext = context
      try context.performAndWait {
        let request = try fetch("Note", "folder.notes", "tags", as: Note.self)
        let notes = try context.fetch(request)
        weakNote = notes.first
        #expect(notes.first?.folder?.notes?.count == 5)
      }
    }()
    #expect(weakContext == nil)
    #expect(weakNote == nil)
  }

  @Test func `a path that is no relationship stops the program (69)`() async {
    await #expect(processExitsWith: .failure) {
      let context = try NotesStack().context()
      try context.performAndWait {
        let request = Note.fetchRequest()
        request.relationshipKeyPathsForPrefetching = ["title"]
        _ = try context.fetch(request)
      }
    }
  }
}
