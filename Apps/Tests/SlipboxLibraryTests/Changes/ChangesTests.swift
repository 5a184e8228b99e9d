import CoreData
import Testing

@testable import SlipboxLibrary

/// Tests of the changes that listeners receive.
struct ChangesTests {
  /// The next events, so many of them.
  private func next(
    _ count: Int,
    of stream: AsyncStream<ChangeEvent>
  ) async -> [ChangeEvent] {
    var events: [ChangeEvent] = []
    if count == 0 { return events }
    for await event in stream {
      events.append(event)
      if events.count == count { break }
    }
    return events
  }

  private func changed(_ event: ChangeEvent?) throws -> ChangeEvent.Changed {
    guard case .changed(let changed) = try #require(event) else {
      throw LibraryProblem.refused("a reload")
    }
    return changed
  }

  @Test(.timeLimit(.minutes(60)))
  func `a listener hears what was changed, and by whom`() async throws {
    let box = try Box()
    let stream = try await box.library.changes.events()
    let note = try await box.note("one")
    var edit = NoteEdit()
    edit.addKeywords = [KeywordChoice(name: "word")]
    let edited = try await box.library.edit(try note.id.uuid, edit, by: "tab 2")
    let folder = try await box.library.makeFolder(id: nil, name: "F", parent: nil, by: nil)
    let events = await next(3, of: stream)
    let made = try changed(events.first)
    #expect(made.notes == [note.id])
    #expect(made.by == "test")
    let tied = try changed(events.dropFirst().first)
    #expect(tied.notes == [note.id])
    #expect(tied.keywords == edited.note.keywords.map(\.id))
    #expect(tied.by == "tab 2")
    let filed = try changed(events.last)
    #expect(filed.folders == [folder.id])
    #expect(filed.by == nil)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a deleted note is told by its identifier`() async throws {
    let box = try Box()
    let note = try await box.note("one")
    let id = try note.id.uuid
    _ = try await box.library.trash([id], by: nil)
    let stream = try await box.library.changes.events()
    _ = try await box.library.deleteForever(id, by: "me")
    let events = await next(1, of: stream)
    #expect(try changed(events.first).notes == [note.id])
  }

  @Test(.timeLimit(.minutes(60)))
  func `who comes back hears what was missed, and then what comes`() async throws {
    let box = try Box()
    let first = try await box.note("one")
    let token = try await box.library.changes.lastToken()
    let second = try await box.note("two")
    let third = try await box.note("three")
    let stream = try await box.library.changes.events(after: token)
    let fourth = try await box.note("four")
    let events = await next(3, of: stream)
    #expect(try events.map { try changed($0).notes } == [[second.id], [third.id], [fourth.id]])
    #expect(Set(events.map(\.token)).count == 3)
    // From the middle.
    let rest = try await box.library.changes.events(after: try #require(events.first).token)
    let again = await next(2, of: rest)
    #expect(try again.map { try changed($0).notes } == [[third.id], [fourth.id]])
    #expect(try !events.contains { try changed($0).notes == [first.id] })
  }

  @Test(.timeLimit(.minutes(60)), arguments: ["", "x", "0-0-0", "00000000-1", "-5", "abc-99999"])
  func `a token that means nothing here asks for everything anew`(token: String) async throws {
    let box = try Box()
    _ = try await box.note("one")
    let stream = try await box.library.changes.events(after: token)
    let events = await next(1, of: stream)
    guard case .reload(let now) = try #require(events.first) else {
      Issue.record("no reload")
      return
    }
    #expect(try await box.library.changes.lastToken() == now)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a token from before what history holds asks for everything anew`() async throws {
    let box = try Box()
    _ = try await box.note("one")
    let old = try await box.library.changes.lastToken()
    _ = try await box.note("two")
    _ = try await box.note("three")
    let recent = try await box.library.changes.lastToken()
    try await box.library.write(by: nil) { context in
      let request = NSPersistentHistoryChangeRequest.deleteHistory(
        before: Date.distantFuture
      )
      _ = try context.execute(request)
    }
    let stale = await next(1, of: try await box.library.changes.events(after: old))
    guard case .reload = try #require(stale.first) else {
      Issue.record("no reload")
      return
    }
    let fresh = try await box.library.changes.events(after: recent)
    let note = try await box.note("four")
    let events = await next(1, of: fresh)
    #expect(try changed(events.first).notes == [note.id])
  }

  @Test(.timeLimit(.minutes(60)))
  func `what another program writes is told and seen`() async throws {
    let box = try Box()
    let folder = try await box.library.makeFolder(id: nil, name: "F", parent: nil, by: nil)
    let note = try await box.note("one", in: try folder.id.uuid)
    _ = try await box.library.overview()
    let stream = try await box.library.changes.events()
    let other = try PersistenceController(folder: box.folder)
    let context = other.container.newBackgroundContext()
    let (noteID, folderID) = (try note.id.uuid, try folder.id.uuid)
    try await context.perform {
      context.transactionAuthor = "another"
      let note = try #require(try Note.find(noteID, in: context))
      note.title = "changed there"
      try #require(try Folder.find(folderID, in: context)).name = "renamed there"
      _ = Note(title: "made there", context: context)
      try context.save()
    }
    let event = try changed(await next(1, of: stream).first)
    #expect(event.notes.contains(note.id))
    #expect(event.notes.count == 2)
    #expect(event.by == "another")
    #expect(try await box.library.note(noteID).title == "changed there")
    let overview = try await box.library.overview()
    #expect(overview.places.all == 2)
    #expect(overview.folders.map(\.name) == ["renamed there"])
    // It counts as an edit, and one that began before it is a conflict.
    while try await box.library.note(noteID).revision == note.revision { await Task.yield() }
    var edit = NoteEdit()
    edit.base = note.revision
    edit.title = "changed here"
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.edit(noteID, edit, by: nil)
    }
    #expect(try await box.library.note(noteID).title == "changed there")
  }

  @Test(.timeLimit(.minutes(60)))
  func `a note that another program filed stayed in a trashed folder`() async throws {
    let box = try Box()
    let outer = try await box.library.makeFolder(id: nil, name: "O", parent: nil, by: nil)
    let outerID = try outer.id.uuid
    let inner = try await box.library.makeFolder(id: nil, name: "I", parent: outerID, by: nil)
    let innerID = try inner.id.uuid
    let note = try await box.note("living")
    let noteID = try note.id.uuid
    // The other program has read the folder before it went to the trash, and files the note after.
    let other = try PersistenceController(folder: box.folder)
    let context = other.container.newBackgroundContext()
    try await context.perform {
      _ = try #require(try Folder.find(innerID, in: context)).isTrashed
      _ = try #require(try Note.find(noteID, in: context)).folder
    }
    _ = try await box.library.trash(folder: innerID, by: nil)
    try await context.perform {
      let note = try #require(try Note.find(noteID, in: context))
      note.folder = try Folder.find(innerID, in: context)
      try context.save()
    }
    #expect(try await eventually { try await box.library.note(noteID).folder?.id == outer.id })
    #expect(try await box.library.note(noteID).trashed == nil)
    _ = try await box.library.emptyTrash(by: nil)
    #expect(try await box.library.note(noteID).title == "living")
  }

  @Test(.timeLimit(.minutes(60)))
  func `two programs on one file left a note in a trashed folder`() async throws {
    let box = try Box()
    let second = try Library(folder: box.folder)
    defer { second.close() }
    for round in 0..<8 {
      let folder = try await box.library.makeFolder(id: nil, name: "F", parent: nil, by: nil)
      let folderID = try folder.id.uuid
      let note = try await box.note("living \(round)")
      let noteID = try note.id.uuid
      // Both at once: the first one is different each time.
      async let trashing = box.library.trash(folder: folderID, by: "a")
      async let moving = second.move([noteID], to: folderID, by: "b")
      let (trashed, moved) = (try? await trashing, try? await moving)
      _ = (trashed, moved)
      if trashed == nil { continue }
      #expect(try await eventually { try await stray(in: box.library) + stray(in: second) == 0 })
      // Both may mend the same note, one after the other; then nothing goes on being written.
      #expect(
        try await eventually {
          let token = try await box.library.changes.lastToken()
          try await Task.sleep(for: .milliseconds(50))
          return try await second.changes.lastToken() == token
        }
      )
    }
  }

  /// Waits until something is so; asks 6,000 times at most.
  private func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<6_000 {
      if try await isSo() { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  /// How many notes are in a trashed folder and not in the trash.
  private func stray(in library: Library) async throws -> Int {
    try await library.read { context in
      try context.count(
        for: Note.fetch(NSPredicate(format: "trashedDate_ == nil AND folder.trashedDate_ != nil"))
      )
    }
  }

  @Test func `a note that was left in a trashed folder is taken out at the start`() async throws {
    let box = try Box()
    let folder = try await box.library.makeFolder(id: nil, name: "F", parent: nil, by: nil)
    let (folderID, note) = (try folder.id.uuid, try await box.note("living"))
    let noteID = try note.id.uuid
    _ = try await box.library.trash(folder: folderID, by: nil)
    box.library.changes.stop()
    try await box.library.write(by: nil) { context in
      try context.note(noteID).folder = try context.folder(folderID)
    }
    let next = try Library(folder: box.folder)
    defer { next.close() }
    try await next.purge()
    #expect(try await next.note(noteID).folder == nil)
  }

  @Test(.timeLimit(.minutes(60)))
  func `streams end when the library closes, and listeners leave`() async throws {
    let box = try Box()
    let stream = try await box.library.changes.events()
    let task = Task { [library = box.library] in
      for await _ in try await library.changes.events() {}
    }
    while box.library.changes.listenerCount < 2 { await Task.yield() }
    task.cancel()
    while box.library.changes.listenerCount > 1 { await Task.yield() }
    box.library.close()
    #expect(await next(1, of: stream).isEmpty)
  }

  @Test(.timeLimit(.minutes(60)))
  func `no event is lost between many writers and many listeners`() async throws {
    let box = try Box()
    var streams: [AsyncStream<ChangeEvent>] = []
    for _ in 0..<10 { streams.append(try await box.library.changes.events()) }
    let listening = streams
    let total = 120
    let made = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<total { group.addTask { try await box.note("note \(index)").id } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    for stream in listening {
      let events = await next(total, of: stream)
      #expect(try Set(events.flatMap { try changed($0).notes }) == made)
    }
  }
}
