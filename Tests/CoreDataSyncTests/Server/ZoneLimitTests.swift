import CoreData
import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncServer
@testable import SyncSimulation

/// How much a zone may keep.
struct ZoneLimitTests {
  private let phone = SyncID(random: 1, 1)
  private static let now: UInt64 = 1_700_000_000_000

  /// The names that are counted: the phone, and the writer of all cells without another one.
  private let names = 2 * ZoneHolding.sizeOfName

  /// A title of so many bytes in one note of many, which was written at that moment.
  private func title(
    _ size: Int,
    of note: UInt64,
    at moment: UInt64,
    by writer: UInt64 = 9
  ) -> KeyedCell {
    KeyedCell(
      CellKey(SyncID(random: note, note), .value(PropertyID(name: "title"))),
      Cell(
        epoch: 1,
        stamp: Stamp(moment: (Self.now << 16) + moment, writer: writer),
        payload: [UInt8](repeating: 7, count: size)
      )
    )
  }

  private func life(_ epoch: UInt16, of note: UInt64, at moment: UInt64) -> KeyedCell {
    let stamp = Stamp(moment: (Self.now << 16) + moment, writer: 9)
    let payload = CellValue.entity("Note").payload
    return KeyedCell(
      CellKey(SyncID(random: note, note), .life),
      Cell(epoch: epoch, stamp: stamp, payload: payload)
    )
  }

  private func pull(by replica: SyncID, from server: ZoneServer, at time: UInt64 = now) throws {
    let pull = SyncRequest.Pull(
      replica: replica,
      after: .start,
      seen: .start,
      acknowledged: .start,
      isSnapshot: true,
      limit: 1
    )
    _ = try server.answer(.pull(pull), of: "Notes", at: time)
  }

  private func push(_ cells: [KeyedCell], to server: ZoneServer, assets: Int = 0) throws {
    try pull(by: phone, from: server)
    let push = SyncRequest.Push(replica: phone, cursor: .start, seen: .start, cells: cells)
    _ = try server.answer(.push(push), of: "Notes", at: Self.now, assets: { assets })
  }

  private func refusal(_ work: () throws -> Void) throws -> ServiceRefusal? {
    do {
      try work()
      return nil
    } catch let refusal as ServiceRefusal {
      return refusal
    }
  }

  private func size(of server: ZoneServer) throws -> Int {
    try server.holding(of: "Notes") { 0 }.bytes
  }

