import CoreDataSyncCore
import Testing

@testable import SyncSimulation

struct CellTests {
  private static let note = SyncID(random: 1, 2)

  @Test("cells give the same object in whatever order they come")
  func anyOrder() throws {
    var chance = Chance(seed: 3)
    let fields: [CellKey.Field] = [.life, .value(PropertyID(name: "title"))]
    let cells = (0..<60).map { _ in
      (
        fields[chance.number(below: 2)],
        Cell(
          epoch: UInt16(chance.number(below: 4)),
          stamp: Stamp(
            moment: UInt64(chance.number(below: 5)),
            writer: UInt64(chance.number(below: 2))
          ),
          payload: [UInt8(chance.number(below: 3))]
        )
      )
    }
    let first = Self.overlay()
    for (field, cell) in cells { try first.merge(CellKey(Self.note, field), cell) }
    let expected = try #require(try first.cells(of: Self.note))
    for _ in 0..<20 {
      let other = Self.overlay()
      for (field, cell) in cells.shuffled(using: &chance) {
        try other.merge(CellKey(Self.note, field), cell)
      }
      for (field, cell) in cells {
        guard case .won = try other.merge(CellKey(Self.note, field), cell) else { continue }
        Issue.record("\(cell) came once more, and was new")
      }
      #expect(try other.cells(of: Self.note) == expected)
    }
  }

  /// Cells as they are merged into nothing.
  private static func overlay() -> CellOverlay { CellOverlay(on: NoCells(), SyncSchema([])) }

  @Test("an edit made after seeing a value beats it, whatever the clocks say")
  func clock() {
    var behind = HybridClock()
    behind.witness(1_000_000 << 16)
    let edit = behind.stamp(milliseconds: 5, writer: Self.phone).moment
    #expect(edit > 1_000_000 << 16)
    let later = behind.stamp(milliseconds: 2_000_000, writer: Self.phone)
    #expect(later.milliseconds == 2_000_000)
    let last = behind.stamp(milliseconds: .max, writer: Self.phone)
    #expect(last.milliseconds == HybridClock.latest)
    // A moment that no clock gives stopped the program at the next save.
    behind.witness(.max)
    let next = behind.stamp(milliseconds: 5, writer: Self.phone)
    #expect(next > last)
  }

  private static let phone = DeviceTag(bits: 1).writer(run: 1)
  private static let laptop = DeviceTag(bits: 2).writer(run: 1)

  @Test("a value told of what it was written over by a moment that two devices had given")
  func sameMoment() {
    let seen: UInt64 = (1_000_000 << 16) | 0xFFFF
    var (phone, laptop) = (HybridClock(last: seen), HybridClock(last: seen))
    var moments: Set<UInt64> = []
    for _ in 0..<200 {
      for milliseconds: UInt64 in [5, 1_000_001] {
        let last = max(phone.last, laptop.last)
        moments.insert(phone.stamp(milliseconds: milliseconds, writer: Self.phone).moment)
        moments.insert(laptop.stamp(milliseconds: milliseconds, writer: Self.laptop).moment)
        #expect(phone.last > last || laptop.last > last)
      }
    }
    #expect(moments.count == 800)
    // 64 in each millisecond.
    #expect(phone.last >> 16 <= 1_000_008)
  }

  @Test(
    "a save that was sent again with other bits replaced what was written over it",
    arguments: [5, 1_000_000]
  )
  func sentAgain(milliseconds: UInt64) {
    for device in UInt32(1)...3 {
      for other in UInt32(1)...3 {
        var (first, again, laptop) = (HybridClock(), HybridClock(), HybridClock())
        let saved = first.stamp(
          milliseconds: 1_000_000,
          writer: DeviceTag(bits: device).writer(run: 1)
        )
        laptop.witness(saved.moment)
        let edit = laptop.stamp(milliseconds: milliseconds, writer: Self.laptop)
        let sent = again.stamp(
          milliseconds: 1_000_000,
          writer: DeviceTag(bits: other).writer(run: 1)
        )
        #expect(sent < edit)
      }
    }
  }

  @Test(
    "an edit does not bring a deleted note back, and what was written before is not seen in a new life"
  )
  func epochs() throws {
    let title = PropertyID(name: "title")
    let overlay = Self.overlay()
    let take = { (field: CellKey.Field, cell: Cell) in
      try overlay.merge(CellKey(Self.note, field), cell)
      return try #require(try overlay.cells(of: Self.note))
    }
    _ = try take(.life, cell(1, at: 1, .entity("Note")))
    _ = try take(.value(title), cell(1, at: 1, .text("old")))
    _ = try take(.life, cell(2, at: 5, .entity("Note")))
    var cells = try take(.value(title), cell(1, at: 9, .text("late")))
    #expect(!cells.isAlive)
    for revived in cells.revival(of: Self.note, at: Stamp(moment: 20, writer: 1)) {
      cells = try take(revived.key.field, revived.cell)
    }
    #expect(cells.isAlive && cells.epoch == 3)
    #expect(cells.value(title) == .text("late"))
    cells = try take(.value(title), cell(1, at: 30, .text("from an earlier life")))
    #expect(cells.value(title) == .text("late"))
  }

  private func cell(_ epoch: UInt16, at moment: UInt64, _ value: CellValue) -> Cell {
    Cell(epoch: epoch, stamp: Stamp(moment: moment, writer: 1), payload: value.payload)
  }
}
