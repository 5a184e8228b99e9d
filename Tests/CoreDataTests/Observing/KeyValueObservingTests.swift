import CoreData
import TestSupport
import Testing

@Suite struct KeyValueObservingTests {
  @Test func `an observer hears of old and new as the bookstore prints them`() throws {
    try NotesStack().work { context in
      let note = context.note("The first book")
      let observer = Listener()
      note.addObserver(observer, forKeyPath: "title", options: [.old, .new], context: nil)
      note.title = "The new title"
      note.removeObserver(observer, forKeyPath: "title")
      note.title = "unheard"
      #expect(observer.lines == ["Changed value for title: The first book -> The new title"])
      #expect(observer.objects == [note])
      #expect(observer.changes[0][.kindKey] as? UInt == NSKeyValueChange.setting.rawValue)
    }
  }

  @Test func `nil is NSNull in a change`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      let observer = Listener()
      note.addObserver(observer, forKeyPath: "text", options: [.old, .new], context: nil)
      note.text = "T"
      note.text = nil
      #expect(observer.changes[0][.oldKey] is NSNull)
      #expect(observer.changes[1][.newKey] is NSNull)
    }
  }

  @Test func `only what was asked for is told`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      let observer = Listener()
      note.addObserver(observer, forKeyPath: "title", options: [], context: nil)
      note.title = "2"
      #expect(Array(observer.changes[0].keys) == [.kindKey])
    }
  }

  @Test func `initial and prior come when they should`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      let observer = Listener()
      note.addObserver(
        observer,
        forKeyPath: "title",
        options: [.old, .new, .initial, .prior],
        context: nil
      )
      #expect(observer.changes.count == 1)
      #expect(observer.changes[0][.newKey] as? String == "1")
      #expect(observer.changes[0][.oldKey] == nil)
      note.title = "2"
      #expect(observer.changes.count == 3)
      #expect(observer.changes[1][.notificationIsPriorKey] as? Bool == true)
      #expect(observer.changes[1][.oldKey] as? String == "1")
      #expect(observer.changes[1][.newKey] == nil)
      #expect(observer.changes[2][.notificationIsPriorKey] == nil)
      #expect(observer.changes[2][.newKey] as? String == "2")
    }
  }

  @Test func `an observer is removed by its pointer alone`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      let observer = Listener()
      let pointer = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
      defer { pointer.deallocate() }
      note.addObserver(observer, forKeyPath: "title", context: nil)
      note.addObserver(observer, forKeyPath: "title", context: pointer)
      note.removeObserver(observer, forKeyPath: "title", context: pointer)
      note.title = "2"
      #expect(observer.pointers == [nil])
    }
  }

  @Test func `a closure hears of typed values until it is invalidated`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      var heard: [String] = []
      let title = note.observe(\.title, options: [.old, .new]) { note, change in
        heard.append(
          "\(note.stars): \(String(describing: change.oldValue)) \(change.newValue as Any)"
        )
        #expect(change.kind == .setting)
        #expect(!change.isPrior)
      }
      let stars = note.observe(\.stars, options: [.new]) { _, change in
        heard.append("stars \(change.newValue ?? -1), \(change.oldValue as Any)")
      }
      note.title = "2"
      note.stars = 4
      title.invalidate()
      note.title = "3"
      note.setValue(5, forKey: "stars")
      withExtendedLifetime(stars) {}
      #expect(
        heard == [
          "0: Optional(Optional(\"1\")) Optional(Optional(\"2\"))", "stars 4, nil", "stars 5, nil",
        ]
      )
    }
  }

  @Test func `an observation ends with the last reference to it`() throws {
    try NotesStack().work { context in
      let note = context.note("1")
      var count = 0
      var observation: NSKeyValueObservation? = note.observe(\.title) { _, _ in count += 1 }
      note.title = "2"
      #expect(observation != nil)
      observation = nil
      note.title = "3"
      #expect(count == 1)
    }
  }

  @Test func `members that come and go are told one by one`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let observer = Listener()
      folder.addObserver(observer, forKeyPath: "notes", options: [.old, .new], context: nil)
      let note = context.note("1")
      folder.addToNotes(note)
      note.folder = nil
      #expect(observer.changes.map { $0[.kindKey] as? UInt } == [2, 3])
      #expect(observer.changes[0][.newKey] as? Set<Note> == [note])
      #expect(observer.changes[0][.oldKey] == nil)
      #expect(observer.changes[1][.oldKey] as? Set<Note> == [note])
      #expect(observer.changes[1][.newKey] == nil)
    }
  }

  @Test func `a relationship that was set was told of member by member`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let notes = (1...4).map { context.note("\($0)") }
      folder.notes = NSSet(array: Array(notes[0...2]))
      folder.addToPinned(notes[0])
      let (observer, pinned, other) = (Listener(), Listener(), Listener())
      folder.addObserver(observer, forKeyPath: "notes", options: [.old, .new], context: nil)
      folder.addObserver(pinned, forKeyPath: "pinned", options: [.old, .new], context: nil)
      notes[3].addObserver(other, forKeyPath: "folder", options: [.new], context: nil)
      folder.notes = NSSet(array: Array(notes[2...3]))
      #expect(observer.changes.map { $0[.kindKey] as? UInt } == [1])
      #expect(observer.changes[0][.oldKey] as? Set<Note> == Set(notes[0...2]))
      #expect(observer.changes[0][.newKey] as? Set<Note> == Set(notes[2...3]))
      #expect(other.changes.map { $0[.newKey] as? Folder } == [folder])
      #expect(notes[0].folder == nil)
      folder.setValue(NSOrderedSet(array: [notes[1], notes[0]]), forKey: "pinned")
      #expect(pinned.changes.map { $0[.kindKey] as? UInt } == [1])
      folder.addToNotes(notes[0])
      #expect(observer.changes.map { $0[.kindKey] as? UInt } == [1, 2])
    }
  }

  @Test func `members of an ordered relationship come with their places`() throws {
    try NotesStack().work { context in
      let folder = context.folder("F")
      let (one, two) = (context.note("1"), context.note("2"))
      folder.addToPinned(one)
      let observer = Listener()
      folder.addObserver(observer, forKeyPath: "pinned", options: [.old, .new], context: nil)
      folder.insertIntoPinned(two, at: 0)
      folder.removeFromPinned(one)
      #expect(observer.changes.map { $0[.kindKey] as? UInt } == [2, 3])
      #expect(observer.changes.map { $0[.indexesKey] as? IndexSet } == [[0], [1]])
      #expect(observer.changes[0][.newKey] as? [Note] == [two])
      #expect(observer.changes[1][.oldKey] as? [Note] == [one])
    }
  }

  @Test func `both ends of a relationship are told`() throws {
    try NotesStack().work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let note = context.note("1", in: home)
      var heard: [String] = []
      let observations = [
        home.observe(\.notes) { _, change in heard.append("home \(change.kind)") },
        work.observe(\.notes) { _, change in heard.append("work \(change.kind)") },
        note.observe(\.folder) { note, _ in heard.append("note \(note.folder?.name ?? "-")") },
      ]
      work.addToNotes(note)
      withExtendedLifetime(observations) {}
      #expect(heard.sorted() == ["home removal", "note Work", "work insertion"])
    }
  }

  @Test func `a path over a relationship is followed`() throws {
    try NotesStack().work { context in
      let (home, work) = (context.folder("Home"), context.folder("Work"))
      let note = context.note("1", in: home)
      let observer = Listener()
      note.addObserver(observer, forKeyPath: "folder.name", options: [.old, .new], context: nil)
      home.name = "House"
      note.folder = work
      home.name = "unheard"
      work.name = "Office"
      note.folder = nil
      #expect(
        observer.lines == [
          "Changed value for folder.name: Home -> House",
          "Changed value for folder.name: House -> Work",
          "Changed value for folder.name: Work -> Office",
          "Changed value for folder.name: Office -> <null>",
        ]
      )
      #expect(observer.objects.allSatisfy { $0 === note })
    }
  }
}

