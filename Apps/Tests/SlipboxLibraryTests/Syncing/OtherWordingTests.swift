import CoreData
import CoreDataStrictJSON
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Devices that write in one note at the same time: the words of all are in it, and where they exclude each other, the
/// other wording is shown on all of them.
@Suite(.serialized) struct OtherWordingTests {
  private typealias Devices = SyncingTests

  /// A note on both devices, which are without a network then.
  private static func apart(
    _ text: String = "Sow them now."
  ) async throws -> (SyncServer, Box, Box, UUID) {
    let (server, phone, desk) = try await Devices.joined()
    let id = try #require(UUID(uuidString: try await phone.note("Seeds", text).id))
    try await Devices.settle(phone, desk)
    server.stop()
    // The desk is the later one.
    desk.clock.wait(60)
    return (server, phone, desk, id)
  }

  /// Brings the server back, and the changes of both devices to the other.
  private static func meet(_ server: SyncServer, _ phone: Box, _ desk: Box) async throws {
    try server.start()
    try await Devices.settle(phone, desk)
  }

  private static func wordings(_ id: UUID, _ box: Box) async throws -> [String] {
    try await box.library.note(id).wordings.map { "\($0.kept.trimmed) / \($0.lost.trimmed)" }
  }

  @Test func `words that two devices typed in one paragraph are in it`() async throws {
    let (server, phone, desk, id) = try await Self.apart()
    try await Devices.write("Sow them deep now.", to: id, in: phone)
    try await Devices.write("Sow all of them now!", to: id, in: desk)
    try await Self.meet(server, phone, desk)
    for box in [phone, desk] {
      #expect(try await Devices.text(of: id, in: box) == "Sow all of them deep now!")
      #expect(try await Self.wordings(id, box) == [])
      #expect(try await box.library.syncConflicts() == [])
    }
    withExtendedLifetime(server) {}
  }

  @Test func `the same words in two ways are shown on both devices, and settled for both`()
    async throws
  {
    let (server, phone, desk, id) = try await Self.apart()
    try await Devices.write("Sow them today.", to: id, in: phone)
    try await Devices.write("Sow them tomorrow.", to: id, in: desk)
    try await Self.meet(server, phone, desk)
    for box in [phone, desk] {
      #expect(try await Devices.text(of: id, in: box) == "Sow them tomorrow.")
      let wordings = try await Self.wordings(id, box)
      #expect(wordings == ["Sow them tomorrow. / Sow them today."])
      #expect(try await box.library.syncConflicts() == [])
    }
    let wording = try #require(try await phone.library.note(id).wordings.first?.id.uuid)
    let taken = try await phone.library.take(wording: wording, of: id, by: nil)
    try await Devices.settle(phone, desk)
    for box in [phone, desk] {
      #expect(try await Devices.text(of: id, in: box) == "Sow them today.")
      #expect(try await Self.wordings(id, box) == [])
      #expect(try await box.library.versions(of: id).contains { $0.excerpt.contains("tomorrow") })
    }
    _ = try await phone.library.undo(try #require(taken.undo), by: nil)
    try await Devices.settle(phone, desk)
    for box in [phone, desk] {
      #expect(try await Devices.text(of: id, in: box) == "Sow them tomorrow.")
      #expect(try await Self.wordings(id, box).count == 1)
    }
    _ = try await desk.library.dismiss(wording: wording, of: id, by: nil)
    try await Devices.settle(desk, phone)
    #expect(try await Self.wordings(id, phone) == [])
    await #expect(throws: LibraryProblem.self) {
      try await phone.library.take(wording: wording, of: id, by: nil)
    }
    withExtendedLifetime(server) {}
  }

  @Test func `a title that two devices changed was only told to one of them`() async throws {
    let (server, phone, desk, id) = try await Self.apart()
    try await Self.rename(id, "Seeds of spring", in: phone)
    try await Self.rename(id, "Grains", in: desk)
    try await Self.meet(server, phone, desk)
    for box in [phone, desk] {
      #expect(try await box.library.note(id).title == "Grains")
      let wordings = try await Self.wordings(id, box)
      #expect(wordings == ["Grains / Seeds of spring"])
    }
    let wording = try #require(try await desk.library.note(id).wordings.first?.id.uuid)
    _ = try await desk.library.take(wording: wording, of: id, by: nil)
    try await Devices.settle(desk, phone)
    #expect(try await phone.library.note(id).title == "Seeds of spring")
    withExtendedLifetime(server) {}
  }

  private static func rename(_ id: UUID, _ title: String, in box: Box) async throws {
    var edit = NoteEdit()
    edit.base = try await box.library.note(id).revision
    edit.title = title
    _ = try await box.library.edit(id, edit, by: nil)
  }

