import CoreData
import TestSupport
import Testing

/// Observers hear of values that come from the store in the place of others.
@Suite struct ReplacedValuesTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a rollback tells observers of what was changed (32)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("Home")) }
    try stack.work { context in
      let note = context.find(id)
      let home = try #require(note.folder)
      #expect(home.titles == ["One"])
      note.title = "Two"
      note.folder = nil
      let ear = Ear(note, home)
      context.rollback()
      #expect(
        ear.lines.sorted() == ["Home has [\"One\"]", "folder - -> Home", "title Two -> One"]
      )
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a refresh without merging tells of lost and of newer values (18)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("Home")) }
    try stack.work { context in
      let note = context.find(id)
      let ear = Ear(note, try #require(note.folder))
      context.refresh(note, mergeChanges: false)
      #expect(ear.lines == [])
      #expect(note.isFault, "nothing is different, so nothing is read")
      note.title = "Two"
      ear.lines = []
      context.refresh(note, mergeChanges: false)
      #expect(ear.lines == ["title Two -> One"])
      try saveElsewhere(id, in: stack)
      ear.lines = []
      context.refresh(note, mergeChanges: false)
      #expect(ear.lines.sorted() == ["folder Home -> Work", "title One -> Theirs"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a refresh with merging tells of what others have saved (18, 19)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.note("One", in: $0.folder("Home")) }
    try stack.work { context in
      let note = context.find(id)
      let ear = Ear(note, try #require(note.folder))
      note.title = "Mine"
      ear.lines = []
      try saveElsewhere(id, in: stack)
      context.refresh(note, mergeChanges: true)
      #expect(ear.lines == ["folder Home -> Work"], "the title is this context's")
      context.refreshAllObjects()
      #expect(ear.lines == ["folder Home -> Work"])
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an observed folder hears of members that others have added (19)`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let id = try stack.saved { $0.folder("Home") }
    try stack.work { context in
      let folder = context.find(id, as: Folder.self)
      #expect(folder.titles == [])
      var heard: [[String]] = []
      let observation = folder.observe(\.notes) { folder, _ in heard.append(folder.titles) }
      try stack.work { other in
        other.note("New", in: other.find(id, as: Folder.self))
        try other.save()
      }
      context.refresh(folder, mergeChanges: true)
      withExtendedLifetime(observation) {}
      #expect(heard == [["New"]])
    }
  }

  private func saveElsewhere(_ id: NSManagedObjectID, in stack: NotesStack) throws {
    try stack.work { other in
      let note = other.find(id)
      note.title = "Theirs"
      note.folder = other.folder("Work")
      try other.save()
    }
  }
}

/// Listens to a note's title and folder, and to the folder's notes.
private final class Ear {
  var lines: [String] = []
  private var observations: [NSKeyValueObservation] = []

  init(_ note: Note, _ folder: Folder) {
    observations = [
      note.observe(\.title, options: [.old, .new]) { [unowned self] _, change in
        lines.append(
          "title \((change.oldValue ?? nil) ?? "-") -> \((change.newValue ?? nil) ?? "-")"
        )
      },
      note.observe(\.folder, options: [.old, .new]) { [unowned self] _, change in
        let (old, new) = (change.oldValue ?? nil, change.newValue ?? nil)
        lines.append("folder \(old?.name ?? "-") -> \(new?.name ?? "-")")
      },
      folder.observe(\.notes) { [unowned self] folder, _ in
        lines.append("\(folder.name ?? "") has \(folder.titles)")
      },
    ]
  }
}
