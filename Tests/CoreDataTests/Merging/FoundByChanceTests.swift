import CoreData
import Foundation
import TestSupport
import Testing

/// Faults that random steps in three contexts have found.
@Suite struct FoundByChanceTests {
  @Test(arguments: [nil, 0, 1, 2] as [Int?], [false, true])
  func `an order changed elsewhere is merged under a draft of a member (87)`(
    drafted: Int?,
    inChild: Bool
  ) throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      for (index, title) in ["a", "b", "c"].enumerated() {
        let note = context.note(title)
        note.text = title
        folder.insertIntoPinned(note, at: index)
      }
      return folder
    }
    try stack.work { reader in
      let folder = reader.find(id, as: Folder.self)
      let notes = try #require(folder.pinned?.array as? [Note])
      if let drafted { notes[drafted].title = "draft" }
      reader.processPendingChanges()
      try stack.family { desk, child in
        let context = inChild ? child : desk
        context.find(id, as: Folder.self).mutableOrderedSetValue(forKey: "pinned")
          .moveObjects(at: [2], to: 1)
        if inChild { try child.save() }
        let received = Received(desk, .NSManagedObjectContextDidSave)
        try desk.save()
        reader.mergeChanges(
          fromContextDidSave: Notification(
            name: .NSManagedObjectContextDidSave,
            object: desk,
            userInfo: received.last
          )
        )
      }
      #expect((folder.pinned?.array as? [Note])?.map(\.text) == ["a", "c", "b"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest), [false, true])
  func `an order that another context made is changed back, and the store hears of it`(
    kind: StoreKind,
    prefetches: Bool
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      for title in ["a", "b", "c"] { folder.addToPinned(context.note(title)) }
      return folder
    }
    try stack.work { context in
      context.retainsRegisteredObjects = true
      let folder = context.find(id, as: Folder.self)
      #expect(folder.pinnedTitles == ["a", "b", "c"])
      try stack.work { other in
        other.find(id, as: Folder.self).mutableOrderedSetValue(forKey: "pinned")
          .moveObjects(at: [2], to: 1)
        try other.save()
      }
      context.refresh(folder, mergeChanges: !prefetches)
      if prefetches {
        let request = Folder.fetchRequest()
        request.relationshipKeyPathsForPrefetching = ["pinned"]
        _ = try context.fetch(request)
      }
      #expect(folder.pinnedTitles == ["a", "c", "b"])
      folder.mutableOrderedSetValue(forKey: "pinned").moveObjects(at: [2], to: 1)
      try context.save()
    }
    #expect(try stack.work { $0.find(id, as: Folder.self).pinnedTitles } == ["a", "b", "c"])
  }

  @Test(arguments: [false, true], [false, true])
  func `a deletion saved through a parent is taken back and saved again (90, 91)`(
    merges: Bool,
    changesFirst: Bool
  ) throws {
    let stack = try NotesStack(.sqlite)
    let id = try stack.saved { $0.folder("E") }
    try stack.work { context in
      context.find(id, as: Folder.self).name = "F"
      try context.save()
    }
    try stack.family { desk, child in
      let undoManager = UndoManager()
      undoManager.groupsByEvent = false
      desk.automaticallyMergesChangesFromParent = merges
      child.automaticallyMergesChangesFromParent = merges
      child.undoManager = undoManager
      let folder = child.find(id, as: Folder.self)
      if changesFirst {
        undoManager.beginUndoGrouping()
        child.note("n", in: folder)
        child.processPendingChanges()
        undoManager.endUndoGrouping()
        child.undo()
      }
      undoManager.beginUndoGrouping()
      child.delete(folder)
      child.processPendingChanges()
      undoManager.endUndoGrouping()
      try child.save()
      child.undo()
      try child.save()
      try desk.save()
    }
    #expect(try stack.work { try $0.folders() } == ["F"])
  }
}
