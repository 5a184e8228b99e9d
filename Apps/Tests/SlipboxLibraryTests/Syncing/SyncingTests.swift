import CoreData
import CoreDataStrictJSON
import Foundation
import Pictures
import RichText
import Testing

@testable import SlipboxLibrary

/// Two slip boxes that follow each other over a server.
@Suite(.serialized) struct SyncingTests {
  @Test func `a note with its folder, keywords, links, names and files is on both`() async throws {
    let (server, phone, desk) = try await Self.joined()
    let folder = UUID()
    _ = try await phone.library.makeFolder(id: folder, name: "Garden", parent: nil, by: nil)
    let soil = try await phone.note("Soil")
    var seeds = NewNote(title: "Seeds", folder: folder)
    seeds.document = .document("They want warmth.")
    let made = try await phone.library.make(seeds, by: nil).note
    let id = try #require(UUID(uuidString: made.id))
    var edit = NoteEdit()
    edit.addKeywords = [KeywordChoice(name: "spring")]
    edit.addLinks = [try #require(UUID(uuidString: soil.id))]
    edit.aliases = ["Grains"]
    _ = try await phone.library.edit(id, edit, by: nil)
    let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let file = try await phone.library.addFile(bytes, name: "plan.bin", to: id, by: nil)
    try await Self.settle(phone, desk)
    let there = try await desk.library.note(id)
    #expect(there.title == "Seeds" && there.folder?.name == "Garden")
    #expect(there.keywords.map(\.name) == ["spring"])
    #expect(there.links.map(\.title) == ["Soil"])
    #expect(there.aliases == ["Grains"])
    #expect(there.document == made.document)
    let fileID = try #require(UUID(uuidString: file.id))
    let found = try await desk.library.readFile(fileID) { try $1() }
    #expect(found == bytes)
    _ = try await desk.library.trash([id], by: nil)
    try await Self.settle(desk, phone)
    #expect(try await phone.library.note(id).trashed != nil)
    withExtendedLifetime(server) {}
  }

  @Test(.enabled(if: PDFFile.textTool != nil, "pdftotext is not installed (Debian: poppler-utils)"))
  func `each device reads the words of a PDF by itself`() async throws {
    let (server, phone, desk) = try await Self.joined()
    let id = try await phone.note("Papers").id.uuid
    let pdf = PDFSample.pdf(["The kumquat harvest"])
    _ = try await phone.library.addFile(pdf, name: "a.pdf", to: id, by: nil)
    try await phone.library.fileTexts.readAll()
    try await Self.settle(phone, desk)
    try await desk.library.fileTexts.readAll()
    try await Self.settle(desk, phone)
    for box in [phone, desk] {
      let rows = try await box.library.notes(NoteQuery(NoteSearch(text: "kumquat"))).rows
      #expect(rows.map(\.file?.name) == ["a.pdf"])
      // One that came along would be the second.
      let count = try await box.library.read { context in
        try context.count(for: NSFetchRequest<FileText>(entityName: "FileText"))
      }
      #expect(count == 1)
    }
    withExtendedLifetime(server) {}
  }

  @Test func `a text of an earlier version that lost is kept, and taken back with one act`()
    async throws
  {
    let (server, phone, desk) = try await Self.joined()
    for box in [phone, desk] { box.actsAsEarlierVersion() }
    let id = try #require(UUID(uuidString: try await phone.note("Seeds", "Sow them.").id))
    try await Self.settle(phone, desk)
    server.stop()
    try await Self.write("Sow them in March.", to: id, in: phone)
    try await Self.isLater()
    try await Self.write("Sow them in April.", to: id, in: desk)
    try server.start()
    try await Self.settle(phone, desk)
    #expect(try await Self.text(of: id, in: phone) == "Sow them in April.")
    #expect(try await Self.text(of: id, in: desk) == "Sow them in April.")
    let onPhone = try await phone.library.syncConflicts()
    let holder = onPhone.isEmpty ? desk : phone
    let conflict = try #require(try await holder.library.syncConflicts().first)
    #expect(conflict.kind == "note" && conflict.about == id.text && conflict.name == "Seeds")
    let text = try #require(conflict.fields.first)
    #expect(text.name == "Text" && text.lost.contains("March"))
    #expect(text.now?.contains("April") == true)
    let (_, undo) = try await holder.library.takeBack(conflict: conflict.id, by: nil)
    #expect(try await holder.library.syncConflicts().isEmpty)
    try await Self.settle(phone, desk)
    for box in [phone, desk] {
      #expect(try await Self.text(of: id, in: box) == "Sow them in March.")
      #expect(try await box.library.versions(of: id).contains { $0.excerpt.contains("April") })
    }
    _ = try await holder.library.undo(undo, by: nil)
    #expect(try await Self.text(of: id, in: holder) == "Sow them in April.")
  }

  @Test func `a text that was taken back into a note that was deleted for good went with it`()
    async throws
  {
    let (server, phone, desk) = try await Self.joined()
    for box in [phone, desk] { box.actsAsEarlierVersion() }
    let id = try #require(UUID(uuidString: try await phone.note("Seeds", "Sow them.").id))
    try await Self.settle(phone, desk)
    server.stop()
    try await Self.write("Sow them in March.", to: id, in: phone)
    try await Self.isLater()
    try await Self.write("Sow them in April.", to: id, in: desk)
    try server.start()
    try await Self.settle(phone, desk)
    let holder = try await phone.library.syncConflicts().isEmpty ? desk : phone
    _ = try await holder.library.trash([id], by: nil)
    _ = try await holder.library.deleteForever(id, by: nil)
    let conflict = try #require(try await holder.library.syncConflicts().first)
    #expect(conflict.about == nil && conflict.fields.allSatisfy { $0.now == nil })
    #expect(conflict.name == "Seeds")
    let about = try await holder.library.takeBack(conflict: conflict.id, by: nil).about
    let again = try #require(about.flatMap { UUID(uuidString: $0) })
    #expect(again != id)
    #expect(try await Self.text(of: again, in: holder) == "Sow them in March.")
    #expect(try await holder.library.note(again).title == "Seeds")
    withExtendedLifetime(server) {}
  }

  @Test func `a text that was taken back into a note of which nobody knew any more had no title`()
    async throws
  {
    let (server, phone, desk) = try await Self.joined()
    let id = try #require(UUID(uuidString: try await phone.note("Seeds", "Sow them.").id))
    try await Self.settle(phone, desk)
    server.stop()
    try await Self.write("Sow them in March.", to: id, in: phone)
    _ = try await desk.library.act(by: nil) { context in context.delete(try context.note(id)) }
    try server.start()
    try await Self.settle(desk, phone)
    let conflict = try #require(try await phone.library.syncConflicts().first)
    #expect(conflict.about == nil && conflict.name == "Sow them in March.")
    let about = try await phone.library.takeBack(conflict: conflict.id, by: nil).about
    let again = try #require(about.flatMap { UUID(uuidString: $0) })
    #expect(try await phone.library.note(again).title == "Sow them in March.")
    withExtendedLifetime(server) {}
  }

  @Test func `an edit that began before another device's came in overwrote it`() async throws {
    let (server, phone, desk) = try await Self.joined()
    let made = try await phone.note("Seeds", "Sow them.")
    let id = try #require(UUID(uuidString: made.id))
    try await Self.settle(phone, desk)
    try await Self.write("Sow them in March.", to: id, in: desk)
    try await Self.settle(desk, phone)
    // The revision is counted a moment after the text is there.
    var revision = made.revision
    for _ in 0..<2_000 where revision == made.revision {
      revision = try await phone.library.note(id).revision
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(revision > made.revision)
    withExtendedLifetime(server) {}
  }

  @Test(arguments: [true, false])
  func `who leaves has the notes or not, and who comes back has nothing twice`(
    keepsNotes: Bool
  ) async throws {
    let (server, phone, desk) = try await Self.joined()
    _ = try await phone.note("Seeds", "Sow them.")
    let soil = try #require(UUID(uuidString: try await desk.note("Soil", "Dig it.").id))
    try await Self.settle(phone, desk)
    let state = try await desk.library.leave(keepsNotes: keepsNotes, by: nil)
    #expect(!state.isJoined && state.server == nil)
    #expect(try await desk.library.overview().places.all == (keepsNotes ? 2 : 0))
    if keepsNotes { try await Self.write("Dig it in autumn.", to: soil, in: desk) }
    // Nothing goes out any more.
    _ = try await phone.library.syncNow()
    #expect(try await phone.library.overview().places.all == 2)
    #expect(try await Self.text(of: soil, in: phone) == "Dig it.")
    _ = try await desk.library.join(server.address)
    try await Self.settle(desk, phone)
    for box in [phone, desk] {
      #expect(try await box.library.overview().places.all == 2)
    }
    #expect(
      try await Self.text(of: soil, in: phone) == Self.text(of: soil, in: desk)
    )
  }

  @Test func `other windows went on showing a slip box as joined that had left`() async throws {
    let (server, _, desk) = try await Self.joined()
    let states = desk.library.syncStates()
    let hearing = Task {
      for await state in states where !state.isJoined { return true }
      return false
    }
    _ = try await desk.library.leave(keepsNotes: true, by: nil)
    let patience = Task {
      try await Task.sleep(for: .seconds(300))
      hearing.cancel()
    }
    #expect(await hearing.value)
    patience.cancel()
    withExtendedLifetime(server) {}
  }

  @Test func `who cannot leave, as another program keeps the slip box in step, has joined still`()
    async throws
  {
    let (server, _, desk) = try await Self.joined()
    let other = try Library(folder: desk.folder)
    defer { other.close() }
    await #expect(throws: LibraryProblem.self) { try await other.leave(keepsNotes: true, by: nil) }
    #expect(try other.syncState.isJoined)
    #expect(try SyncAddressFile(in: desk.folder).address == server.address)
  }

  @Test func `who had left already, and left once more without the notes, lost all of them`()
    async throws
  {
    let (server, _, desk) = try await Self.joined()
    _ = try await desk.note("Seeds")
    _ = try await desk.library.leave(keepsNotes: true, by: nil)
    await #expect(throws: LibraryProblem.self) {
      try await desk.library.leave(keepsNotes: false, by: nil)
    }
    #expect(try await desk.library.overview().places.all == 1)
    withExtendedLifetime(server) {}
  }

