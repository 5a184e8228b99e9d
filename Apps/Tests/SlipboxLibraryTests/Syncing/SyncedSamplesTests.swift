import CoreData
import Foundation
import Testing

@testable import SlipboxLibrary

/// The notes that explain the program, which each slip box begins with, and a server that they meet at.
@Suite(.serialized) struct SyncedSamplesTests {
  @Test(arguments: [true, false])
  func `two boxes that began with the same samples have them once`(isThere: Bool) async throws {
    let server = try SyncServer()
    // Without a server, nobody knows who is first.
    if !isThere { server.stop() }
    let (phone, desk) = (try Box(), try Box())
    for box in [phone, desk] {
      try await box.library.addSamplesIfNew()
      _ = try await box.library.join(server.address)
    }
    if !isThere { try server.start() }
    try await SyncingTests.settle(desk, phone)
    for box in [phone, desk] {
      #expect(try await box.library.overview().places.all == SampleNotes.notes.count)
      #expect(try await box.library.syncConflicts().isEmpty)
    }
  }

  @Test func `a box that had an address before it began had the samples twice`() async throws {
    let server = try SyncServer()
    let phone = try Box()
    try await phone.library.addSamplesIfNew()
    _ = try await phone.library.join(server.address)
    _ = try await phone.library.syncNow()
    let folder = Box.newFolder()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try SyncAddressFile(in: folder).write(server.address)
    try await Library.beginWithSamples(in: folder)
    let desk = try Box(in: folder)
    try await desk.library.addSamplesIfNew()
    try await SyncingTests.settle(desk, phone)
    for box in [phone, desk] {
      #expect(try await box.library.overview().places.all == SampleNotes.notes.count)
      #expect(try await box.library.syncConflicts().isEmpty)
    }
  }

  @Test(arguments: Beginning.allCases)
  private func `a new device put the text of a sample over what had been written there`(
    beginning: Beginning
  ) async throws {
    let server = try SyncServer()
    let phone = try await Self.phone(at: server)
    let kept = try await Self.sample("Welcome to your slip box", in: phone)
    let deleted = try await Self.sample("One thought on each slip", in: phone)
    try await SyncingTests.write("My own words.", to: kept, in: phone)
    _ = try await phone.library.trash([deleted], by: nil)
    _ = try await phone.library.deleteForever(deleted, by: nil)
    _ = try await phone.library.syncNow()
    let desk = try await Self.desk(beginning, server)
    try await SyncingTests.settle(desk, phone)
    for box in [phone, desk] {
      #expect(try await box.library.overview().places.all == SampleNotes.notes.count - 1)
      #expect(try await SyncingTests.text(of: kept, in: box) == "My own words.")
      #expect(try await box.library.syncConflicts().isEmpty)
    }
  }

  @Test(arguments: Beginning.allCases)
  private func `samples of which nobody knew any more came back with a new device`(
    beginning: Beginning
  ) async throws {
    let server = try SyncServer()
    let phone = try Box()
    _ = try await phone.library.join(server.address)
    _ = try await phone.note("Seeds", "Sow them.")
    _ = try await phone.library.syncNow()
    let desk = try await Self.desk(beginning, server)
    try await SyncingTests.settle(desk, phone)
    for box in [phone, desk] {
      let overview = try await box.library.overview()
      #expect(overview.places.all == 1)
      #expect(overview.folders.isEmpty && overview.keywords.top.isEmpty)
    }
  }

  @Test func `what was written on a new device before it joined stays there, samples among it`()
    async throws
  {
    let server = try SyncServer()
    let phone = try await Self.phone(at: server)
    let rewritten = try await Self.sample("Welcome to your slip box", in: phone)
    let elsewhere = try await Self.sample("One thought on each slip", in: phone)
    try await SyncingTests.write("Words of the phone.", to: elsewhere, in: phone)
    _ = try await phone.library.syncNow()
    let desk = try Box()
    try await desk.library.addSamplesIfNew()
    try await SyncingTests.write("Words of the desk.", to: rewritten, in: desk)
    let folder = try await desk.library.read { context in
      try #require(try context.fetch(Folder.fetchRequest()).first { $0.name == "Workshop" }).uuid
    }
    _ = try await desk.note("Seeds", "Sow them.", in: folder)
    _ = try await desk.library.join(server.address)
    try await SyncingTests.settle(desk, phone)
    for box in [phone, desk] {
      #expect(try await box.library.overview().places.all == SampleNotes.notes.count + 1)
      #expect(try await SyncingTests.text(of: rewritten, in: box) == "Words of the desk.")
      #expect(try await SyncingTests.text(of: elsewhere, in: box) == "Words of the phone.")
      let names = try await box.library.read { context in
        try Note.titled("Seeds", in: context).folder?.name
      }
      #expect(names == "Workshop")
    }
  }