  @Test("one device could fill the server's disk", arguments: StorageKind.tested)
  func fullZone(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1, limit: 1_000 + names)
    try push([title(300, of: 1, at: 1), title(300, of: 2, at: 1)], to: server)
    let refused = try refusal {
      try push([title(10, of: 3, at: 2), title(60, of: 4, at: 2)], to: server)
    }
    #expect(refused?.status == 507)
    #expect(
      refused?.sentence.contains("The zone Notes is full: it holds 884 bytes of 1064") == true
    )
    let command = kind == .sqlite ? "serve FOLDER" : "serve --store ADDRESS"
    #expect(refused?.sentence.contains("coredata \(command) --zone Notes --set-limit") == true)
    // Nothing of it was taken, and other zones have room of their own.
    #expect(try server.head(of: "Notes") == 2)
    try push([title(70, of: 3, at: 2)], to: server)
    #expect(try size(of: server) == 1_000 + names)
  }

  @Test(
    "in a full zone something can be changed and deleted, where that takes no room",
    arguments: StorageKind.tested
  )
  func smallerValues(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1)
    let first = [life(1, of: 1, at: 1), title(500, of: 1, at: 1), title(500, of: 2, at: 1)]
    try push(first, to: server)
    try server.setLimit(100, of: "Notes")
    try push([title(500, of: 1, at: 2)], to: server)
    try push([title(200, of: 2, at: 3)], to: server)
    try push([life(2, of: 1, at: 4)], to: server)
    #expect(try refusal { try push([title(201, of: 2, at: 5)], to: server) }?.status == 507)
    #expect(try size(of: server) == storage.transact(on: "Notes") { try $0.countSize() })
    // Known cells take no room.
    try push(first, to: server)
  }

  @Test("a limit of its own goes before that of all zones", arguments: StorageKind.tested)
  func ownLimit(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1, limit: 200)
    let cells = [title(300, of: 1, at: 1)]
    #expect(try refusal { try push(cells, to: server) }?.status == 507)
    try server.setLimit(409 + names, of: "Notes")
    #expect(try refusal { try push(cells, to: server) }?.status == 507)
    try server.setLimit(410 + names, of: "Notes")
    try push(cells, to: server)
    let holding = try server.holding(of: "Notes") { 90 }
    #expect(holding == ZoneHolding(bytes: 500 + names, limit: 410 + names))
    try server.setLimit(.max, of: "Notes")
    try push([title(5_000, of: 2, at: 2)], to: server)
    #expect(try server.holding(of: "Notes") { 0 }.limit == .max)
    try server.setLimit(nil, of: "Notes")
    #expect(try refusal { try push([title(1, of: 3, at: 3)], to: server) }?.status == 507)
  }

  @Test(
    "large values count, and one that has no room is refused before it comes",
    arguments: StorageKind.tested
  )
  func assets(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1, limit: 1_000 + names)
    let cells = [title(300, of: 1, at: 1)]
    #expect(try refusal { try push(cells, to: server, assets: 600) }?.status == 507)
    try push(cells, to: server, assets: 590)
    try server.requireRoom(for: 100, in: "Notes") { 490 }
    #expect(try refusal { try server.requireRoom(for: 101, in: "Notes") { 490 } }?.status == 507)
  }

  @Test(
    "the cells of a zone are counted once, also where nothing finds room",
    arguments: StorageKind.tested
  )
  func countingOnce(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1)
    func known() throws -> Int? { try storage.transact(on: "Notes") { try $0.size() } }
    try push([title(300, of: 1, at: 1)], to: server)
    #expect(try known() == nil)
    try server.setLimit(420 + names, of: "Notes")
    #expect(try refusal { try push([title(300, of: 2, at: 2)], to: server) }?.status == 507)
    #expect(try known() == 410 + names)
    try push([title(310, of: 1, at: 3)], to: server)
    #expect(try known() == 420 + names)
    // Of a zone without a limit nobody knows.
    try server.setLimit(nil, of: "Notes")
    try push([title(400, of: 1, at: 4)], to: server)
    #expect(try known() == nil)
  }

  @Test("what was forgotten leaves room for others", arguments: StorageKind.tested)
  func forgetting(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1, limit: 1_000)
    try push([life(1, of: 1, at: 1), title(500, of: 1, at: 1)], to: server)
    try push([life(2, of: 1, at: 2)], to: server)
    let head = Cursor(position: 3, era: 1)
    let pull = SyncRequest.Pull(
      replica: phone,
      after: head,
      seen: head,
      acknowledged: head,
      isSnapshot: false,
      limit: 1
    )
    #expect(try refusal { try push([title(500, of: 2, at: 3)], to: server) }?.status == 507)
    _ = try server.answer(.pull(pull), of: "Notes", at: Self.now)
    #expect(try server.purge("Notes", silentSince: 0) == 2)
    #expect(try size(of: server) == names)
  }

  @Test(
    "writers were not counted, and many of them filled the disk beyond the limit of a zone",
    arguments: StorageKind.tested
  )
  func writers(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let room = 2 * ZoneHolding.sizeOfName
    let server = ZoneServer(storage, era: 1, limit: 410 + 240 + names + room - 1)
    try push([title(300, of: 1, at: 1)], to: server)
    let others = [title(10, of: 2, at: 2, by: 11), title(10, of: 3, at: 2, by: 13)]
    let refused = try refusal { try push(others, to: server) }
    #expect(refused?.status == 507)
    #expect(refused?.sentence.hasPrefix("The zone Notes is full: it holds 474 bytes") == true)
    #expect(try server.head(of: "Notes") == 1)
    try server.setLimit(410 + 240 + names + room, of: "Notes")
    try push(others, to: server)
    #expect(try size(of: server) == 410 + 240 + names + room)
    #expect(try size(of: server) == storage.transact(on: "Notes") { try $0.countSize() })
  }

  @Test(
    "values that take no room brought writers without end into a full zone",
    arguments: StorageKind.tested
  )
  func writersOfNothingNew(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1, limit: 410 + names, names: 4)
    try push([title(300, of: 1, at: 5)], to: server)
    // Programs that were started again change something, and repeat cells of others later.
    try push([title(300, of: 1, at: 6, by: 11)], to: server)
    try push([title(300, of: 1, at: 2, by: 13)], to: server)
    for moment: UInt64 in [3, 7] {
      let refused = try refusal { try push([title(300, of: 1, at: moment, by: 15)], to: server) }
      #expect(refused?.status == 507)
    }
    let held = 410 + names + 2 * ZoneHolding.sizeOfName
    #expect(try size(of: server) == held)
    #expect(try storage.transact(on: "Notes") { try $0.countSize() } == held)
    // Those that are known write on.
    try push([title(300, of: 1, at: 8, by: 13)], to: server)
    // A change that frees more room than its writer takes does not make the zone larger.
    try push([title(260, of: 1, at: 9, by: 15)], to: server)
  }

  @Test(
    "whoever only reads filled the disk with replicas, each of which asked once",
    arguments: StorageKind.tested
  )
  func replicas(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let storage = try place.open().zones
    let server = ZoneServer(storage, era: 1, limit: 410 + names, names: 3)
    try push([title(300, of: 1, at: 1)], to: server)
    func ask(_ number: UInt64) throws {
      try pull(by: SyncID(random: number, number), from: server, at: Self.now + number)
    }
    // A new device may follow a full zone.
    try ask(2)
    #expect(try refusal { try ask(3) }?.status == 507)
    try ask(2)
    #expect(try size(of: server) == 410 + names + ZoneHolding.sizeOfName)
    // Of those that are silent for long nothing is kept.
    #expect(try server.purge("Notes", silentSince: Self.now + 3) == 0)
    #expect(try size(of: server) == 410 + ZoneHolding.sizeOfName)
    try ask(3)
    #expect(try size(of: server) == 410 + names)
  }

  @Test("a device whose zone is full keeps what it has to send, and goes on with the others")
  func device() throws {
    let world = try TwoDevices()
    let (phone, laptop) = (world.phone, world.laptop)
    // With its first change a device tells its name, too.
    for (title, device) in [("Peas", phone), ("Seeds", laptop)] {
      try world.title(title, at: device)
      for device in [phone, laptop, phone] { try world.synchronize(device) }
    }
    let held = try world.server.holding(of: "notes") { 0 }.bytes
    try world.server.setLimit(held + 50, of: "notes")
    try world.save(at: phone) { context in
      let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
      folder.setValue("Compost", forKey: "title")
    }
    for _ in 0..<2 {
      #expect(throws: ServiceRefusal.self) { try world.synchronize(phone) }
      #expect(try phone.running().sidecar.unsentCount > 0)
    }
    try world.title("Bulbs", at: laptop)
    try world.synchronize(laptop)
    try world.follow(phone)
    #expect(try Set(world.titles(at: phone)) == ["Bulbs", "Compost"])
    #expect(try world.titles(at: laptop) == ["Bulbs"])
    try world.server.setLimit(nil, of: "notes")
    try world.synchronize(phone)
    try world.synchronize(laptop)
    #expect(try phone.running().sidecar.unsentCount == 0)
    #expect(try Set(world.titles(at: laptop)) == ["Bulbs", "Compost"])
  }
}
