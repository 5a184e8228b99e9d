import CoreData
import Testing

@testable import SlipboxLibrary

/// The trash, and folders that are moved about.
struct TrashTests {
  private struct Places {
    let box: Box
    let top: UUID
    let sub: UUID
    let inTop: UUID
    let inSub: UUID

    init() async throws {
      box = try Box()
      let library = box.library
      top = try await library.makeFolder(id: nil, name: "top", parent: nil, by: nil).id.uuid
      sub = try await library.makeFolder(id: nil, name: "sub", parent: top, by: nil).id.uuid
      inTop = try await box.note("in top", in: top).id.uuid
      inSub = try await box.note("in sub", in: sub).id.uuid
    }

    func titles(_ place: NotePlace) async throws -> Set<String> {
      Set(try await box.library.notes(NoteQuery(NoteSearch(place: place))).rows.map(\.title))
    }
  }

  @Test func `a trashed note is in the trash and nowhere else`() async throws {
    let places = try await Places()
    _ = try await places.box.library.trash([places.inTop], by: nil)
    #expect(try await places.titles(.all) == ["in sub"])
    #expect(try await places.titles(.folder(places.top)) == [])
    #expect(try await places.titles(.trash) == ["in top"])
    let everywhere = NoteSearch(place: .trash, text: "in", scope: .all)
    let found = try await places.box.library.notes(NoteQuery(everywhere))
    #expect(found.rows.map(\.title) == ["in sub"])
  }

  @Test func `a trashed folder takes everything in it along, and brings it back`() async throws {
    let places = try await Places()
    let library = places.box.library
    let (_, count) = try await library.trash(folder: places.top, by: nil)
    #expect(count == 2)
    var overview = try await library.overview()
    #expect(overview.folders.isEmpty)
    #expect(overview.trashedFolders.map(\.name) == ["top"])
    #expect(overview.places.all == 0)
    #expect(try await places.titles(.folder(places.sub)) == ["in sub"])
    _ = try await library.restore(folder: places.top, by: nil)
    overview = try await library.overview()
    #expect(overview.folders.map(\.name) == ["top", "sub"])
    #expect(try await places.titles(.all) == ["in top", "in sub"])
  }

  @Test func `what was in the trash before the folder stays there`() async throws {
    let places = try await Places()
    let library = places.box.library
    _ = try await library.trash([places.inTop], by: nil)
    places.box.clock.wait(1)
    _ = try await library.trash(folder: places.top, by: nil)
    _ = try await library.restore(folder: places.top, by: nil)
    #expect(try await places.titles(.trash) == ["in top"])
    #expect(try await places.titles(.all) == ["in sub"])
  }

  @Test func `a note comes back to the next folder above that is there`() async throws {
    let places = try await Places()
    let library = places.box.library
    _ = try await library.trash(folder: places.sub, by: nil)
    let restored = try await library.restore(places.inSub, by: nil)
    #expect(restored.note.folder?.name == "top")
  }

  @Test func `a subfolder of a trashed folder comes back to the top`() async throws {
    let places = try await Places()
    let library = places.box.library
    _ = try await library.trash(folder: places.sub, by: nil)
    places.box.clock.wait(1)
    _ = try await library.trash(folder: places.top, by: nil)
    #expect(try await library.overview().trashedFolders.count == 2)
    let (folder, _) = try await library.restore(folder: places.sub, by: nil)
    #expect(folder.parent == nil)
  }