  @Test func `a sample to which a note of a new device leads stays there`() async throws {
    let server = try SyncServer()
    let phone = try Box()
    _ = try await phone.library.join(server.address)
    _ = try await phone.note("Seeds", "Sow them.")
    _ = try await phone.library.syncNow()
    let desk = try Box()
    try await desk.library.addSamplesIfNew()
    let led = try await Self.sample("Welcome to your slip box", in: desk)
    let soil = try #require(UUID(uuidString: try await desk.note("Soil", "Dig it.").id))
    var edit = NoteEdit()
    edit.addLinks = [led]
    _ = try await desk.library.edit(soil, edit, by: nil)
    _ = try await desk.library.join(server.address)
    try await SyncingTests.settle(desk, phone)
    #expect(
      try await Self.names(in: phone) == [
        "Seeds in ", "Soil in ", "Start here", "Welcome to your slip box in Start here", "method",
      ]
    )
    #expect(try await Self.names(in: desk) == Self.names(in: phone))
  }

  @Test func `a slip box that is refused has its samples as before`() async throws {
    let server = try SyncServer()
    let phone = try Box()
    try await phone.library.addSamplesIfNew()
    _ = try await phone.library.join(server.address, passphrase: "mice eat cheese in the dark")
    _ = try await phone.library.syncNow()
    let desk = try Box()
    try await desk.library.addSamplesIfNew()
    let before = try await Self.names(in: desk)
    await #expect { try await desk.library.join(server.address) } throws: {
      "\($0)".contains("encrypted")
    }
    #expect(try await Self.names(in: desk) == before)
    _ = try await desk.library.join(server.address, passphrase: "mice eat cheese in the dark")
    try await SyncingTests.settle(desk, phone)
    #expect(try await Self.names(in: desk) == before)
    #expect(try await desk.library.syncConflicts().isEmpty)
  }

  @Test func `a slip box that has an address begins with nothing while its server is silent`()
    async throws
  {
    let server = try SyncServer()
    server.stop()
    let desk = try await Self.desk(.withAddress, server)
    #expect(try await desk.library.overview().places.all == 0)
    try server.start()
    let phone = try await Self.phone(at: server)
    try await SyncingTests.settle(phone, desk)
    #expect(try await desk.library.overview().places.all == SampleNotes.notes.count)
  }
}

// MARK: - Slip boxes

extension SyncedSamplesTests {
  /// How a device gets to know the address.
  fileprivate enum Beginning: CaseIterable {
    /// Somebody tells it, when it has its samples.
    case joining
    /// It has it from the start.
    case withAddress
  }

  private static func phone(at server: SyncServer) async throws -> Box {
    let phone = try Box()
    try await phone.library.addSamplesIfNew()
    _ = try await phone.library.join(server.address)
    _ = try await phone.library.syncNow()
    return phone
  }

  private static func desk(_ beginning: Beginning, _ server: SyncServer) async throws -> Box {
    switch beginning {
    case .joining:
      let desk = try Box()
      try await desk.library.addSamplesIfNew()
      _ = try await desk.library.join(server.address)
      return desk
    case .withAddress:
      let folder = Box.newFolder()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try SyncAddressFile(in: folder).write(server.address)
      try await Library.beginWithSamples(in: folder)
      return try Box(in: folder)
    }
  }

  private static func sample(_ title: String, in box: Box) async throws -> UUID {
    try await box.library.read { try Note.titled(title, in: $0).uuid }
  }

  private static func names(in box: Box) async throws -> [String] {
    try await box.library.read { context in
      let notes = try context.fetch(Note.fetch()).map { "\($0.title) in \($0.folder?.name ?? "")" }
      let keywords = try context.fetch(Keyword.fetchRequest()).map(\.name)
      let folders = try context.fetch(Folder.fetchRequest()).map(\.name)
      return (notes + keywords + folders).sorted()
    }
  }
}
