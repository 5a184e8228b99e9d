import CoreData
import TestSupport
import Testing

/// Tests of what counts as a change, and when it is reported.
@Suite struct ChangeTrackingTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `an equal value makes an update, but no persistent change (23)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.title = "One"
      #expect(note.isUpdated && note.hasChanges && context.hasChanges)
      #expect(!note.hasPersistentChangedValues)
      #expect(note.changedValues().isEmpty)
      note.title = "Two"
      #expect(note.hasPersistentChangedValues)
      context.rollback()
      note.scratch = "transient"
      #expect(note.hasChanges && context.hasChanges)
      #expect(!note.hasPersistentChangedValues)
      #expect(note.changedValues().isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `changed and committed values (24)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      note.title = nil
      note.stars = 4
      #expect(note.changedValues()["title"] is NSNull)
      #expect(note.changedValues()["stars"] as? Int == 4)
      #expect(note.changedValues().count == 2)
      #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "One")
      #expect(note.committedValues(forKeys: ["text"])["text"] is NSNull)
      let all = note.committedValues(forKeys: nil)
      #expect((all["folder"] as? Folder)?.name == "F")
      #expect(all["stars"] as? Int == 0)
      #expect(all["scratch"] == nil, "a transient property is never committed")
      try context.save()
      #expect(note.changedValues().isEmpty)
      #expect(note.committedValues(forKeys: ["title"])["title"] is NSNull)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `the current event's changes are known while it is announced (24, 27)`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      note.text = "before"
      context.processPendingChanges()
      let heard = Heard(context) {
        let keys = note.changedValuesForCurrentEvent().keys.sorted()
        if note.stars < 3 { note.stars += 1 }
        return keys.joined(separator: " ")
      }
      note.title = "Two"
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["title"])
      context.processPendingChanges()
      #expect(heard.lines == ["title"])
      #expect(note.changedValuesForCurrentEvent().keys.sorted() == ["stars"], "the next event")
      #expect(note.changedValues().keys.sorted() == ["stars", "text", "title"])
      context.processPendingChanges()
      #expect(heard.lines == ["title", "stars"])
      try context.save()
      #expect(note.changedValuesForCurrentEvent().isEmpty)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an object's changes were told again with the next event, which was another object's`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let ids = [try stack.saved { $0.note("One") }, try stack.saved { $0.note("Other") }]
    try stack.work { context in
      let (note, other) = (context.find(ids[0]), context.find(ids[1]))
      let heard = Heard(context) {
        [note, other]
          .map { $0.changedValuesForCurrentEvent().keys.sorted().joined(separator: " ") }
          .joined(separator: " / ")
      }
      note.title = "Two"
      context.processPendingChanges()
      other.stars = 3
      context.processPendingChanges()
      note.stars = 4
      other.title = "Two"
      context.processPendingChanges()
      #expect(heard.lines == ["title / ", " / stars", "stars / title"])
      #expect([note, other].allSatisfy { $0.changedValuesForCurrentEvent().isEmpty })
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `observers were told the new value twice and never the one before the event`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    try stack.work { context in
      let note = context.find(id)
      let heard = Heard(context) {
        let before = note.changedValuesForCurrentEvent()["title"] as? String
        if note.title == "Two" { note.title = "Two and a half" }
        let still = note.changedValuesForCurrentEvent()["title"] as? String
        return [before, still, note.title].map { $0 ?? "none" }.joined(separator: " / ")
      }
      note.title = "Two"
      context.processPendingChanges()
      #expect(note.changedValuesForCurrentEvent()["title"] as? String == "Two")
      note.title = "Three"
      context.processPendingChanges()
      #expect(heard.lines == ["One / One / Two and a half", "Two / Two / Three"])
      try context.save()
      note.title = "Four"
      #expect(note.changedValuesForCurrentEvent()["title"] as? String == "Three")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what observers changed while a save was prepared was not saved with the rest`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One") }
    let gone = try stack.saved { $0.note("Gone") }
    try stack.work { context in
      let (note, doomed) = (context.find(id), context.find(gone))
      let heard = Heard(context) {
        if note.stars == 0 { note.stars = 1 }
        if !doomed.isDeleted { context.delete(doomed) }
        return "heard"
      }
      let new = Note(context: context)
      new.title = "New"
      note.title = "Two"
      try context.save()
      #expect(heard.lines.count == 2)
      #expect(!context.hasChanges)
    }
    try stack.work { context in
      #expect(context.find(id).stars == 1)
      let titles = try context.fetch(Note.fetchRequest()).compactMap(\.title).sorted()
      #expect(titles == ["New", "Two"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a primitive value is not tracked (25)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("F")) }
    try stack.work { context in
      let note = context.find(id)
      let folder = try #require(note.folder)
      note.setPrimitiveValue("Two", forKey: "title")
      note.setPrimitiveValue(nil, forKey: "folder")
      #expect(note.title == "Two" && note.folder == nil)
      #expect(folder.titles == ["Two"], "no inverse follows (33)")
      #expect(note.changedValues().isEmpty && !note.hasChanges && !context.hasChanges)
      folder.setPrimitiveValue(NSSet(), forKey: "notes")
      #expect(folder.titles == [] && !folder.hasChanges)
      try context.save()
      context.refreshAllObjects()
    }
    try stack.work { context in
      #expect(context.find(id).title == "One")
      #expect(context.find(id).folder?.name == "F")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a property that the model lacks is a change where its class says so (26)`(
    kind: StoreKind
  ) throws {
    let title = { CodedModel.attribute("title") }
    let quiet = CodedModel.entity("Quiet", QuietDraft.self, title())
    let loud = CodedModel.entity("Loud", LoudDraft.self, title())
    let coordinator = try CodedModel.coordinator(CodedModel.model(quiet, loud), kind)
    try LivingNotes.work(coordinator) { context in
      let (quiet, loud) = (QuietDraft(context: context), LoudDraft(context: context))
      try context.save()
      #expect(QuietDraft.contextShouldIgnoreUnmodeledPropertyChanges)
      quiet.draft = "q"
      #expect(!quiet.hasChanges && !context.hasChanges)
      loud.place = 7
      #expect(!loud.hasChanges, "this one is ignored by itself")
      loud.draft = "l"
      #expect(loud.isUpdated && context.updatedObjects == [loud])
      #expect(loud.changedValues().isEmpty && !loud.hasPersistentChangedValues)
      try context.save()
      #expect(loud.value(forKey: "title") as? String == "l", "willSave was called")
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `changes are told together, at the end of the event (27)`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let (folder, note) = (context.folder("F"), context.note("1"))
      try context.save()
      let received = Received(context, .NSManagedObjectContextObjectsDidChange)
      note.title = "2"
      note.stars = 2
      note.folder = folder
      #expect(received.all.isEmpty)
      context.processPendingChanges()
      #expect(received.all.count == 1)
      #expect(received.sets[NSUpdatedObjectsKey] == [folder, note])
      context.processPendingChanges()
      #expect(received.all.count == 1)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a to-one sets both ends at once, and tells them (33, 35)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("Home")) }
    try stack.work { context in
      let (note, work) = (context.find(id), context.folder("Work"))
      let home = try #require(note.folder)
      var heard: [String] = []
      let observations = [
        note.observe(\.folder) { note, _ in heard.append("note in \(note.folder?.name ?? "-")") },
        home.observe(\.notes) { _, change in heard.append("home \(change.kind)") },
        work.observe(\.notes) { _, change in heard.append("work \(change.kind)") },
      ]
      note.folder = work
      withExtendedLifetime(observations) {}
      #expect(heard.sorted() == ["home removal", "note in Work", "work insertion"])
      #expect(home.titles == [] && work.titles == ["One"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `one-to-one steals (34)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (one, two) = (context.folder("1"), context.folder("2"))
      let (a, b) = (context.note("a"), context.note("b"))
      one.cover = a
      two.cover = b
      try context.save()
      one.cover = b
      #expect(two.cover == nil && a.covers == nil && b.covers === one)
      try context.save()
    }
    try stack.work { context in
      let folders = try context.fetch(Folder.fetchRequest())
      #expect(
        folders.map { "\($0.name ?? "") \($0.cover?.title ?? "-")" }.sorted() == ["1 b", "2 -"]
      )
    }
  }
}

/// Notes what a closure says whenever a context announces changes.
///
/// Safety: contexts of these tests post on the thread that tests them.
private final class Heard: @unchecked Sendable {
  private(set) var lines: [String] = []
  private var token: (any NSObjectProtocol)?

  init(_ context: NSManagedObjectContext, _ line: @escaping () -> String) {
    let line = Line(text: line)
    token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: context,
      queue: nil
    ) { [weak self] _ in self?.lines.append(line.text()) }
  }

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }

  /// Safety: called on the thread that made it.
  private struct Line: @unchecked Sendable {
    let text: () -> String
  }
}

/// A note with a property that its model lacks.
class QuietDraft: NSManagedObject {
  private var text: String?

  var draft: String? {
    get { text }
    set {
      willChangeValue(forKey: "draft")
      text = newValue
      didChangeValue(forKey: "draft")
    }
  }

  override func value(forUndefinedKey key: String) -> Any? {
    key == "draft" ? text : super.value(forUndefinedKey: key)
  }
}

/// One whose draft must be saved, while the place of its window must not.
class LoudDraft: QuietDraft {
  override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }

  override class func contextShouldIgnoreChanges(forUnmodeledProperty key: String) -> Bool {
    key == "place" || super.contextShouldIgnoreChanges(forUnmodeledProperty: key)
  }

  var place = 0 {
    willSet { willChangeValue(forKey: "place") }
    didSet { didChangeValue(forKey: "place") }
  }

  override func willSave() {
    super.willSave()
    if value(forKey: "title") as? String != draft { setValue(draft, forKey: "title") }
  }
}