  @Test func `nothing can be put into a trashed folder`() async throws {
    let places = try await Places()
    let library = places.box.library
    _ = try await library.trash(folder: places.sub, by: nil)
    await #expect(throws: LibraryProblem.self) {
      _ = try await library.move([places.inTop], to: places.sub, by: nil)
    }
    await #expect(throws: LibraryProblem.self) {
      _ = try await places.box.note("new", in: places.sub)
    }
  }

  @Test func `notes are deleted for good from the trash only`() async throws {
    let places = try await Places()
    await #expect(throws: LibraryProblem.self) {
      _ = try await places.box.library.deleteForever(places.inTop, by: nil)
    }
    #expect(try await places.titles(.all) == ["in top", "in sub"])
  }

  @Test func `after thirty days the trash is deleted, folders and all`() async throws {
    let places = try await Places()
    let library = places.box.library
    _ = try await library.trash(folder: places.sub, by: nil)
    places.box.clock.wait(20 * 86_400)
    _ = try await library.trash([places.inTop], by: nil)
    places.box.clock.wait(11 * 86_400)
    #expect(try await library.purgeTrash() == 1)
    #expect(try await places.titles(.trash) == ["in top"])
    #expect(try await library.overview().trashedFolders.isEmpty)
  }

  // MARK: - Deleting for good

  @Test func `emptying a large trash could not be undone`() async throws {
    let box = try Box()
    let now = box.clock.now
    try await box.library.write(by: nil) { context in
      for index in 0..<2100 {
        Note(title: "\(index)", context: context).trashedDate_ = now
      }
    }
    let (count, undo) = try await box.library.emptyTrash(by: nil)
    #expect(count == 2100)
    #expect(try await box.library.overview().places.trash == 0)
    #expect(try await box.library.notes(NoteQuery(NoteSearch(place: .trash))).total == 0)
    _ = try await box.library.undo(undo, by: nil)
    #expect(try await box.library.overview().places.trash == 2100)
  }

  @Test func `what was deleted for good is nowhere, and gone an hour later`() async throws {
    let places = try await Places()
    let (library, clock) = (places.box.library, places.box.clock)
    let (inTop, inSub, sub) = (places.inTop, places.inSub, places.sub)
    _ = try await library.trash([inTop], by: nil)
    _ = try await library.trash(folder: sub, by: nil)
    _ = try await library.emptyTrash(by: nil)
    for id in [inTop, inSub] {
      await #expect(throws: LibraryProblem.self) { _ = try await library.note(id) }
      await #expect(throws: LibraryProblem.self) { _ = try await library.restore(id, by: nil) }
    }
    await #expect(throws: LibraryProblem.self) {
      _ = try await library.restore(folder: sub, by: nil)
    }
    for place in [.all, .trash, .folder(places.top), .folder(sub)] as [NotePlace] {
      #expect(try await places.titles(place) == [])
    }
    let overview = try await library.overview()
    #expect(overview.folders.map(\.name) == ["top"])
    #expect(overview.trashedFolders.isEmpty)
    #expect(try await library.purgeTrash() == 0)
    clock.wait(3601)
    #expect(try await library.purgeTrash() == 2)
    #expect(try await library.read { try $0.count(for: Folder.fetchRequest()) } == 1)
  }

  @Test func `what came into the trash later is not deleted when emptying is done again`()
    async throws
  {
    let places = try await Places()
    let (library, clock) = (places.box.library, places.box.clock)
    _ = try await library.trash([places.inTop], by: nil)
    let undo = try await library.emptyTrash(by: nil).undo
    clock.wait(1800)
    let redo = try await library.undo(undo, by: nil)
    _ = try await library.trash([places.inSub], by: nil)
    #expect(try await places.titles(.trash) == ["in top", "in sub"])
    clock.wait(2700)
    let again = try await library.undo(redo, by: nil)
    #expect(try await places.titles(.trash) == ["in sub"])
    #expect(try await library.purgeTrash() == 0)
    _ = try await library.undo(again, by: nil)
    #expect(try await places.titles(.trash) == ["in top", "in sub"])
  }

  @Test func `emptying that the store refused left changes behind, which the next edit saved`()
    async throws
  {
    let places = try await Places()
    let library = places.box.library
    let top = places.top
    // As another program may leave it, and this one puts right before it empties.
    try await library.write(by: nil) { try $0.folder(top).trashedDate_ = Date() }
    let other = try Locking(places.box.folder.appendingPathComponent("Slipbox.sqlite"))
    await #expect(throws: CocoaError.self) { _ = try await library.emptyTrash(by: nil) }
    let writing = library.writing
    #expect(await writing.perform { !writing.hasChanges })
    other.letGo()
    _ = try await library.emptyTrash(by: nil)
    #expect(try await library.note(places.inTop).folder == nil)
  }

  @Test func `a folder comes back without the note that was deleted for good`() async throws {
    let places = try await Places()
    let library = places.box.library
    _ = try await library.trash(folder: places.top, by: nil)
    let undo = try await library.deleteForever(places.inTop, by: nil)
    _ = try await library.restore(folder: places.top, by: nil)
    #expect(try await places.titles(.all) == ["in sub"])
    #expect(try await library.overview().folders.map(\.name) == ["top", "sub"])
    _ = try await library.undo(undo, by: nil)
    #expect(try await places.titles(.trash) == ["in top"])
    #expect(try await library.restore(places.inTop, by: nil).note.folder?.name == "top")
  }

  @Test func `a folder cannot be moved into itself or below`() async throws {
    let places = try await Places()
    for target in [places.top, places.sub] {
      var edit = FolderEdit()
      edit.parent = .folder(target)
      await #expect(throws: LibraryProblem.self) {
        _ = try await places.box.library.edit(folder: places.top, edit, by: nil)
      }
    }
    #expect(try await places.box.library.overview().folders.map(\.name) == ["top", "sub"])
  }

  @Test func `a folder takes the wanted place among its siblings`() async throws {
    let box = try Box()
    var ids: [String: UUID] = [:]
    for name in ["a", "b", "c", "d"] {
      ids[name] = try await box.library.makeFolder(id: nil, name: name, parent: nil, by: nil).id
        .uuid
      box.clock.wait(1)
    }
    var edit = FolderEdit()
    edit.order = 1
    _ = try await box.library.edit(folder: try #require(ids["d"]), edit, by: nil)
    #expect(try await box.library.overview().folders.map(\.name) == ["a", "d", "b", "c"])
    #expect(try await box.library.overview().folders.map(\.order) == [0, 1, 2, 3])
    edit.order = 99
    _ = try await box.library.edit(folder: try #require(ids["a"]), edit, by: nil)
    #expect(try await box.library.overview().folders.map(\.name) == ["d", "b", "c", "a"])
  }

  // MARK: - Notes that are not in the trash, in folders that are

  @Test func `emptying the trash deleted a living note in a trashed folder`() async throws {
    let places = try await Places()
    let library = places.box.library
    let (top, inTop) = (places.top, places.inTop)
    // As another program may leave it.
    try await library.write(by: nil) { context in
      try context.folder(top).trashedDate_ = Date()
    }
    _ = try await library.emptyTrash(by: nil)
    #expect(try await library.note(inTop).folder == nil)
    #expect(try await places.titles(.all) == ["in top", "in sub"])
    #expect(try await library.overview().folders.map(\.name) == ["sub"])
  }

  @Test func `purging deleted a living note in a folder trashed long ago`() async throws {
    let places = try await Places()
    let library = places.box.library
    let (top, date) = (places.top, places.box.clock.now)
    try await library.write(by: nil) { try $0.folder(top).trashedDate_ = date }
    places.box.clock.wait(31 * 86_400)
    #expect(try await library.purgeTrash() == 0)
    #expect(try await places.titles(.all) == ["in top", "in sub"])
  }
}
