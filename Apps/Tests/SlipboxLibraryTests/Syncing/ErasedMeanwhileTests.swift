import CoreData
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// One device deletes a note for good while another one, which is not in the network, writes in it.
@Suite(.serialized) struct ErasedMeanwhileTests {
  @Test(arguments: [true, false])
  func `words that were written meanwhile vanished with the note on all devices`(
    writerIsFirst: Bool
  ) async throws {
    let (server, phone, desk) = try await SyncingTests.joined()
    let folder = UUID()
    _ = try await desk.library.makeFolder(id: folder, name: "Garden", parent: nil, by: nil)
    let id = try await desk.note("Seeds", "Sow them.", in: folder).id.uuid
    try await SyncingTests.settle(desk, phone)
    server.stop()
    try await SyncingTests.write("Sow them in March.", to: id, in: phone)
    try await Self.erase(id, in: desk)
    try server.start()
    let both = writerIsFirst ? [phone, desk] : [desk, phone]
    try await Self.exchange(both) { box in
      let note = try await box.library.note(id)
      let text = try await SyncingTests.text(of: id, in: box)
      return note.trashed == nil && note.folder?.name == "Garden" && text == "Sow them in March."
    }
    for box in both {
      // An hour later, it is there still.
      box.clock.wait(2 * 3_600)
      try await box.library.purge()
      #expect(try await box.library.overview().places.all == 1)
      #expect(try await box.library.syncConflicts().isEmpty)
    }
  }

  @Test func `words vanished that came with an older date than the edit before the deletion`()
    async throws
  {
    let (server, phone, desk) = try await SyncingTests.joined()
    let id = try await desk.note("Seeds", "Sow them.").id.uuid
    try await SyncingTests.settle(desk, phone)
    server.stop()
    try await SyncingTests.write("Sow them in March.", to: id, in: phone)
    try await SyncingTests.isLater()
    var edit = NoteEdit()
    edit.base = try await desk.library.note(id).revision
    edit.title = "Grains"
    _ = try await desk.library.edit(id, edit, by: nil)
    try await Self.erase(id, in: desk)
    try server.start()
    try await Self.exchange([phone, desk]) { box in
      let title = try await box.library.note(id).title
      let text = try await SyncingTests.text(of: id, in: box)
      return title == "Grains" && text == "Sow them in March."
    }
  }

  @Test func `a title that was written meanwhile vanished with the note`() async throws {
    let (server, phone, desk) = try await SyncingTests.joined()
    let id = try await desk.note("Seeds", "Sow them.").id.uuid
    try await SyncingTests.settle(desk, phone)
    server.stop()
    var edit = NoteEdit()
    edit.base = try await phone.library.note(id).revision
    edit.title = "Seeds of beans"
    _ = try await phone.library.edit(id, edit, by: nil)
    try await Self.erase(id, in: desk)
    try server.start()
    try await Self.exchange([desk, phone]) { box in
      try await box.library.note(id).title == "Seeds of beans"
    }
  }

  @Test func `a note that was deleted for good by who had seen all of it stays deleted`()
    async throws
  {
    let (server, phone, desk) = try await SyncingTests.joined()
    let id = try await desk.note("Seeds", "Sow them.").id.uuid
    try await SyncingTests.settle(desk, phone)
    try await SyncingTests.write("Sow them in March.", to: id, in: phone)
    try await SyncingTests.settle(phone, desk)
    try await Self.erase(id, in: desk)
    try await Self.exchange([desk, phone]) { box in try await Self.isGone(id, in: box) }
    try await SyncingTests.settle(desk, phone)
    for box in [desk, phone] {
      box.clock.wait(2 * 3_600)
      try await box.library.purge()
    }
    try await SyncingTests.settle(desk, phone)
    for box in [desk, phone] {
      let rows = try await box.library.read { try $0.count(for: Note.fetch()) }
      #expect(rows == 0)
    }
    withExtendedLifetime(server) {}
  }

  @Test func `what one device restored and another deleted for good was neither here nor there`()
    async throws
  {
    let (server, phone, desk) = try await SyncingTests.joined()
    let folder = UUID()
    _ = try await desk.library.makeFolder(id: folder, name: "Garden", parent: nil, by: nil)
    let id = try await desk.note("Seeds", "Sow them.", in: folder).id.uuid
    _ = try await desk.library.trash(folder: folder, by: nil)
    try await SyncingTests.settle(desk, phone)
    server.stop()
    _ = try await phone.library.restore(folder: folder, by: nil)
    _ = try await desk.library.emptyTrash(by: nil)
    try server.start()
    try await Self.exchange([desk, phone]) { box in
      let note = try await box.library.note(id)
      let overview = try await box.library.overview()
      return note.trashed == nil && note.folder?.name == "Garden"
        && overview.folders.map(\.name) == ["Garden"] && overview.places.all == 1
    }
  }

