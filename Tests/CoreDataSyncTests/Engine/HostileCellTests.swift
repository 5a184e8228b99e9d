import CoreData
import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Cells that no device writes, and that a server or the writer of a zone that is not encrypted may send all the same.
struct HostileCellTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
    try make("Rome", at: phone)
    try make("Spain", at: phone)
    try makeNotes(["Circus"], in: "Rome", at: phone)
    try exchange()
  }

  /// Sends cells as a device would that the server knows.
  private func send(_ cells: [KeyedCell]) throws {
    let replica = try #require(try laptop.running().sidecar.replica)
    let cursor = try laptop.running().sidecar.cursor
    let push = SyncRequest.Push(replica: replica, cursor: cursor, seen: cursor, cells: cells)
    guard case .pushed = try world.server.answer(.push(push), of: "notes", at: world.now) else {
      Issue.record("The server has refused it.")
      return
    }
  }

  private func identity(
    of entity: String,
    titled title: String,
    at device: SimulatedDevice
  ) throws -> SyncID {
    let context = device.context()
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "title == %@", title)
      let address = try #require(try context.fetch(request).first).objectID.address
      return try #require(try device.running().sidecar.identity(at: address))
    }
  }

  @Test("a server whose pages lead nowhere was asked for ever")
  func pagesThatLeadNowhere() throws {
    var pulls = 0
    let error = #expect(throws: WireError.self) {
      try laptop.running().synchronize { request in
        guard case .pull(let pull) = request else {
          return try world.server.answer(request, of: "notes", at: world.now)
        }
        pulls += 1
        if pulls > 10 { throw ConnectionLost() }
        return .page(.init(cells: [], next: pull.after, isLast: false, time: world.now))
      }
    }
    #expect(pulls == 1 && error?.sentence.contains("leads nowhere") == true)
  }

  @Test(
    "a server that called a folder a note ended the programs of all devices that had the folder"
  )
  func anotherEntity() throws {
    let (rome, spain) = (
      try identity(of: "Folder", titled: "Rome", at: phone),
      try identity(of: "Folder", titled: "Spain", at: phone)
    )
    let note = try #require(try phone.running().model.entities["Note"])
    let folder = try #require(note.role(named: "folder")?.property)
    let stamp = Stamp(moment: (world.now + 1) << 16, writer: 1)
    func cell(_ field: CellKey.Field, _ value: CellValue) -> KeyedCell {
      KeyedCell(CellKey(spain, field), Cell(epoch: 1, stamp: stamp, payload: value.payload))
    }
    try send([
      cell(.life, .entity("Note")),
      cell(.value(PropertyID(name: "left")), .integer(1)),
      cell(.value(PropertyID(name: "right")), .integer(1)),
      cell(.value(folder), .reference(rome, place: "V")),
    ])
    try exchange()
    let new = try world.newDevice()
    try world.synchronize(new)
    for device in [phone, laptop, new] {
      #expect(try world.titles(at: device) == ["Rome"])
      #expect(Set(try world.titles(of: "Note", at: device)) == ["Circus", "Spain"])
      #expect(try identity(of: "Note", titled: "Spain", at: device) == spain)
    }
    // And what people write is in step as before.
    try makeNotes(["Forum"], in: "Rome", at: laptop)
    try exchange()
    #expect(Set(try world.titles(of: "Note", at: phone)) == ["Circus", "Spain", "Forum"])
  }

  @Test("a server that put a folder among the tags of a note ended the programs of all devices")
  func wrongEnd() throws {
    let note = try identity(of: "Note", titled: "Circus", at: phone)
    let spain = try identity(of: "Folder", titled: "Spain", at: phone)
    let entity = try #require(try phone.running().model.entities["Note"])
    let (tagsOfNote, origin) = (
      try #require(entity.role(named: "tags")?.property),
      try #require(entity.role(named: "origin")?.property)
    )
    let stamp = Stamp(moment: (world.now + 1) << 16, writer: 1)
    func cell(_ field: CellKey.Field, _ payload: [UInt8]) -> KeyedCell {
      KeyedCell(CellKey(note, field), Cell(epoch: 1, stamp: stamp, payload: payload))
    }
    try send([
      cell(.member(tagsOfNote, spain, dot: stamp), CellValue.present),
      cell(.value(origin), CellValue.reference(spain, place: "").payload),
      cell(.value(PropertyID(name: "title")), CellValue.text("Arena").payload),
    ])
    try exchange()
    for device in [phone, laptop] {
      #expect(try world.titles(of: "Note", at: device) == ["Arena"])
      #expect(try Set(world.titles(at: device)) == ["Rome", "Spain"])
      #expect(try tags(at: device).isEmpty)
    }
  }

  @Test("the name of a device may be as long as it likes, and has lines and other signs")
  func names() throws {
    #expect(DeviceTag.shown("my\nlaptop\u{7}") == "my laptop")
    #expect(DeviceTag.shown(String(repeating: "a", count: 1_000)).count == 64)
    #expect(DeviceTag.shown(" \t ").isEmpty)
    // One character may have any number of marks, and letters may be told to run backwards.
    let marked = "a" + String(repeating: "\u{301}", count: 1_000)
    #expect(DeviceTag.shown(marked).unicodeScalars.count == 64)
    #expect(DeviceTag.shown("lap\u{202E}top") == "lap top")
    #expect(DeviceTag.shown("lap\u{200D}top") == "lap top")
    let joined = "my 👩🏽‍💻 and 🏳️‍🌈, ❤️‍🔥"
    #expect(DeviceTag.shown(joined) == joined, "The emoji of a name fell apart.")
    #expect(DeviceTag.shown("👩\u{200D}") == "👩" && DeviceTag.shown("\u{200D}👩") == "👩")
  }
}
