import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Loops over a result that follow a relationship of each object, which are read some objects at a time.
@Suite struct RelationshipWalkTests {
  let stack: NotesStack
  let log: StatementLog

  init() throws {
    stack = try NotesStack(.sqlite)
    try stack.work { context in
      for number in 100..<300 {
        let folder = context.folder("folder \(number)")
        for index in 0..<number % 3 { context.note("\(number).\(index)", in: folder) }
      }
      try context.save()
    }
    stack.coordinator.persistentStores.first?.rowCache.removeAll()
    log = StatementLog(stack.coordinator)
  }

  private func folders(_ context: NSManagedObjectContext) throws -> [Folder] {
    let request = NSFetchRequest<Folder>(entityName: "Folder")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request)
  }

  private func notes(_ context: NSManagedObjectContext) throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return try context.fetch(request)
  }

  private func titles(_ folder: Folder) -> [String] {
    ((folder.notes?.allObjects as? [Note]) ?? []).compactMap(\.title).sorted()
  }

  @Test func `200 folders whose notes are read one after the other are nine statements`() throws {
    try stack.work { context in
      let folders = try folders(context)
      let statements = log.during {
        for (number, folder) in zip(100..., folders) {
          #expect(titles(folder) == (0..<number % 3).map { "\(number).\($0)" })
        }
      }
      #expect(statements.count == 9)
    }
  }

  @Test func `200 notes whose folders are read one after the other are few statements`() throws {
    try stack.work { context in
      let notes = try notes(context)
      let statements = log.during {
        for note in notes {
          #expect(note.title?.prefix(3) == note.folder?.name?.suffix(3))
        }
      }
      #expect(statements.count == 8)
    }
  }

  @Test func `a child's loop asks its parent for some objects at a time`() throws {
    try stack.work { parent in
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      try child.performAndWait {
        let folders = try folders(child)
        let statements = log.during {
          for (number, folder) in zip(100..., folders) {
            #expect(titles(folder).count == number % 3)
          }
        }
        #expect(statements.count < 20)
      }
    }
  }

  @Test func `a program that reads the notes of two folders reads no others`() throws {
    try stack.work { context in
      let folders = try folders(context)
      let statements = log.during { for folder in folders.prefix(2) { _ = folder.notes?.count } }
      #expect(statements.count == 2)
      #expect(folders[2...].allSatisfy { $0.existingExtras?.prefetched == nil })
    }
  }

  @Test func `a program that reads folders in no order reads no others with them`() throws {
    try stack.work { context in
      let folders = try folders(context)
      let statements = log.during {
        for number in [190, 80, 150, 110] { _ = folders[number].notes?.count }
      }
      #expect(statements.count == 4)
    }
  }

  @Test func `rows with an age are read when they are asked for`() throws {
    try stack.work { context in
      context.stalenessInterval = 0
      let folders = try folders(context)
      let statements = log.during { for folder in folders.prefix(20) { _ = folder.notes?.count } }
      // The row of each folder, and its notes.
      #expect(statements.count == 40)
    }
  }

  @Test func `what this context or another one changes during the loop is seen`() throws {
    try stack.work { context in
      let folders = try folders(context)
      for (number, folder) in folders.prefix(50).enumerated() {
        let next = folders[number + 1]
        switch number % 4 {
        case 1: context.note("mine", in: next)
        case 2:
          let (identity, title) = (next.objectID, "theirs \(number)")
          try stack.work { other in
            other.note(title, in: other.object(with: identity) as? Folder)
            try other.save()
          }
        case 3: (next.notes?.anyObject() as? Note)?.folder = folder
        default: break
        }
        if number % 4 == 2 { #expect(titles(folder).contains("mine")) }
        if number % 4 == 3 { #expect(titles(folder).contains("theirs \(number - 1)")) }
      }
    }
  }

  @Test func `a second later, notes of another program are seen that were read ahead without`()
    throws
  {
    let stranger = try stack.reopened()
    try stack.work { context in
      let folders = try folders(context)
      for folder in folders.prefix(3) { _ = folder.notes?.count }
      #expect(folders[3].existingExtras?.prefetched != nil)
      try stranger.work { other in
        other.note("strange", in: try self.folders(other)[3])
        try other.save()
      }
      Thread.sleep(forTimeInterval: 1.1)
      #expect(titles(folders[3]).contains("strange"))
    }
  }

  @Test func `loops that skip, repeat, stop and change find what a fresh context finds`() throws {
    var random = RepeatableNumbers(seed: 70)
    for _ in 0..<20 {
      try stack.work { context in
        let folders = try folders(context)
        var place = 0
        for _ in 0..<60 {
          place =
            Int.random(in: 0..<10, using: &random) == 0
            ? 0 : place + Int.random(in: 1...3, using: &random)
          let folder = folders[place % folders.count]
          let identity = folder.objectID
          if Int.random(in: 0..<4, using: &random) == 0 {
            let ahead = folders[(place + 2) % folders.count].objectID
            try stack.work { other in
              if let note = try self.notes(other).randomElement(using: &random) {
                note.folder = other.object(with: ahead) as? Folder
              }
              try other.save()
            }
          }
          let isRead = folder.hasFault(forRelationshipNamed: "notes") == false
          let found = titles(folder)
          if isRead { continue }
          try stack.work { fresh in
            let folder = fresh.object(with: identity) as? Folder
            #expect(folder.map(titles) == found)
          }
        }
      }
    }
  }

  @Test func `fewer objects are read together if they have many members`() throws {
    try stack.work { context in
      let keys = try folders(context).map(\.key)
      var walks = RelationshipWalks()
      walks.note(keys)
      #expect((0..<3).map { walks.step(keys[$0], at: 1)?.count } == [nil, nil, 4])
      walks.noteMembers(20_000, of: 5, after: keys[2], at: 1, most: 10_000)
      #expect(walks.step(keys[3], at: 1)?.count == 1)
      walks.noteMembers(200, of: 5, after: keys[3], at: 1, most: 32)
      #expect(walks.step(keys[4], at: 1) == nil)
    }
  }
}
