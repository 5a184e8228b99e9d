import CoreData
import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tests of values that have lost, and of those that do not fit into a store.
struct ConflictTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    for title in ["Rome", "Spain", "Malta"] { try make(title, at: phone) }
    try makeNotes(["Circus"], in: "Rome", at: phone)
    try tag("red", at: phone)
    try exchange()
  }

  private func move(to folder: String, at device: SimulatedDevice) throws {
    try world.save(at: device) {
      try Self.note(in: $0).setValue(Self.folder(folder, in: $0), forKey: "folder")
    }
  }

  private func retitle(_ title: String, at device: SimulatedDevice) throws {
    try world.save(at: device) { try Self.note(in: $0).setValue(title, forKey: "title") }
  }

  private func place(at device: SimulatedDevice) throws -> String? {
    let context = device.context()
    return try context.performAndWait {
      try Self.note(in: context).value(forKeyPath: "folder.title") as? String
    }
  }

  private func conflicts(at device: SimulatedDevice) throws -> [(number: Int64, keyed: KeyedCell)] {
    try device.running().sidecar.keptConflicts()
  }

  /// A session on a device's store, in place of its engine.
  private func session(at device: SimulatedDevice) throws -> SyncSession {
    device.crash()
    return try SyncSession(
      device.coordinator,
      try #require(device.coordinator.persistentStores.first),
      sidecar: device.folder.appendingPathComponent("Notes.sync").path
    )
  }

  // MARK: - Who has seen what

  @Test(
    "a title was lost without a conflict where another device had given two others before the server got it",
    arguments: [false, true]
  )
  func twoOthers(endsBetween: Bool) throws {
    try retitle("Arena", at: phone)
    for title in ["Forum", "Temple"] {
      try retitle(title, at: laptop)
      try world.synchronize(laptop)
    }
    if endsBetween {
      // The answer to the push arrives, and the program ends before it has asked for more.
      try end(at: .beforePull)
    }
    try exchange()
    #expect(try world.titles(of: "Note", at: phone) == ["Temple"])
    let lost = try conflicts(at: phone).map { CellValue(payload: $0.keyed.cell.payload) }
    #expect(lost == [.text("Arena")])
    #expect(try conflicts(at: laptop).isEmpty)
  }

  @Test("a title that others have seen and replaced is no conflict")
  func seen() throws {
    try retitle("Arena", at: phone)
    for device in [phone, laptop] { try world.synchronize(device) }
    for title in ["Forum", "Temple"] {
      try retitle(title, at: laptop)
      try world.synchronize(laptop)
    }
    try exchange()
    #expect(try world.titles(of: "Note", at: phone) == ["Temple"])
    #expect(try conflicts(at: phone).isEmpty && conflicts(at: laptop).isEmpty)
  }

  @Test(
    "a note that two devices had put to other places of one folder was a conflict in which both say the same"
  )
  func places() throws {
    try makeNotes(["Arena", "Forum", "Temple"], in: "Rome", at: phone)
    try exchange()
    for (device, place) in [(laptop, 2), (phone, 3)] {
      try world.save(at: device) { context in
        let notes = try Self.folder("Rome", in: context).mutableOrderedSetValue(forKey: "notes")
        notes.moveObjects(at: [0], to: place)
      }
    }
    try exchange()
    #expect(try conflicts(at: phone).isEmpty && conflicts(at: laptop).isEmpty)
    let orders = try [phone, laptop].map { device in
      let context = device.context()
      return try context.performAndWait {
        try Self.folder("Rome", in: context).members(named: "notes")
          .map { $0.value(forKey: "title") as? String }
      }
    }
    #expect(orders[0] == orders[1] && orders[0].first != "Circus")
  }

  // MARK: - Who

  @Test("a value that lost did not say which device had written it")
  func device() throws {
    try move(to: "Spain", at: laptop)
    try move(to: "Malta", at: phone)
    try exchange()
    let lost = try #require(try conflicts(at: laptop).first)
    let name = try laptop.running().sidecar.deviceName(ofWriter: lost.keyed.cell.stamp.writer)
    #expect(name == "device 2")
    // A new device knows both by name, and gets nothing to show of that.
    let new = try world.newDevice()
    try world.synchronize(new)
    let cells = try new.running().sidecar
    #expect(try cells.deviceName(ofWriter: phone.running().writer) == "device 1")
    #expect(try world.titles(at: new).count == 3)
  }

  @Test("a device tells its name once, with a change, and again only when it has another")
  func told() throws {
    let server = world.server
    func head() throws -> UInt64 { try server.head(of: "notes") }
    let before = try head()
    try exchange()
    #expect(try head() == before)
    try retitle("Arena", at: phone)
    try world.synchronize(phone)
    #expect(try head() == before + 1)
    phone.crash()
    phone.world.deviceName = "the phone"
    try world.synchronize(phone)
    #expect(try head() == before + 1)
    try retitle("Forum", at: phone)
    try exchange()
    #expect(try head() == before + 3)
    #expect(
      try laptop.running().sidecar.deviceName(ofWriter: phone.running().writer) == "the phone"
    )
    #expect(try conflicts(at: phone).isEmpty && conflicts(at: laptop).isEmpty)
  }

  // MARK: - Taking back

  @Test(
    "taking back a place whose folder is gone took the note out of the one where it is, and forgot the conflict"
  )
  func endIsGone() throws {
    try move(to: "Spain", at: laptop)
    try move(to: "Malta", at: phone)
    try exchange()
    let kept = try #require(try conflicts(at: laptop).first)
    let (number, date) = (kept.number, kept.keyed.cell.stamp.date)
    try world.save(at: laptop) { $0.delete(try Self.folder("Spain", in: $0)) }
    try world.synchronize(laptop)
    let error = #expect(throws: SyncFailure.self) {
      try session(at: laptop).takeBack(number, writtenAt: date)
    }
    #expect(error?.description.contains("the object to which it leads was deleted") == true)
    #expect(try place(at: laptop) == "Malta")
    #expect(try conflicts(at: laptop).map(\.number) == [number])
  }

  @Test(
    "a conflict that was dismissed lent its number to another, which was then taken back for it"
  )
  func numberOfAnother() throws {
    try retitle("Arena", at: laptop)
    try retitle("Forum", at: phone)
    try exchange()
    let old = try #require(try conflicts(at: laptop).first)
    try laptop.running().sidecar.forgetConflict(old.number)
    try move(to: "Spain", at: laptop)
    try move(to: "Malta", at: phone)
    try exchange()
    let new = try #require(try conflicts(at: laptop).first)
    #expect(new.number != old.number)
    let session = try session(at: laptop)
    // As sidecars of earlier versions count.
    try session.takeBack(new.number, writtenAt: old.keyed.cell.stamp.date)
    try session.dismiss(new.number, writtenAt: old.keyed.cell.stamp.date)
    #expect(try session.facts.conflicts == 1)
    #expect(try place(at: laptop) == "Malta")
  }

  @Test("a note that was deleted while another device changed it could not be taken back")
  func broughtBack() throws {
    try world.save(at: laptop) { $0.delete(try Self.note(in: $0)) }
    try retitle("Arena", at: phone)
    try exchange()
    #expect(try world.titles(of: "Note", at: phone).isEmpty)
    let lost = try #require(try conflicts(at: phone).first)
    try phone.running().bringBack(lost.keyed)
    #expect(try conflicts(at: phone).isEmpty)
    #expect(try world.titles(of: "Note", at: phone) == ["Arena"])
    try world.synchronize(phone)
    try world.synchronize(laptop)
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == ["Arena"])
      #expect(try place(at: device) == "Rome")
      #expect(try tags(at: device) == ["red"])
    }
  }

  @Test(
    "what was written to a note was lost where the server had forgotten that others had deleted it"
  )
  func forgottenDeath() throws {
    try retitle("Arena", at: phone)
    try world.save(at: laptop) { $0.delete(try Self.note(in: $0)) }
    for _ in 0..<2 { try world.synchronize(laptop) }
    // The phone is given up, and begins again.
    #expect(try world.server.purge("notes", silentSince: world.now) > 0)
    try world.synchronize(phone)
    #expect(try world.titles(of: "Note", at: phone).isEmpty)
    #expect(try phone.running().sidecar.unsentCount == 0)
    let lost = try #require(try conflicts(at: phone).first)
    #expect(lost.keyed.cell.payload == CellValue.text("Arena").payload)
    try phone.running().bringBack(lost.keyed)
    for device in [phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == ["Arena"])
      #expect(try place(at: device) == "Rome")
      #expect(try tags(at: device) == ["red"])
    }
  }

  @Test("a note does not come back without its folder, and the conflict is kept")
  func neededIsGone() throws {
    try world.save(at: laptop) { $0.delete(try Self.folder("Rome", in: $0)) }
    try retitle("Arena", at: phone)
    try exchange()
    let lost = try #require(try conflicts(at: phone).first)
    #expect(throws: SyncFailure.self) { try phone.running().bringBack(lost.keyed) }
    #expect(try conflicts(at: phone).count == 1)
    #expect(try phone.running().sidecar.unsentCount == 0)
  }

  // MARK: - For how long

  private func meet() throws {
    try retitle("Arena", at: laptop)
    try retitle("Forum", at: phone)
    try exchange()
    #expect(try conflicts(at: laptop).count == 1)
  }

  @Test("values that lost were kept for longer than thirty days by a program that ran on")
  func keptTooLong() throws {
    try meet()
    world.wait(days: 29)
    try world.synchronize(laptop)
    #expect(try conflicts(at: laptop).count == 1)
    world.wait(days: 2)
    try world.synchronize(laptop)
    #expect(try conflicts(at: laptop).isEmpty)
  }

  @Test("a clock that was a year ahead for a moment forgot what had lost")
  func wrongClock() throws {
    try meet()
    laptop.skew += 365 * 24 * 3600 * 1000
    // Nobody answers while the clock is wrong.
    _ = try session(at: laptop)
    #expect(throws: ConnectionLost.self) {
      try laptop.running().synchronize { _ in throw ConnectionLost() }
    }
    #expect(try conflicts(at: laptop).count == 1)
    try world.synchronize(laptop)
    #expect(try conflicts(at: laptop).count == 1)
  }

  @Test(
    "a value that lost while the clock was a year ahead is kept for thirty days and not for a year"
  )
  func notedByWrongClock() throws {
    try meet()
    let sidecar = try laptop.running().sidecar
    let lost = try #require(try conflicts(at: laptop).first)
    try sidecar.forgetConflict(lost.number)
    try sidecar.keepConflict(lost.keyed, at: world.now + 365 * 24 * 3600 * 1000)
    try world.synchronize(laptop)
    #expect(try conflicts(at: laptop).count == 1)
    world.wait(days: 31)
    try world.synchronize(laptop)
    #expect(try conflicts(at: laptop).isEmpty)
  }

  // MARK: - In step

  @Test("a store was said to be in step although what was written there could not be sent")
  func confirmed() throws {
    try retitle("Arena", at: phone)
    let session = try session(at: phone)
    let before = try session.confirmed
    try session.synchronize(sendsChanges: false) {
      try world.server.answer($0, of: "notes", at: world.now)
    }
    #expect(try session.facts.pending > 0)
    #expect(try session.confirmed == before)
  }

  // MARK: - Values of another kind

  @Test(
    "a number that came for a title was left out without a word, and another program's text stayed away"
  )
  func otherKind() throws {
    let sidecar = try laptop.running().sidecar
    let folder = try #require(
      try sidecar.identities(in: .cell)
        .first { try sidecar.cells(of: $0)?.value(Self.title) == .text("Rome") }
    )
    for value in [CellValue.integer(7), .text("Roma")] {
      try send(value, for: folder)
      try world.synchronize(laptop)
      let held = try sidecar.heldReasons()
      let shown = try world.titles(at: laptop).compactMap { $0 }
      if value == .integer(7) {
        #expect(held.count == 1 && held[0].property == Self.title)
        #expect(held.first?.reason.contains("has sent the number 7, which Folder.title") == true)
        #expect(shown.contains("Rome"))
      } else {
        #expect(held.isEmpty && shown.contains("Roma"))
      }
    }
  }

  private static let title = PropertyID(name: "title")

  /// A program with another model, on the phone, gives a folder that title.
  private func send(_ value: CellValue, for folder: SyncID) throws {
    world.wait(days: 1)
    let cell = Cell(
      epoch: 1,
      stamp: Stamp(moment: world.now << 16, writer: 99),
      payload: value.payload
    )
    let sidecar = try phone.running().sidecar
    let push = SyncRequest.Push(
      replica: try #require(try sidecar.replica),
      cursor: try sidecar.cursor,
      seen: try sidecar.seen,
      cells: [KeyedCell(CellKey(folder, .value(Self.title)), cell)]
    )
    let answer = try world.server.answer(.push(push), of: "notes", at: world.now)
    guard case .pushed = answer else { throw Objection(description: "\(answer)") }
  }
}
