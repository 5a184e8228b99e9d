import Foundation
import Testing

@testable import SlipboxLibrary

/// Links with which everybody can read a note.
struct PublishingTests {
  private func secret(_ row: PublishedRow) -> String { String(row.path.dropFirst(3)) }

  private func page(_ secret: String, _ library: Library) async throws -> String {
    String(decoding: try await library.publishedPage(secret), as: UTF8.self)
  }

  private func isNothing(_ secret: String, _ library: Library) async -> Bool {
    do {
      _ = try await library.publishedPage(secret)
      return false
    } catch LibraryProblem.missing("There is nothing here.") {
      return true
    } catch {
      return false
    }
  }

  @Test func `a link has 160 random bits, and is the same until it is replaced or ended`()
    async throws
  {
    let box = try Box()
    let id = try await box.note("title", "words").id.uuid
    let first = try await box.library.publish(id, replaces: false)
    #expect(secret(first).wholeMatch(of: /[a-z2-9]{32}/) != nil)
    #expect(try await box.library.publish(id, replaces: false) == first)
    #expect(try await page(secret(first), box.library).contains("<p>words</p>"))
    let second = try await box.library.publish(id, replaces: true)
    #expect(second.path != first.path)
    #expect(await isNothing(secret(first), box.library))
    #expect(try await page(secret(second), box.library).contains("<h1>title</h1>"))
    try box.library.stopPublishing(id)
    #expect(await isNothing(secret(second), box.library))
    #expect(try await box.library.publishedNotes().isEmpty)
    // Ending it once more harms nobody.
    try box.library.stopPublishing(id)
  }

