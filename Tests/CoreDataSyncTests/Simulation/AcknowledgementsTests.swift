import CoreDataSyncCore
import Testing

@testable import CoreDataSync
@testable import SyncSimulation

/// Tests of the simulation's judgement about values that devices have lost.
struct AcknowledgementsTests: ToldOfTwoDevices {
  let world: TwoDevices

  init() throws {
    world = try TwoDevices()
  }

  @Test("a title that is shown counted as lost to one that backups had taken away everywhere")
  func shownTitle() throws {
    let acknowledgements = try told(of: try title("Rome", at: phone))
    #expect(try acknowledgements.objection(toConflictsOf: 1, sidecar(of: phone)) == nil)
  }

  @Test("a title that nobody shows, and that is no conflict, is lost")
  func lostTitle() throws {
    let acknowledgements = try told(of: try title("Rome", at: phone))
    try world.title("Milan", at: phone)
    try phone.running().drain()
    let objection = try acknowledgements.objection(toConflictsOf: 1, sidecar(of: phone))
    #expect(objection?.hasPrefix("Device 1 has lost") == true)
  }

  @Test(
    "an object had to be there that the server had lost twice, the second time with a later backup"
  )
  func lostTwice() throws {
    let laptop = try sidecar(of: laptop)
    let id = SyncID(random: 1, 1)
    let life = CellValue.entity("Folder").payload
    let cell = Cell(epoch: 1, stamp: Stamp(moment: 7 << 16, writer: 1), payload: life)
    var acknowledgements = Acknowledgements()
    acknowledgements.note(KeyedCell(CellKey(id, .life), cell), of: 1)
    acknowledgements.noteServerIsPutBack()
    acknowledgements.noteServerBackup()
    acknowledgements.note(KeyedCell(CellKey(id, .life), cell), of: 1)
    acknowledgements.noteServerIsPutBack()
    #expect(try acknowledgements.objection(to: laptop)?.contains("is not there") == true)
    acknowledgements.noteIsPutBack(1)
    #expect(try acknowledgements.objection(to: laptop) == nil)
  }

  /// Lets the server have a value, and then another device's later one, whose writer had not seen the first.
  private func told(of first: KeyedCell) throws -> Acknowledgements {
    var later = first
    later.cell.stamp.moment += 1
    later.cell.stamp.writer += 1 << 32
    later.cell.base = 0
    later.cell.payload = CellValue.text("Turin").payload
    var acknowledgements = Acknowledgements()
    acknowledgements.note(first, of: 1)
    acknowledgements.note(later, of: 2)
    return acknowledgements
  }

  /// Gives the one folder a title, and returns the cell.
  private func title(_ title: String, at device: SimulatedDevice) throws -> KeyedCell {
    try world.title(title, at: device)
    try device.running().drain()
    let sidecar = try sidecar(of: device)
    let payload = CellValue.text(title).payload
    let cells = try sidecar.identities(in: .cell).flatMap { id in
      try #require(try sidecar.cells(of: id)).values.map { property, cell in
        KeyedCell(CellKey(id, .value(property)), cell)
      }
    }
    return try #require(cells.first { $0.cell.payload == payload })
  }

  private func sidecar(of device: SimulatedDevice) throws -> Sidecar {
    try device.running().sidecar
  }
}

extension Acknowledgements {
  /// Notes that the server has got a cell of a device.
  fileprivate mutating func note(_ keyed: KeyedCell, of device: Int) {
    let push = SyncRequest.Push(
      replica: SyncID(random: 0, UInt64(device)),
      cursor: .start,
      seen: .start,
      cells: [keyed]
    )
    note(.push(push), .pushed(.init(head: .start, time: 0)), from: device)
  }
}
