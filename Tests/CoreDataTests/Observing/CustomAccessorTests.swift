import CoreData
import TestSupport
import Testing

/// Accessors that developers write over primitive values.
@Suite struct CustomAccessorTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a custom accessor records, fires and tells as a generated one (21, 35)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      let observer = Listener()
      note.addObserver(observer, forKeyPath: "title", options: [.old, .new], context: nil)
      note.willChangeValue(forKey: "title")
      note.setPrimitiveValue("Two", forKey: "title")
      note.didChangeValue(forKey: "title")
      #expect(note.isUpdated && note.changedValues().keys.sorted() == ["title"])
      #expect(observer.changes.count == 1)
      #expect(observer.changes[0][.oldKey] as? String == "One")
      #expect(observer.changes[0][.newKey] as? String == "Two")
      note.willChangeValue(for: \.stars)
      note.setPrimitiveValue(3, forKey: "stars")
      note.didChangeValue(for: \.stars)
      #expect(note.changedValues()["stars"] as? Int == 3)
      try context.save()
    }
    try stack.work { #expect($0.find(id).title == "Two") }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the inverse follows when the change has been told (33)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let (one, two) = (context.note("1", in: home), context.note("2"))
      try context.save()
      one.willChangeValue(forKey: "folder")
      one.setPrimitiveValue(work, forKey: "folder")
      #expect(home.titles == ["1"])
      one.didChangeValue(forKey: "folder")
      #expect(home.titles == [] && work.titles == ["1"])
      home.willChangeValue(forKey: "notes")
      home.setPrimitiveValue(NSSet(array: [one, two]), forKey: "notes")
      home.didChangeValue(forKey: "notes")
      #expect(one.folder === home && two.folder === home && work.titles == [])
      #expect(checkInvariants(of: context) == [])
      try context.save()
    }
    try stack.work { context in
      let folders = try context.fetch(Folder.fetchRequest())
      #expect(folders.first { $0.name == "Home" }?.titles == ["1", "2"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what a custom accessor has changed can be undone`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folder = context.folder("F")
      let (one, two) = (context.note("1", in: folder), context.note("2"))
      try context.save()
      let undoManager = UndoManager()
      context.undoManager = undoManager
      one.willChangeValue(forKey: "title")
      one.setPrimitiveValue("changed", forKey: "title")
      one.didChangeValue(forKey: "title")
      folder.willChangeValue(forKey: "notes")
      folder.setPrimitiveValue(NSSet(object: two), forKey: "notes")
      folder.didChangeValue(forKey: "notes")
      #expect(folder.titles == ["2"] && one.folder == nil)
      context.undo()
      #expect(one.title == "1" && folder.titles == ["1"])
      #expect(one.folder === folder && two.folder == nil)
      #expect(checkInvariants(of: context) == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `sets are changed and told by what they gain and lose (35)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let (one, two, three) = (context.note("1"), context.note("2"), context.note("3"))
      folder.addToNotes(one)
      try context.save()
      let observer = Listener()
      folder.addObserver(observer, forKeyPath: "notes", options: [.old, .new], context: nil)
      let change = { (kind: NSKeyValueSetMutationKind, using: Set<Note>, after: Set<Note>) in
        folder.willChangeValue(forKey: "notes", withSetMutation: kind, using: using)
        folder.setPrimitiveValue(after as NSSet, forKey: "notes")
        folder.didChangeValue(forKey: "notes", withSetMutation: kind, using: using)
      }
      change(.union, [one, two], [one, two])
      change(.minus, [one, three], [two])
      change(.set, [three], [three])
      change(.intersect, [one], [])
      #expect(observer.changes.map { $0[.kindKey] as? UInt } == [2, 3, 4, 3])
      #expect(observer.changes.map { $0[.newKey] as? Set<Note> } == [[two], nil, [three], nil])
      #expect(observer.changes.map { $0[.oldKey] as? Set<Note> } == [nil, [one], [two], [three]])
      #expect([one, two, three].allSatisfy { $0.folder == nil })
      #expect(folder.isUpdated)
      #expect(checkInvariants(of: context) == [])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `ordered relationships are changed and told by places (77)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { context in
      let folder = context.folder("F")
      folder.addToPinned(context.note("1"))
      folder.addToPinned(context.note("2"))
      return folder
    }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      var members = folder.pinned?.array as? [Note] ?? []
      let observer = Listener()
      folder.addObserver(observer, forKeyPath: "pinned", options: [.old, .new], context: nil)
      let change = { (kind: NSKeyValueChange, places: IndexSet, change: (inout [Note]) -> Void) in
        folder.willChange(kind, valuesAt: places, forKey: "pinned")
        change(&members)
        folder.setPrimitiveValue(NSOrderedSet(array: members), forKey: "pinned")
        folder.didChange(kind, valuesAt: places, forKey: "pinned")
      }
      let (three, four) = (context.note("3"), context.note("4"))
      change(.insertion, [1]) { $0.insert(three, at: 1) }
      change(.removal, [0]) { $0.remove(at: 0) }
      change(.replacement, [1]) { $0[1] = four }
      #expect(observer.changes.map { $0[.kindKey] as? UInt } == [2, 3, 4])
      #expect(observer.changes.map { $0[.indexesKey] as? IndexSet } == [[1], [0], [1]])
      let titles = { (value: Any?) in (value as? [Note])?.map { $0.title ?? "" } }
      #expect(observer.changes.map { titles($0[.newKey]) } == [["3"], nil, ["4"]])
      #expect(observer.changes.map { titles($0[.oldKey]) } == [nil, ["1"], ["2"]])
      #expect(folder.pinnedTitles == ["3", "4"] && four.pinnedIn === folder)
      try context.save()
    }
    try stack.work { #expect($0.find(id, as: Folder.self).pinnedTitles == ["3", "4"]) }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the mutable ordered set tells of places too (77)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      let notes = (1...3).map { context.note("\($0)") }
      let observer = Listener()
      folder.addObserver(observer, forKeyPath: "pinned", options: [.old, .new], context: nil)
      let pinned = folder.mutableOrderedSetValue(forKey: "pinned")
      pinned.addObjects(from: [notes[0], notes[1]])
      pinned.insert(notes[2], at: 1)
      pinned.removeObject(at: 0)
      #expect(observer.changes.map { $0[.kindKey] as? UInt } == [2, 2, 2, 3])
      #expect(observer.changes.map { $0[.indexesKey] as? IndexSet } == [[0], [1], [1], [0]])
      pinned.exchangeObject(at: 0, withObjectAt: 1)
      #expect(observer.changes.last?[.kindKey] as? UInt == NSKeyValueChange.setting.rawValue)
      #expect(folder.pinnedTitles == ["2", "3"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `observers hear of a property that the model lacks (35)`(kind: StoreKind) throws {
    let entity = CodedModel.entity("Note", QuietDraft.self, CodedModel.attribute("title"))
    let coordinator = try CodedModel.coordinator(CodedModel.model(entity), kind)
    try LivingNotes.work(coordinator) { context in
      let note = QuietDraft(context: context)
      let observer = Listener()
      note.addObserver(observer, forKeyPath: "draft", options: [.old, .new], context: nil)
      note.draft = "1"
      note.draft = "2"
      #expect(observer.changes.map { $0[.newKey] as? String } == ["1", "2"])
      #expect(observer.changes[0][.oldKey] is NSNull)
      #expect(observer.changes[1][.oldKey] as? String == "1")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an array attribute changes through its mutable array`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      let keywords = note.mutableArrayValue(forKey: "keywords")
      #expect(keywords.count == 0 && note.keywords == nil)
      keywords.add("a")
      keywords.addObjects(from: ["c", "d"])
      keywords.insert("b", at: 1)
      keywords.replaceObject(at: 3, with: "e")
      keywords.removeObject(at: 0)
      keywords.removeLastObject()
      #expect(keywords.map { $0 as? String } == ["b", "c"])
      #expect((note.keywords as? [String]) == ["b", "c"])
      #expect(note.isUpdated)
      try context.save()
      keywords.removeAllObjects()
      #expect(note.keywords?.count == 0)
      context.rollback()
      #expect(keywords.count == 2)
    }
    try stack.work { #expect($0.find(id).keywords as? [String] == ["b", "c"]) }
  }

  @Test func `a relationship has no mutable array`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      try NotesStack().work { _ = $0.folder("F").mutableArrayValue(forKey: "pinned") }
    }
    #expect(result.says("Folder.pinned is a relationship; use mutableOrderedSetValue(forKey:)"))
  }
}

/// Keeps the changes it hears of.
private final class Listener: KeyValueObserver {
  var changes: [[NSKeyValueChangeKey: Any]] = []

  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    changes.append(change ?? [:])
  }
}
