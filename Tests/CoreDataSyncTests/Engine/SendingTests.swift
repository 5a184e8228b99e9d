import CoreData
import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tests of sending, also if the server takes only some of the cells.
struct SendingTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  @Test("saves go together in one message, unless one alone is too large for it")
  func wholeSaves() {
    let note = SyncID(random: 1, 1)
    let cells = [1, 1, 2, 2, 2, 3].map { (moment: UInt64) in
      KeyedCell(
        CellKey(note, .life),
        Cell(epoch: 1, stamp: Stamp(moment: moment, writer: 5), payload: [])
      )
    }
    func count(_ room: Int) -> Int {
      SyncEngine.portion(of: cells, bytes: room * KeyedCell.sizeWithoutPayload + 1).count
    }
    #expect([0, 1, 2, 4, 5, 6].map(count) == [1, 1, 2, 2, 5, 6])
  }

  @Test(
    "objects of a save that goes in several messages were deleted here, once the server had forgotten the device"
  )
  func restOfSave() throws {
    try exchange()
    try phone.running().world.cellsPerPush = 4
    try world.save(at: phone) { context in
      for number in 1...6 {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("Folder \(number)", forKey: "title")
      }
    }
    var pushes = 0
    #expect(throws: ConnectionLost.self) {
      try phone.running().synchronize { request in
        if case .push = request { pushes += 1 }
        if pushes == 2 { throw ConnectionLost() }
        return try world.server.answer(request, of: "notes", at: world.now)
      }
    }
    world.wait(days: 91)
    try world.synchronize(laptop)
    _ = try world.server.purge("notes", patience: 90 * 24 * 3_600 * 1_000, at: world.now)
    for device in [phone, laptop] { try world.synchronize(device) }
    for device in [phone, laptop] { #expect(try world.titles(at: device).count == 6) }
  }

  @Test(
    "what the server had taken in a first part got other stamps when a second was ahead of its clock"
  )
  func refusedPart() throws {
    try exchange()
    for number in 1...6 { try make("Folder \(number)", at: phone) }
    var taken: [[KeyedCell]] = []
    var isRefused = false
    try phone.running().synchronize { request in
      guard case .push(let push) = request else {
        return try world.server.answer(request, of: "notes", at: world.now)
      }
      if push.cells.count > 4 { throw MessageTooLarge() }
      if taken.count == 1, !isRefused {
        isRefused = true
        return .refused(.clockAhead(world.now - 3_600_000))
      }
      let answer = try world.server.answer(request, of: "notes", at: world.now)
      if case .pushed = answer { taken.append(push.cells) }
      return answer
    }
    #expect(isRefused && taken.count > 2)
    let sidecar = try phone.running().sidecar
    for keyed in try #require(taken.first) {
      #expect(try sidecar.cells(of: keyed.key.object)?[keyed.key.field] == keyed.cell)
    }
    #expect(try sidecar.unsentCount == 0)
    try world.synchronize(laptop)
    #expect(try world.titles(at: laptop).count == 6)
  }

  @Test(
    "what was written during an exchange waited for another occasion where the server sent the device back to the beginning"
  )
  func sentBack() throws {
    try make("Rome", at: laptop)
    try exchange()
    try make("Spain", at: laptop)
    try world.synchronize(laptop)
    var hasSaved = false
    var isRefused = false
    let engine = try phone.running()
    engine.world.pass = { moment in
      guard moment == .beforeApply, !hasSaved else { return }
      hasSaved = true
      try make("Malta", at: phone)
    }
    try engine.synchronize { request in
      if case .push = request, hasSaved, !isRefused {
        isRefused = true
        return .refused(.resync)
      }
      return try world.server.answer(request, of: "notes", at: world.now)
    }
    engine.world.pass = { _ in }
    #expect(isRefused)
    #expect(try engine.sidecar.unsentCount == 0)
    try world.synchronize(laptop)
    for device in [phone, laptop] {
      #expect(try Set(world.titles(at: device)) == ["Rome", "Spain", "Malta"])
    }
  }
}