  @Test func `words were lost that a third device had overwritten before their own device asked`()
    async throws
  {
    let (server, phone, desk, id) = try await Self.apart()
    try server.start()
    let tablet = try Box()
    _ = try await tablet.library.join(server.address)
    _ = try await tablet.library.syncNow()
    // The phone's words are at the server, those of the desk in their place, and the tablet goes on from these.
    try await Devices.write("Sow them now, deep.", to: id, in: phone)
    try await Devices.write("Soon sow them now.", to: id, in: desk)
    _ = try await phone.library.syncNow()
    desk.library.controller.container.stopSyncing()
    try desk.library.controller.container.startSyncing(at: server.address)
    _ = try await desk.library.syncNow()
    _ = try await tablet.library.syncNow()
    tablet.clock.wait(120)
    let text = try await Devices.text(of: id, in: tablet)
    try await Devices.write("\(text) Water them.", to: id, in: tablet)
    for box in [tablet, phone, desk, tablet, phone, desk] { _ = try await box.library.syncNow() }
    for box in [phone, desk, tablet] {
      let text = try await Devices.text(of: id, in: box)
      #expect(text == "Soon sow them now, deep. Water them." || text.contains("deep"))
      for word in ["Soon", "deep", "Water"] { #expect(text.contains(word), "\(text)") }
    }
    withExtendedLifetime(server) {}
  }

  @Test func `an undone act was undone on one device only`() async throws {
    let (server, phone, desk, id) = try await Self.apart("One two three.")
    try await Devices.write("One two three four.", to: id, in: phone)
    let version = try #require(try await phone.library.versions(of: id).first?.id.uuid)
    let restored = try await phone.library.restore(version: version, of: id, by: nil)
    try await Self.meet(server, phone, desk)
    #expect(try await Devices.text(of: id, in: desk) == "One two three.")
    _ = try await phone.library.undo(try #require(restored.undo), by: nil)
    try await Devices.settle(phone, desk)
    for box in [phone, desk] {
      #expect(try await Devices.text(of: id, in: box) == "One two three four.")
      #expect(try await Self.wordings(id, box) == [])
    }
    withExtendedLifetime(server) {}
  }

  @Test func `an earlier version of the program goes on without conflicts, and with one at once`()
    async throws
  {
    let (server, phone, desk, id) = try await Self.apart()
    desk.actsAsEarlierVersion()
    try await Devices.write("Sow them today.", to: id, in: phone)
    try await Self.meet(server, phone, desk)
    try await Devices.write("Sow them today, deep.", to: id, in: desk)
    try await Devices.settle(desk, phone)
    #expect(try await Devices.text(of: id, in: phone) == "Sow them today, deep.")
    try await Devices.write("Sow them today, deep. Water.", to: id, in: phone)
    try await Devices.settle(phone, desk)
    #expect(try await Devices.text(of: id, in: desk) == "Sow them today, deep. Water.")
    #expect(try await Self.wordings(id, phone) == [])
    server.stop()
    try await Devices.write("Sow them early.", to: id, in: phone)
    try await Devices.isLater()
    try await Devices.write("Sow them late.", to: id, in: desk)
    try server.start()
    try await Devices.settle(desk, phone)
    #expect(try await Devices.text(of: id, in: phone) == "Sow them late.")
    let lost =
      try await Self.wordings(id, phone).joined()
      + desk.library.syncConflicts().flatMap { $0.fields.map(\.lost) }.joined()
    #expect(lost.contains("early"))
  }

  @Test func `notes of a slip box that is on one device only have no lineages`() async throws {
    let box = try Box()
    let id = try #require(UUID(uuidString: try await box.note("Seeds", "Sow them.").id))
    try await Devices.write("Sow them now.", to: id, in: box)
    let lineages = try await box.library.read { context in
      let note = try context.note(id)
      return [note.textLineage_, note.titleLineage_].compactMap { $0 }.count
        + (note.knownTexts_ == nil ? 0 : 1)
    }
    #expect(lineages == 0)
  }
}

// MARK: - Edits of pages

extension OtherWordingTests {
  @Test func `a page that typed on beside words it did not show had its own words twice`()
    async throws
  {
    let server = try SyncServer()
    let box = try Box()
    _ = try await box.library.join(server.address)
    let made = try await box.note("Seeds", "Sow them.")
    let id = try #require(UUID(uuidString: made.id))
    try await Self.type("Sow all of them.", since: made.revision, in: id, of: box)
    let first = UUID()
    var answer = try await Self.type(
      "Sow them de.",
      since: made.revision,
      mark: first,
      in: id,
      of: box
    )
    #expect(answer.merged)
    #expect(try await SyncingTests.text(of: id, in: box) == "Sow all of them de.")
    // The page shows its own words only, and goes on with the same one.
    answer = try await Self.type(
      "Sow them deep now.",
      since: made.revision,
      mark: UUID(),
      after: first,
      in: id,
      of: box
    )
    #expect(try await SyncingTests.text(of: id, in: box) == "Sow all of them deep now.")
    // Two wordings of the same words are one in the note and one beside it, and no copy is made.
    let revision = try await box.library.note(id).revision
    try await Self.type("Plant all of them deep now.", since: revision, in: id, of: box)
    try await Self.type("Dig them.", since: made.revision, mark: UUID(), in: id, of: box)
    #expect(try await box.library.note(id).wordings.count == 1)
    #expect(try await box.library.overview().places.all == 1)
  }

  @discardableResult
  private static func type(
    _ text: String,
    since revision: Int64,
    mark: UUID? = nil,
    after: UUID? = nil,
    in id: UUID,
    of box: Box
  ) async throws -> EditedNote {
    var edit = NoteEdit()
    (edit.base, edit.mark, edit.since) = (revision, mark, after)
    edit.document = .document(text)
    return try await box.library.edit(id, edit, by: nil)
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .newlines) }
}
