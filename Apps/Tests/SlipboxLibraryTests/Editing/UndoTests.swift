import CoreData
import RichText
import Testing

@testable import SlipboxLibrary

/// Every act is taken back as if it had never been, done again, and taken back again.
struct UndoTests {
  /// Everything in a slip box as text, without what counts saves.
  private func picture(of box: Box) async throws -> String {
    try await box.library.read { context in
      context.refreshAllObjects()
      let notes = try context.fetch(Note.fetch(NotePlace.there(.all))).map { note in
        [
          "note", note.title, note.uuid.text, note.status.word, "\(note.isFavorite)",
          "\(note.order)", "\(note.trashedDate_ as Any)", note.folder?.name ?? "-",
          note.keywords.sorted().map(\.name).joined(separator: "+"),
          note.linkedNotes.map(\.title).sorted().joined(separator: "+"),
          note.backLinkedNotes.map(\.title).sorted().joined(separator: "+"),
          note.formattedBodyText.plainText, "\(note.attachment?.fullImageData as Any)",
          note.versions.map { $0.document_ ?? "" }.sorted().joined(),
        ].joined(separator: " | ")
      }
      let folders = try context.fetch(Folder.fetch(NotePlace.there(.all))).map { folder in
        [
          "folder", folder.name, folder.uuid.text, folder.parent?.name ?? "-", "\(folder.order)",
          "\(folder.trashedDate_ as Any)", folder.sorting?.rawValue ?? "-",
        ].joined(separator: " | ")
      }
      let keywords = try context.fetch(Keyword.fetch()).map { keyword in
        [
          "keyword", keyword.name, keyword.uuid.text, keyword.color.hex,
          keyword.notes.map(\.title).sorted().joined(separator: "+"),
        ].joined(separator: " | ")
      }
      return (notes.sorted() + folders.sorted() + keywords.sorted()).joined(separator: "\n")
    }
  }

  /// A slip box with something of everything.
  private struct World {
    let box: Box
    let ids: [String: UUID]

    init() async throws {
      box = try Box()
      ids = try await box.library.write(by: nil) { context in
        let top = Folder(name: "top", context: context)
        let sub = Folder(name: "sub", context: context)
        let other = Folder(name: "other", context: context)
        other.order = 1
        sub.parent = top
        let red = Keyword(name: "red", context: context)
        let blue = Keyword(name: "blue", context: context)
        let one = Note(title: "one", context: context)
        let two = Note(title: "two", context: context)
        let old = Note(title: "old", context: context)
        for note in [one, two, old] {
          note.formattedBodyText = RichText(plainText: "text of \(note.title)")
        }
        (one.folder, two.folder) = (top, sub)
        one.keywords = [red, blue]
        one.linkedNotes = [two]
        two.linkedNotes = [one]
        one.attachment = Attachment(
          image: Data((0..<300_000).map { UInt8($0 % 251) }),
          context: context
        )
        let version = NoteVersion(context: context)
        (version.date_, version.title_, version.document_) = (
          Date(), "v", RichText(plainText: "version").json
        )
        version.note = one
        old.trashedDate_ = Date()
        old.keywords = [red]
        old.folder = top
        return [
          "top": top.uuid, "sub": sub.uuid, "other": other.uuid, "red": red.uuid,
          "blue": blue.uuid, "one": one.uuid, "two": two.uuid, "old": old.uuid,
          "version": version.uuid,
        ]
      }
    }

    func id(_ name: String) throws -> UUID { try #require(ids[name]) }
  }

  /// An act by its name, and the token to undo it with.
  struct Deed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let perform: @Sendable (Library, (String) throws -> UUID) async throws -> String?
  }

  static let deeds = [
    Deed(testDescription: "trashing two notes") { library, id in
      try await library.trash([try id("one"), try id("two")], by: nil)
    },
    Deed(testDescription: "restoring a note") { library, id in
      try await library.restore(try id("old"), by: nil).undo
    },
    Deed(testDescription: "moving notes") { library, id in
      try await library.move([try id("one"), try id("two")], to: try id("other"), by: nil)
    },
    Deed(testDescription: "unfiling a note") { library, id in
      try await library.move([try id("one")], to: nil, by: nil)
    },
    Deed(testDescription: "deleting a note for good") { library, id in
      try await library.deleteForever(try id("one"), by: nil)
    },
    Deed(testDescription: "emptying the trash") { library, _ in
      try await library.emptyTrash(by: nil).undo
    },
    Deed(testDescription: "trashing a folder") { library, id in
      try await library.trash(folder: try id("top"), by: nil).undo
    },
    Deed(testDescription: "taking a picture away") { library, id in
      try await library.detach(from: try id("one"), by: nil)
    },
    Deed(testDescription: "another picture in the place of one") { library, id in
      try await library.attach(SamplePicture.png, name: "new", to: try id("one"), by: nil).undo
    },
    Deed(testDescription: "restoring a version") { library, id in
      try await library.restore(version: try id("version"), of: try id("one"), by: nil).undo
    },
    Deed(testDescription: "changing a note") { library, id in
      var edit = NoteEdit()
      edit.status = "archived"
      edit.favourite = true
      edit.order = 7
      edit.folder = .nowhere
      edit.addKeywords = [KeywordChoice(name: "green")]
      edit.removeKeywords = [try id("red")]
      edit.addLinks = [try id("old")]
      edit.removeLinks = [try id("two")]
      return try await library.edit(try id("one"), edit, by: nil).undo
    },
    Deed(testDescription: "changing a folder") { library, id in
      var edit = FolderEdit()
      edit.name = "renamed"
      edit.parent = .folder(try id("other"))
      edit.sort = "titleAscending"
      return try await library.edit(folder: try id("top"), edit, by: nil).undo
    },
    Deed(testDescription: "changing a keyword") { library, id in
      try await library.edit(
        keyword: try id("red"),
        KeywordChoice(name: "crimson", color: "#dc143c"),
        by: nil
      ).undo
    },
    Deed(testDescription: "merging notes") { library, id in
      try await library.merge([try id("two"), try id("one")], by: nil)
    },
    Deed(testDescription: "deleting a keyword") { library, id in
      try await library.delete(keyword: try id("red"), by: nil)
    },
  ]