  @Test func `who was killed as he deleted what he left with took other names from all devices`()
    async throws
  {
    let (server, phone, desk) = try await Self.joined()
    let id = try #require(UUID(uuidString: try await desk.note("Seeds", "Sow them.").id))
    var edit = NoteEdit()
    edit.aliases = ["Grains"]
    _ = try await desk.library.edit(id, edit, by: nil)
    try await Self.settle(desk, phone)
    // The files on the disk when the first notes are deleted.
    let (left, killed) = (desk.folder, desk.folder.appendingPathExtension("killed"))
    defer { try? FileManager.default.removeItem(at: killed) }
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave,
      object: desk.library.writing,
      queue: nil
    ) { save in
      let deleted = save.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>
      guard deleted?.isEmpty == false else { return }
      // The second of these saves finds the folder there.
      try? FileManager.default.copyItem(at: left, to: killed)
    }
    _ = try await desk.library.leave(keepsNotes: false, by: nil)
    NotificationCenter.default.removeObserver(observer)
    let again = try Library(folder: killed)
    defer { again.close() }
    #expect(try !again.syncState.isJoined)
    _ = try await again.join(server.address)
    _ = try await again.syncNow()
    _ = try await phone.library.syncNow()
    for library in [phone.library, again] {
      let names = try await library.read { context in
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Alias"))
      }
      #expect(names == 1)
    }
  }

  @Test(
    arguments: [
      "Notes", "http://127.0.0.1:1/Notes", "http://127.0.0.1:1/Notes#short",
      String(repeating: "x", count: 3_000),
    ]
  )
  func `what is no address is refused with a sentence`(address: String) async throws {
    let box = try Box()
    await #expect(throws: LibraryProblem.self) { try await box.library.join(address) }
    #expect(try !box.library.syncState.isJoined)
  }

  @Test func `a slip box that could not keep the address joined all the same`() async throws {
    let box = try Box()
    let away = box.folder.appendingPathExtension("away")
    try FileManager.default.moveItem(at: box.folder, to: away)
    defer { try? FileManager.default.moveItem(at: away, to: box.folder) }
    let address = "http://127.0.0.1:1/Notes#" + String(repeating: "a", count: 32)
    await #expect { try await box.library.join(address) } throws: {
      "\($0)".contains("The address cannot be written")
    }
    let store = try #require(box.library.controller.container.persistentStoreDescriptions.first)
    #expect(store.cloudKitContainerOptions?.syncAddress == "")
  }

  @Test(arguments: ["", "http://127.0.0.1:1/Notes#token"])
  func `looking whether an address can be kept leaves what is kept`(kept: String) throws {
    let box = try Box()
    let file = SyncAddressFile(in: box.folder)
    if !kept.isEmpty { try file.write(kept) }
    try file.requireWritable()
    #expect(try file.address ?? "" == kept)
    let names = try FileManager.default.contentsOfDirectory(atPath: box.folder.path)
    #expect(names.filter { $0.hasPrefix("sync-address") } == (kept.isEmpty ? [] : ["sync-address"]))
  }

  @Test func `a token that the server does not know leaves nothing behind`() async throws {
    let server = try SyncServer()
    let box = try Box()
    let wrong = server.address.split(separator: "#")[0] + "#" + String(repeating: "a", count: 32)
    await #expect(throws: LibraryProblem.self) { try await box.library.join(wrong) }
    #expect(try !box.library.syncState.isJoined)
    let joined = try await box.library.join(server.address)
    #expect(joined.isJoined && joined.problem == nil)
    #expect(joined.server.map { server.address.hasPrefix($0) } == true)
  }

  @Test func `whoever got a new token had to leave, and lost what had not been sent`()
    async throws
  {
    let (server, phone, desk) = try await Self.joined()
    let id = try #require(UUID(uuidString: try await phone.note("Seeds", "Sow them.").id))
    try await Self.settle(phone, desk)
    let (older, newer) = (try server.makeToken(), try server.makeToken())
    #expect(try await phone.library.join(older).problem == nil)
    // The server has printed the first one.
    try server.revoke(2)
    try await Self.write("Sow them in March.", to: id, in: phone)
    let state = try await phone.library.syncNow()
    #expect(state.waiting >= 1 && state.problem?.contains("revoked") == true)
    let elsewhere = newer.replacing("/Notes#", with: "/Others#")
    for address in [older, elsewhere] {
      await #expect(throws: LibraryProblem.self) { try await phone.library.join(address) }
      #expect(try phone.library.syncAddress == older)
    }
    let renewed = try await phone.library.join(newer)
    #expect(renewed.isJoined && renewed.problem == nil)
    try await Self.settle(phone, desk)
    for box in [phone, desk] {
      #expect(try await Self.text(of: id, in: box) == "Sow them in March.")
      #expect(try await box.library.syncConflicts().isEmpty)
    }
  }

  @Test func `a new token of an encrypted zone opens it with the key that is known`() async throws {
    let server = try SyncServer()
    let box = try Box()
    _ = try await box.library.join(server.address, passphrase: "mice eat cheese")
    let token = try server.makeToken()
    let renewed = try await box.library.join(token)
    #expect(renewed.isEncrypted && renewed.problem == nil)
    #expect(try box.library.syncAddress?.hasPrefix("\(token).") == true)
  }

  @Test func `it goes on after the next start, and says what waits while nobody answers`()
    async throws
  {
    let (server, phone, _) = try await Self.joined()
    let id = try #require(UUID(uuidString: try await phone.note("Seeds", "Sow them.").id))
    _ = try await phone.library.syncNow()
    server.stop()
    try await Self.write("Sow them in March.", to: id, in: phone)
    let state = try await phone.library.syncNow()
    #expect(state.waiting >= 1 && state.problem != nil && state.isPatient)
    #expect(state.confirmed != nil)
    phone.library.close()
    try server.start()
    let again = try Library(folder: phone.folder)
    defer { again.close() }
    let after = try await again.syncNow()
    #expect(after.isJoined && after.waiting == 0 && after.problem == nil)
  }
}