  @Test(arguments: ["", "x", "../published", "ä", String(repeating: "a", count: 100_000)])
  func `other words open nothing`(_ guess: String) async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let link = secret(try await box.library.publish(id, replaces: false))
    for guess in [guess, link.uppercased(), String(link.dropLast()), link + "a"] {
      #expect(await isNothing(guess, box.library))
    }
  }

  @Test func `readers see the note as it is now`() async throws {
    let box = try Box()
    let id = try await box.note("title", "first").id.uuid
    let link = secret(try await box.library.publish(id, replaces: false))
    #expect(try await page(link, box.library).contains("first"))
    var edit = NoteEdit()
    (edit.base, edit.document) = (1, .document("second"))
    _ = try await box.library.edit(id, edit, by: "test")
    let after = try await page(link, box.library)
    #expect(after.contains("second") && !after.contains("first"))
  }

  @Test func `a note in the trash is not there for readers, and one that is restored is`()
    async throws
  {
    let box = try Box()
    let id = try await box.note("title", "words").id.uuid
    let link = secret(try await box.library.publish(id, replaces: false))
    _ = try await box.library.trash([id], by: "test")
    #expect(await isNothing(link, box.library))
    #expect(try await box.library.publishedNotes().map(\.isInTrash) == [true])
    await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.publish(id, replaces: true)
    }
    _ = try await box.library.restore(id, by: "test")
    #expect(try await page(link, box.library).contains("words"))
  }

  @Test(arguments: [false, true])
  func `deleting for good ends a link, also if it is undone`(emptiesTrash: Bool) async throws {
    let box = try Box()
    let id = try await box.note("title", "words").id.uuid
    let other = try await box.note("other", "stays").id.uuid
    let link = secret(try await box.library.publish(id, replaces: false))
    let kept = secret(try await box.library.publish(other, replaces: false))
    _ = try await box.library.trash([id], by: "test")
    let undo =
      emptiesTrash
      ? try await box.library.emptyTrash(by: "test").undo
      : try await box.library.deleteForever(id, by: "test")
    let file = box.folder.appending(component: "published")
    #expect(try String(contentsOf: file, encoding: .utf8).contains(link) == false)
    _ = try await box.library.undo(undo, by: "test")
    _ = try await box.library.restore(id, by: "test")
    #expect(await isNothing(link, box.library))
    #expect(try await page(kept, box.library).contains("stays"))
  }

  @Test func `links outlive the program, in a file for its owner alone`() async throws {
    let folder = Box.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let link = try await {
      let library = try Library(folder: folder)
      defer { library.close() }
      let note = try await library.make(NewNote(title: "title"), by: nil).note
      return secret(try await library.publish(note.id.uuid, replaces: false, language: "de_AT"))
    }()
    let library = try Library(folder: folder)
    defer { library.close() }
    let page = try await page(link, library)
    #expect(page.contains("<html lang=\"de-AT\">") && page.contains("<title>title</title>"))
    var status = stat()
    #expect(lstat(folder.path + "/published", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/published.new-\(getpid())"))
  }

  @Test func `a link that another program has ended was served on`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let link = secret(try await box.library.publish(id, replaces: false))
    let other = try Library(folder: box.folder)
    defer { other.close() }
    #expect(try await page(link, other).contains("title"))
    try box.library.stopPublishing(id)
    #expect(await isNothing(link, other))
  }

  @Test(arguments: [
    "", "{", "[]", #"{"links": 1}"#,
    #"{"links": [{"note": "x", "secret": "a", "since": 1}]}"#,
    #"{"links": [{"note": "11000000-0000-4000-8000-000000000022", "secret": "a", "since": 1}]}"#,
    String(repeating: "[", count: 100_000), String(repeating: " ", count: 2 << 20),
  ])
  func `a damaged file publishes nothing, and is named with its remedy`(
    _ text: String
  )
    async throws
  {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let file = box.folder.appending(component: "published")
    try Data(text.utf8).write(to: file)
    #expect(chmod(file.path, 0o600) == 0)
    #expect(await isNothing("a", box.library))
    let error = await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.publish(id, replaces: false)
    }
    #expect(error?.errorDescription?.contains("\(file.path), which has the links") == true)
    // It is not overwritten, and deleting notes for good goes on.
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    _ = try await box.library.trash([id], by: nil)
    _ = try await box.library.emptyTrash(by: nil)
    await #expect(throws: LibraryProblem.self) { try await box.library.purge() }
  }

  @Test func `a file that others could have written publishes nothing`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    let link = secret(try await box.library.publish(id, replaces: false))
    let file = box.folder.appending(component: "published")
    #expect(chmod(file.path, 0o644) == 0)
    // Another size makes it be read again.
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(" ".utf8))
    #expect(await isNothing(link, box.library))
  }

  @Test func `nothing is published by a copy, a template or an import`() async throws {
    let box = try Box()
    let id = try await box.note("title", "words").id.uuid
    _ = try await box.library.publish(id, replaces: false)
    var copy = NewNote()
    copy.template = id
    _ = try await box.library.make(copy, by: nil)
    let archive = try await Archive.exported { try await box.library.exportAll(to: $0) }
    #expect(archive.range(of: Data("/p/".utf8)) == nil)
    let place = box.folder.appending(component: "all.zip")
    try archive.write(to: place)
    _ = try await box.library.importNotes(ImportSource(archive: place), into: nil, by: nil)
    #expect(try await box.library.publishedNotes().map(\.note) == [id.text])
  }

  @Test func `a thousand notes can be published`() async throws {
    let box = try Box()
    let links = (0..<PublishedNotes.most).map { _ in
      PublishedNote(UUID(), since: Date(), language: nil)
    }
    try box.library.published.change { $0 = links }
    let id = try await box.note("title").id.uuid
    let error = await #expect(throws: LibraryProblem.self) {
      _ = try await box.library.publish(id, replaces: false)
    }
    #expect(error?.errorDescription?.hasPrefix("At most 1,000 notes can be published") == true)
    try await box.library.purge()
    #expect(try box.library.published.all.isEmpty)
    _ = try await box.library.publish(id, replaces: false)
  }

  @Test func `changes are reported`() async throws {
    let box = try Box()
    let id = try await box.note("title").id.uuid
    var changes = box.library.publishedChanges().makeAsyncIterator()
    _ = try await box.library.publish(id, replaces: false)
    #expect(await changes.next() != nil)
    try box.library.stopPublishing(id)
    #expect(await changes.next() != nil)
  }
}
