import CoreDataSyncCore
import Foundation
import Testing

@testable import CoreDataSyncCrypto

/// Cells as the server of an encrypted zone sees them.
struct CellSealTests {
  private let seal: CellSeal

  init() throws {
    seal = CellSeal(try #require(ZoneKey(Array(0..<32))), zone: "Notes")
  }

  private static let note = SyncID(random: 0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321)
  private static let tag = SyncID(natural: Array("red tag, sixteen".utf8))
  private static let title = PropertyID(name: "title")
  private static let stamp = Stamp(moment: 77 << 16, writer: 5)

  private static let fields: [(CellKey.Field, [UInt8])] = [
    (.life, CellValue.entity("Note").payload),
    (.value(title), CellValue.text("Seeds and soil").payload),
    (.value(title), []),
    (.member(title, tag, dot: stamp), CellValue.present),
    (.member(title, tag, dot: stamp), CellValue.removed),
    (.place(title, tag), CellValue.place("V").payload),
  ]

  private static let cells = fields.map { field, payload in
    KeyedCell(
      CellKey(note, field),
      Cell(epoch: 3, stamp: stamp, base: 9, payload: payload)
    )
  }

  @Test("the largest value was larger than a payload once it was sealed", arguments: cells)
  func largestValue(cell: KeyedCell) {
    let growth = seal.sealed(cell).cell.payload.count - cell.cell.payload.count
    #expect(WireLimits.value + growth <= WireLimits.payload)
  }

  @Test(
    "a sealed cell opens to what it was, and is the same when it is sealed again",
    arguments: cells
  )
  func opening(cell: KeyedCell) throws {
    let sealed = seal.sealed(cell)
    #expect(try seal.opened(sealed) == cell)
    #expect(seal.sealed(cell) == sealed)
    #expect(seal.opened(sealed.key) == cell.key)
  }

  @Test("a value of which the server told that it had lost did not open")
  func lostValue() throws {
    let value = Self.cells[1]
    let lost = try #require(seal.sealed(value).asLost)
    let opened = try seal.opened(lost)
    #expect(opened.lostValue == value && opened == value.asLost)
  }

  @Test("neither values nor names, nor an identity that stands for a content, are in a sealed cell")
  func blindness() {
    for cell in Self.cells {
      let sealed = seal.sealed(cell)
      #expect(sealed.key.object != cell.key.object)
      let bytes = Data(sealed.bytes)
      #expect(bytes.range(of: Data("Seeds".utf8)) == nil)
      #expect(bytes.range(of: Data("Note".utf8)) == nil)
      for secret in [Self.tag.bytes, Self.note.bytes, CellKey.Field.value(Self.title).bytes] {
        #expect(bytes.range(of: Data(secret)) == nil)
      }
      // The parts that merging and forgetting need.
      #expect(sealed.cell.stamp == cell.cell.stamp && sealed.cell.epoch == cell.cell.epoch)
    }
    let member = seal.sealed(Self.cells[4])
    #expect(CellValue.isRemoval(member.cell.payload))
    #expect(member.key.field.target?.isNatural == true)
  }

  @Test("a payload that was moved to another cell, or changed, does not open", arguments: cells)
  func moving(cell: KeyedCell) throws {
    let sealed = seal.sealed(cell)
    func expectClosed(_ change: (inout KeyedCell) -> Void) {
      var other = sealed
      change(&other)
      #expect(throws: UnreadableSeal.self) { try seal.opened(other) }
    }
    expectClosed { $0.key = CellKey(SyncID(random: 1, 2), $0.key.field) }
    expectClosed { $0.key = CellKey($0.key.object, .value(PropertyID(name: "text"))) }
    expectClosed { $0.cell.epoch += 2 }
    expectClosed { $0.cell.stamp.moment += 1 }
    expectClosed { $0.cell.stamp.writer += 1 }
    expectClosed { $0.cell.base += 1 }
    for place in [0, 1, 30, sealed.cell.payload.count - 1] {
      expectClosed { $0.cell.payload[place] ^= 1 }
    }
    expectClosed { $0.cell.payload.removeLast() }
    expectClosed { $0.cell.payload = [] }
  }

  @Test("a member that was removed cannot be told as present by the server")
  func turning() {
    var sealed = seal.sealed(Self.cells[4])
    sealed.cell.payload.replaceSubrange(0..<2, with: CellValue.present)
    #expect(throws: UnreadableSeal.self) { try seal.opened(sealed) }
  }

  @Test("another key, and the same key in another zone, open nothing")
  func otherKeys() throws {
    let sealed = seal.sealed(Self.cells[1])
    let other = CellSeal(.random(), zone: "Notes")
    #expect(throws: UnreadableSeal.self) { try other.opened(sealed) }
    let elsewhere = CellSeal(try #require(ZoneKey(Array(0..<32))), zone: "Tasks")
    #expect(throws: UnreadableSeal.self) { try elsewhere.opened(sealed) }
  }

  @Test("identities have others in their place, one for one, and the way back leads to them")
  func identities() {
    let permutation = KeyedPermutation(key: Array(0..<16), halfOf: 61)
    var seen: Set<SyncID> = []
    for number in 0..<500 as Range<UInt64> {
      let id =
        number.isMultiple(of: 2)
        ? SyncID(random: number, .max - number)
        : SyncID(natural: Array("\(number) is a content".utf8))
      let other = permutation.replacing(id, permutation.forward)
      #expect(permutation.replacing(other, permutation.backward) == id)
      #expect(other.isNatural == id.isNatural && seen.insert(other).inserted)
    }
  }
}

/// Tests of the keys of passphrases, and of a zone's description of its key.
struct ZoneSealTests {
  private let quick = PassphraseRecipe(salt: Array(0..<16), operations: 1, memory: 8_192)

  @Test(
    "the same words are the same key, however the letters were composed; other words are another"
  )
  func passphrases() throws {
    let key = try ZoneKey(passphrase: "Caf\u{E9} in the dark", quick)
    #expect(try ZoneKey(passphrase: "Cafe\u{301} in the dark", quick) == key)
    #expect(try ZoneKey(passphrase: "Cafe in the dark", quick) != key)
    let seal = try ZoneSeal(bytes: ZoneSeal(key, quick).bytes)
    #expect(seal.fits(key) && seal.recipe == quick)
    #expect(!seal.fits(.random()))
  }

  @Test("a seal that asks for a month's work on a passphrase is refused")
  func endlessWork() throws {
    let greedy = PassphraseRecipe(salt: Array(0..<16), operations: 4_000_000, memory: 8_192)
    let bytes = ZoneSeal(.random(), greedy).bytes
    #expect { try ZoneSeal(bytes: bytes) } throws: { "\($0)".contains("more work") }
  }
}