  @Test(arguments: [false, true])
  func `a folder that was filled on one device and deleted on another took its notes along`(
    isPurged: Bool
  ) async throws {
    let (server, phone, desk) = try await SyncingTests.joined()
    let (folder, inner) = (UUID(), UUID())
    _ = try await desk.library.makeFolder(id: folder, name: "Garden", parent: nil, by: nil)
    _ = try await desk.library.makeFolder(id: inner, name: "Beds", parent: folder, by: nil)
    let moved = try await desk.note("Soil", "Dig it.").id.uuid
    let known = try await desk.note("Weeds", "Pull them.", in: inner).id.uuid
    try await SyncingTests.settle(desk, phone)
    server.stop()
    let made = try await phone.note("Seeds", "Sow them.", in: inner).id.uuid
    _ = try await phone.library.move([moved], to: folder, by: nil)
    _ = try await desk.library.trash(folder: folder, by: nil)
    _ = try await desk.library.emptyTrash(by: nil)
    if isPurged {
      desk.clock.wait(2 * 3_600)
      try await desk.library.purge()
    }
    try server.start()
    try await Self.exchange([desk, phone]) { box in
      let notes = [try await box.library.note(made), try await box.library.note(moved)]
      let isKnownGone = try await Self.isGone(known, in: box)
      return isKnownGone && notes.allSatisfy { $0.trashed == nil && $0.folder == nil }
    }
    for box in [desk, phone] {
      #expect(try await SyncingTests.text(of: made, in: box) == "Sow them.")
      #expect(try await SyncingTests.text(of: moved, in: box) == "Dig it.")
    }
  }

  @Test(arguments: [true, false])
  func `words for a note vanished whose row was deleted before they came`(
    writerIsFirst: Bool
  ) async throws {
    let (server, phone, desk) = try await SyncingTests.joined()
    let id = try await desk.note("Seeds", "Sow them.").id.uuid
    try await SyncingTests.settle(desk, phone)
    server.stop()
    try await SyncingTests.write("Sow them in March.", to: id, in: phone)
    try await SyncingTests.isLater()
    try await Self.erase(id, in: desk)
    desk.clock.wait(2 * 3_600)
    try await desk.library.purge()
    try server.start()
    let (one, other) = writerIsFirst ? (phone, desk) : (desk, phone)
    try await SyncingTests.settle(one, other)
    let onPhone = try await phone.library.syncConflicts()
    let holder = onPhone.isEmpty ? desk : phone
    let conflict = try #require(try await holder.library.syncConflicts().first)
    #expect(conflict.fields.contains { $0.lost.contains("March") })
    let about = try await holder.library.takeBack(conflict: conflict.id, by: nil).about
    let again = try #require(about).uuid
    try await Self.exchange([phone, desk]) { box in
      try await SyncingTests.text(of: again, in: box) == "Sow them in March."
    }
  }

  @Test func `undoing an import took words along that another device had written in its notes`()
    async throws
  {
    let (server, phone, desk) = try await SyncingTests.joined()
    let file = ImportedFile(name: "Seeds.md", data: Data("Sow them.".utf8))
    let report = try await desk.library.importNotes([file], into: nil, by: nil)
    let id = try #require(report.notes.first).id.uuid
    try await SyncingTests.settle(desk, phone)
    server.stop()
    phone.clock.wait(60)
    try await SyncingTests.write("Sow them in March.", to: id, in: phone)
    _ = try await desk.library.undo(try #require(report.undo), by: nil)
    try server.start()
    try await Self.exchange([desk, phone]) { box in
      try await SyncingTests.text(of: id, in: box) == "Sow them in March."
    }
  }
}

// MARK: - Deleting and exchanging

extension ErasedMeanwhileTests {
  static func erase(_ id: UUID, in box: Box) async throws {
    _ = try await box.library.trash([id], by: nil)
    _ = try await box.library.deleteForever(id, by: nil)
  }

  private static func isGone(_ id: UUID, in box: Box) async throws -> Bool {
    try await box.library.read { context in
      context.refreshAllObjects()
      return try Note.find(id, in: context) == nil
    }
  }

  /// Exchanges until something is so on all devices: they put right what came in a moment after it has.
  private static func exchange(
    _ boxes: [Box],
    until isSo: (Box) async throws -> Bool
  ) async throws {
    var missing = boxes.count
    for _ in 0..<1_000 where missing > 0 {
      for box in boxes { _ = try await box.library.syncNow() }
      missing = 0
      for box in boxes where try await !found(isSo, box) { missing += 1 }
      if missing > 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
    try #require(missing == 0)
  }

  private static func found(
    _ isSo: (Box) async throws -> Bool,
    _ box: Box
  ) async throws -> Bool {
    do { return try await isSo(box) } catch LibraryProblem.missing { return false }
  }
}