extension SyncingTests {
  @Test(arguments: ["pair-abcd-efgh", "pair-abcd#efgh", "http://127.0.0.1:1/Notes"])
  func `a page showed the token and the key of a pairing code that was kept`(code: String) throws {
    let box = try Box()
    try SyncAddressFile(in: box.folder).write(code)
    let state = try box.library.syncState
    #expect(state.isJoined && state.server == nil)
  }
}

// MARK: - Two devices

extension SyncingTests {
  /// A server, and two empty slip boxes that have joined.
  @Test func `a slip box with a passphrase is followed by who has its pairing code`() async throws {
    let server = try SyncServer()
    let (phone, desk, other) = (try Box(), try Box(), try Box())
    let joined = try await phone.library.join(server.address, passphrase: "mice eat cheese")
    #expect(joined.isEncrypted && joined.server?.contains("#") == false)
    let code = try #require(try phone.library.pairingCode)
    #expect(try await desk.library.join(code).isEncrypted)
    _ = try await phone.note("Seeds", "Sow them.")
    try await Self.settle(phone, desk)
    #expect(
      try await desk.library.read {
        try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
      } == 1
    )
    await #expect { try await other.library.join(server.address, passphrase: "mice eat") } throws: {
      "\($0)".contains("passphrase")
    }
    await #expect { try await other.library.join(server.address) } throws: {
      "\($0)".contains("encrypted")
    }
    #expect(try !other.library.syncState.isJoined)
  }

  static func joined() async throws -> (SyncServer, Box, Box) {
    let server = try SyncServer()
    let (phone, desk) = (try Box(), try Box())
    for box in [phone, desk] { _ = try await box.library.join(server.address) }
    return (server, phone, desk)
  }

  /// Lets so much time pass that what is written then is later on any device.
  ///
  /// A device takes the time of an answer for the server's, and is behind it by as long as the answer was on its way.
  static func isLater() async throws { try await Task.sleep(for: .seconds(2)) }

  /// Brings the changes of one box to the other, and the results back.
  static func settle(_ one: Box, _ other: Box) async throws {
    for box in [one, other, one, other] {
      let state = try await box.library.syncNow()
      try #require(state.problem == nil)
    }
  }

  static func write(_ text: String, to id: UUID, in box: Box) async throws {
    var edit = NoteEdit()
    edit.base = try await box.library.note(id).revision
    edit.document = .document(text)
    _ = try await box.library.edit(id, edit, by: nil)
  }

  static func text(of id: UUID, in box: Box) async throws -> String {
    try await box.library.read { context in
      context.refreshAllObjects()
      let note = try Note.find(id, in: context)
      return note?.formattedBodyText.plainText.trimmingCharacters(in: .newlines) ?? ""
    }
  }
}
