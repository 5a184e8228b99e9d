import CoreDataSyncCore
import Testing

/// Notes in folders, entries of notes, and tags of entries, which cannot be deleted while they are
/// used.
struct DenialRepairTests {
  private static let container = PropertyID(name: "container")
  private static let tagging = PropertyID(name: "tag")
  private let rome = SyncID(random: 1, 1)
  private let spain = SyncID(random: 1, 2)
  private let note = SyncID(random: 1, 3)
  private let entry = SyncID(random: 1, 4)
  private let tag = SyncID(random: 1, 5)
  private let cells: CellOverlay

  init() throws {
    var (note, entry) = (EntityRules(name: "Note"), EntityRules(name: "Entry"))
    var container = ReferenceRules()
    container.isRequired = true
    container.goesWithTarget = true
    note.references[Self.container] = container
    entry.references[Self.container] = container
    entry.references[Self.tagging] = Self.protecting(isRequired: false)
    let schema = SyncSchema([
      note, entry, EntityRules(name: "Folder"), EntityRules(name: "Tag"),
    ])
    cells = CellOverlay(on: NoCells(), schema)
    try live(rome, "Folder")
    try live(spain, "Folder")
    try live(self.note, "Note")
    try lead(self.note, Self.container, to: rome)
    try live(self.entry, "Entry")
    try lead(self.entry, Self.container, to: self.note)
    try live(tag, "Tag")
    try lead(self.entry, Self.tagging, to: tag)
    try live(tag, "Tag", epoch: 2)
  }

  private static func protecting(isRequired: Bool) -> ReferenceRules {
    var rules = ReferenceRules()
    rules.isRequired = isRequired
    rules.protectsTarget = true
    return rules
  }

  private func live(_ id: SyncID, _ entity: String, epoch: UInt16 = 1) throws {
    let life = Cell(
      epoch: epoch,
      stamp: Stamp(moment: UInt64(epoch), writer: 1),
      payload: CellValue.entity(entity).payload
    )
    try cells.merge(CellKey(id, .life), life)
  }

  private func lead(
    _ id: SyncID,
    _ property: PropertyID,
    to end: SyncID,
    over moment: UInt64 = 0
  ) throws {
    let cell = Cell(
      epoch: 1,
      stamp: Stamp(moment: moment + 1, writer: 1),
      base: moment,
      payload: CellValue.reference(end, place: "").payload
    )
    try cells.merge(CellKey(id, .value(property)), cell)
  }

  private func needed(_ ids: SyncID...) throws -> [SyncID] {
    try DenialRepair(cells, cells.schema).needed(among: Set(ids))
  }

  @Test("a deleted tag is needed by an entry that is seen")
  func seen() throws {
    #expect(try needed(tag) == [tag])
    #expect(try needed(entry) == [tag])
    #expect(try needed(note).isEmpty)
  }

  @Test("what nobody sees needs nothing, and may need it when more is known")
  func hidden() throws {
    try live(rome, "Folder", epoch: 2)
    #expect(try needed(tag, entry, note, rome).isEmpty)
    let repair = DenialRepair(cells, cells.schema, by: .alive)
    #expect(try repair.needed(among: [tag]) == [tag])
  }

  @Test("a tag was not brought back for an entry whose note got another folder")
  func moved() throws {
    try live(rome, "Folder", epoch: 2)
    try lead(note, Self.container, to: spain, over: 5)
    #expect(try needed(note) == [tag])
  }

  @Test("a tag was not brought back for an entry whose folder came back")
  func folderIsBack() throws {
    try live(rome, "Folder", epoch: 3)
    #expect(try needed(rome) == [tag])
  }

  @Test("two that one object cannot be without, each deleted for itself, both stayed away")
  func needsBoth() throws {
    var pair = EntityRules(name: "Pair")
    let (left, right) = (PropertyID(name: "left"), PropertyID(name: "right"))
    for property in [left, right] { pair.references[property] = Self.protecting(isRequired: true) }
    let schema = SyncSchema([pair, EntityRules(name: "Folder"), EntityRules(name: "Tag")])
    try live(note, "Pair", epoch: 3)
    for (property, end) in [(left, rome), (right, spain)] {
      let payload = CellValue.reference(end, place: "").payload
      let cell = Cell(epoch: 3, stamp: Stamp(moment: 9, writer: 1), payload: payload)
      try cells.merge(CellKey(note, .value(property)), cell)
      try live(end, "Folder", epoch: 2)
    }
    #expect(try DenialRepair(cells, schema).needed(among: [note]) == [rome, spain])
  }
}