  @Test(arguments: deeds)
  func `an act is undone, done again and undone`(deed: Deed) async throws {
    let world = try await World()
    let box = world.box
    let before =
      deed.testDescription == "deleting a note for good"
      ? try await pictureWithTrashed(world) : try await picture(of: box)
    let undo = try #require(try await deed.perform(box.library, world.id))
    let after = try await picture(of: box)
    #expect(before != after)
    let redo = try await box.library.undo(undo, by: nil)
    #expect(try await picture(of: box) == before)
    let again = try await box.library.undo(redo, by: nil)
    #expect(try await picture(of: box) == after)
    _ = try await box.library.undo(again, by: nil)
    #expect(try await picture(of: box) == before)
    await #expect(throws: LibraryProblem.self) { _ = try await box.library.undo(undo, by: nil) }
  }

  /// That deed begins with a note in the trash.
  private func pictureWithTrashed(_ world: World) async throws -> String {
    let box = world.box
    let one = try world.id("one")
    try await box.library.write(by: nil) { try $0.note(one).trashedDate_ = Date() }
    return try await picture(of: box)
  }

  @Test func `undoing leaves what others have changed since`() async throws {
    let world = try await World()
    let box = world.box
    let one = try world.id("one")
    let undo = try await box.library.trash([one], by: "a")
    var edit = NoteEdit()
    edit.favourite = true
    edit.addKeywords = [KeywordChoice(name: "later")]
    _ = try await box.library.edit(one, edit, by: "b")
    _ = try await box.library.undo(undo, by: "a")
    let note = try await box.library.note(one)
    #expect(note.trashed == nil)
    #expect(note.favourite)
    #expect(note.keywords.map(\.name) == ["blue", "later", "red"])
  }

  @Test func `undoing a keyword on a note leaves keywords that came later`() async throws {
    let world = try await World()
    let box = world.box
    let two = try world.id("two")
    var edit = NoteEdit()
    edit.addKeywords = [KeywordChoice(name: "mine")]
    let undo = try #require(try await box.library.edit(two, edit, by: "a").undo)
    edit.addKeywords = [KeywordChoice(name: "yours")]
    _ = try await box.library.edit(two, edit, by: "b")
    _ = try await box.library.undo(undo, by: "a")
    #expect(try await box.library.note(two).keywords.map(\.name) == ["yours"])
  }

  @Test func `what is gone for good in between cannot be brought back by half`() async throws {
    let world = try await World()
    let box = world.box
    let one = try world.id("one")
    let undo = try await box.library.trash([one], by: "a")
    _ = try await box.library.deleteForever(one, by: "b")
    await #expect(throws: LibraryProblem.self) { _ = try await box.library.undo(undo, by: "a") }
    await #expect(throws: LibraryProblem.self) { _ = try await box.library.note(one) }
  }

  @Test func `an act weighs what the picture has that it remembers`() async throws {
    let world = try await World()
    let bytes = try await world.box.library.picture(of: try world.id("one")).data.count
    let undo = try await world.box.library.detach(from: try world.id("one"), by: nil)
    let act = try world.box.library.acts.take(undo, at: world.box.clock.now)
    #expect((bytes..<bytes + 1000).contains(act.weight))
  }