extension KeyValueObservingTests {
  @Test func `a key is told of when a value it is made of changes`() throws {
    let model = HeadedNote.model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let (one, two) = (HeadedNote(context: context), HeadedNote(context: context))
      one.setValue("1", forKey: "title")
      two.setValue("2", forKey: "title")
      one.setValue(two, forKey: "parent")
      let observer = Listener()
      one.addObserver(
        observer,
        forKeyPath: "heading",
        options: [.old, .new, .prior],
        context: nil
      )
      one.setValue("3", forKey: "title")
      two.setValue("4", forKey: "title")
      one.setValue(nil, forKey: "parent")
      two.setValue("unheard", forKey: "title")
      one.removeObserver(observer, forKeyPath: "heading")
      one.setValue("unheard", forKey: "title")
      try #require(observer.changes.count == 6)
      #expect(
        observer.lines.enumerated().filter { $0.offset % 2 == 1 }.map(\.element) == [
          "Changed value for heading: 2/1 -> 2/3",
          "Changed value for heading: 2/3 -> 4/3",
          "Changed value for heading: 4/3 -> /3",
        ]
      )
      let priors = observer.changes.map { $0[.notificationIsPriorKey] as? Bool == true }
      #expect(priors == [true, false, true, false, true, false])
    }
  }
}

/// A note whose heading is made of its parent's title and its own.
final class HeadedNote: NSManagedObject {
  static let model: NSManagedObjectModel = {
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    title.isOptional = true
    let (parent, children) = (NSRelationshipDescription(), NSRelationshipDescription())
    let entity = NSEntityDescription()
    entity.name = "HeadedNote"
    entity.managedObjectClassName = NSStringFromClass(HeadedNote.self)
    for (relationship, name, inverse) in [
      (parent, "parent", children), (children, "children", parent),
    ] {
      relationship.name = name
      relationship.destinationEntity = entity
      relationship.inverseRelationship = inverse
      relationship.isOptional = true
    }
    parent.maxCount = 1
    entity.properties = [title, parent, children]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "heading" ? ["title", "parent.title"] : []
  }

  override func value(forUndefinedKey key: String) -> Any? {
    guard key == "heading" else { return super.value(forUndefinedKey: key) }
    let above = value(forKeyPath: "parent.title") as? String ?? ""
    return above + "/" + (value(forKey: "title") as? String ?? "")
  }
}

/// Writes down what it hears.
private final class Listener: KeyValueObserver {
  var changes: [[NSKeyValueChangeKey: Any]] = []
  var lines: [String] = []
  var objects: [NSManagedObject] = []
  var pointers: [UnsafeMutableRawPointer?] = []

  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let shown = { (value: Any?) in value is NSNull ? "<null>" : value.map { "\($0)" } ?? "nothing" }
    lines.append(
      "Changed value for \(keyPath ?? "-"): \(shown(change?[.oldKey])) -> \(shown(change?[.newKey]))"
    )
    changes.append(change ?? [:])
    if let object = object as? NSManagedObject { objects.append(object) }
    pointers.append(context)
  }
}
