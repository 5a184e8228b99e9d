import CoreDataSyncCore
import Testing

/// Objects that need others, over however many.
struct ProjectorTests {
  private static let next = PropertyID(name: "next")
  private let schema: SyncSchema

  init() {
    var link = EntityRules(name: "Link")
    var rules = ReferenceRules()
    rules.isRequired = true
    link.references[Self.next] = rules
    schema = SyncSchema([link, EntityRules(name: "End")])
  }

  private static func id(_ number: Int) -> SyncID { SyncID(random: 1, UInt64(number)) }

  private func live(_ number: Int, _ entity: String, epoch: UInt16 = 1, _ cells: CellOverlay) throws
  {
    let life = Cell(
      epoch: epoch,
      stamp: Stamp(moment: UInt64(epoch), writer: 1),
      payload: CellValue.entity(entity).payload
    )
    try cells.replace(CellKey(Self.id(number), .life), by: life)
  }

  private func lead(_ number: Int, to end: Int, _ cells: CellOverlay) throws {
    let cell = Cell(
      epoch: 1,
      stamp: Stamp(moment: 1, writer: 1),
      payload: CellValue.reference(Self.id(end), place: "").payload
    )
    try cells.replace(CellKey(Self.id(number), .value(Self.next)), by: cell)
  }

  /// A chain of links; the last one needs an end, or the first link.
  private func chain(of count: Int, isClosed: Bool = false) throws -> CellOverlay {
    let cells = CellOverlay(on: NoCells(), schema)
    for number in 0..<count {
      try live(number, "Link", cells)
      try lead(number, to: isClosed && number == count - 1 ? 0 : number + 1, cells)
    }
    if !isClosed { try live(count, "End", cells) }
    return cells
  }

  @Test("a chain of a hundred thousand objects that need each other ended the program")
  func longChain() throws {
    let count = 100_000
    let cells = try chain(of: count)
    #expect(try Projector(cells, schema).isPresent(Self.id(0)))
    try live(count, "End", epoch: 2, cells)
    let projector = Projector(cells, schema)
    #expect(try !projector.isPresent(Self.id(0)))
    #expect(try !projector.isPresent(Self.id(count - 1)))
  }

  @Test("objects that need each other in a circle are there, unless one of them needs what is gone")
  func circle() throws {
    let cells = try chain(of: 3, isClosed: true)
    let projector = Projector(cells, schema)
    for number in 0..<3 { #expect(try projector.isPresent(Self.id(number))) }
    try live(1, "Link", epoch: 2, cells)
    for first in 0..<3 {
      // Whichever is asked for first.
      let projector = Projector(cells, schema)
      for number in [first, 0, 1, 2] { #expect(try !projector.isPresent(Self.id(number))) }
    }
  }
}