  @Test func `undoing a restored version gave its number to another text`() async throws {
    let world = try await World()
    let library = world.box.library
    let one = try world.id("one")
    let undo = try await library.restore(version: try world.id("version"), of: one, by: "a").undo
    let restored = try await library.note(one).revision
    let redo = try await library.undo(try #require(undo), by: "b")
    let undone = try await library.note(one).revision
    #expect(undone > restored)
    _ = try await library.undo(redo, by: "b")
    #expect(try await library.note(one).revision > undone)
  }

  @Test func `a token is good for an hour`() async throws {
    let world = try await World()
    let box = world.box
    let undo = try await box.library.trash([try world.id("one")], by: nil)
    box.clock.wait(3601)
    await #expect(throws: LibraryProblem.self) { _ = try await box.library.undo(undo, by: nil) }
  }

  @Test func `the last fifty acts are kept`() async throws {
    let world = try await World()
    let box = world.box
    let one = try world.id("one")
    var tokens: [String] = []
    for index in 0..<51 {
      var edit = NoteEdit()
      edit.order = Int64(index + 1)
      tokens.append(try #require(try await box.library.edit(one, edit, by: nil).undo))
    }
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.undo(try #require(tokens.first), by: nil)
    }
    for token in tokens.dropFirst().reversed() { _ = try await box.library.undo(token, by: nil) }
    #expect(try await box.library.note(one).order == 1)
  }

  @Test func `an act that fails keeps no token and changes nothing`() async throws {
    let world = try await World()
    let box = world.box
    let before = try await picture(of: box)
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.trash([try world.id("one"), UUID()], by: nil)
    }
    #expect(try await picture(of: box) == before)
  }

  @Test(arguments: [deeds[0], deeds[5], deeds[8]])
  func `undoing while another program held the store spent the token`(deed: Deed) async throws {
    let world = try await World()
    let box = world.box
    let before = try await picture(of: box)
    let undo = try #require(try await deed.perform(box.library, world.id))
    let after = try await picture(of: box)
    let other = try Locking(box.folder.appendingPathComponent("Slipbox.sqlite"))
    await #expect(throws: CocoaError.self) { _ = try await box.library.undo(undo, by: nil) }
    other.letGo()
    #expect(try await picture(of: box) == after)
    let redo = try await box.library.undo(undo, by: nil)
    #expect(try await picture(of: box) == before)
    _ = try await box.library.undo(redo, by: nil)
    #expect(try await picture(of: box) == after)
  }

  // MARK: - What others have done to the folders since

  private struct Filed {
    let box: Box
    let folder: UUID
    let note: UUID

    init() async throws {
      box = try Box()
      folder = try await box.library.makeFolder(id: nil, name: "f", parent: nil, by: nil).id.uuid
      note = try await box.note("precious", in: folder).id.uuid
    }

    /// The note is alive and seen, and emptying the trash leaves it.
    func expectAlive() async throws {
      let note = try await box.library.note(note)
      #expect(note.trashed == nil)
      #expect(note.folder == nil)
      _ = try await box.library.emptyTrash(by: nil)
      #expect(try await box.library.note(self.note).title == "precious")
    }
  }

  @Test func `undoing brought a note back into a folder that is in the trash`() async throws {
    let filed = try await Filed()
    let library = filed.box.library
    let undo = try await library.trash([filed.note], by: "a")
    _ = try await library.trash(folder: filed.folder, by: "b")
    let redo = try await library.undo(undo, by: "a")
    #expect(try await library.note(filed.note).folder == nil)
    let again = try await library.undo(redo, by: "a")
    #expect(try await library.note(filed.note).trashed != nil)
    _ = try await library.undo(again, by: "a")
    try await filed.expectAlive()
  }

  @Test func `undoing moved a note into a folder that is in the trash`() async throws {
    let filed = try await Filed()
    let library = filed.box.library
    let undo = try await library.move([filed.note], to: nil, by: "a")
    _ = try await library.trash(folder: filed.folder, by: "b")
    _ = try await library.undo(undo, by: "a")
    try await filed.expectAlive()
  }

  @Test func `undoing shut a folder over a note that came later`() async throws {
    let filed = try await Filed()
    let library = filed.box.library
    _ = try await library.move([filed.note], to: nil, by: nil)
    _ = try await library.trash(folder: filed.folder, by: nil)
    let (_, undo) = try await library.restore(folder: filed.folder, by: "a")
    _ = try await library.move([filed.note], to: filed.folder, by: "b")
    _ = try await library.undo(undo, by: "a")
    try await filed.expectAlive()
  }

  @Test func `undoing put two folders into each other`() async throws {
    let box = try Box()
    let library = box.library
    let a = try await library.makeFolder(id: nil, name: "a", parent: nil, by: nil).id.uuid
    let b = try await library.makeFolder(id: nil, name: "b", parent: a, by: nil).id.uuid
    var edit = FolderEdit()
    edit.parent = .nowhere
    let undo = try await library.edit(folder: b, edit, by: "a").undo
    edit.parent = .folder(b)
    _ = try await library.edit(folder: a, edit, by: "b")
    await #expect(throws: LibraryProblem.self) { _ = try await library.undo(undo, by: "a") }
    let parents = try await library.overview().folders.reduce(into: [:]) { $0[$1.name] = $1.parent }
    #expect(parents == ["a": b.text, "b": nil] || parents == ["a": b.text])
  }
}
