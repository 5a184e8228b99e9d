import CoreDataModel
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Stores with a few random damages: a repair never makes them worse, and never touches values.
@Suite struct RandomDamageTests {
  @Test(arguments: Tries.seeds(12, long: 40))
  func `after a repair there is nothing left that it could do`(_ seed: UInt64) throws {
    var random = DamageDice(seed: seed)
    let store = try SoundStore()
    try store.run((0..<Int.random(in: 1...6, using: &random)).map { _ in random.damage() })
    let damaged = try store.picture()
    var repair = store.repair()
    repair.makesBackup = false
    let outcome = try repair.perform()
    let mended = try store.picture()
    #expect(outcome.wasKept)
    #expect(!outcome.after.isWorse(than: outcome.before))
    let (_, plan) = try store.repair().plan()
    #expect(plan.steps.map(\.remedy.sentence) == [], "\(plan.steps.map { $0.findings[0].words })")
    for (row, values) in damaged where row.isObject {
      let after = try #require(mended[row], "\(row) is gone")
      #expect(values.ownValues == after.ownValues)
    }
    if outcome.before.findings.isEmpty { #expect(mended == damaged) }
  }

  /// Rows that no damage and no relationship of a damaged row concerns are as they were.
  @Test(arguments: 1...20)
  func `a single damage is mended without a change elsewhere`(_ seed: UInt64) throws {
    var random = DamageDice(seed: 1000 + seed)
    let store = try SoundStore()
    let sound = try store.picture()
    try store.run([random.damage()])
    let damaged = try store.picture()
    var repair = store.repair()
    repair.makesBackup = false
    let outcome = try repair.perform()
    let mended = try store.picture()
    if outcome.before.findings.isEmpty {
      #expect(mended == damaged)
      return
    }
    // A key may be taken out of a partner, an order be renumbered, a count be computed again.
    let changed = mended.differences(from: damaged).count
    let touched = damaged.differences(from: sound).count
    #expect(changed <= touched + 5, "\(mended.differences(from: damaged))")
  }
}

/// Damages by chance, the same for the same seed.
private struct DamageDice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func damage() -> String {
    let (table, columns, count) = Self.keys.randomElement(using: &self) ?? ("ZTAG", ["Z_ENT"], 3)
    let column = columns.randomElement(using: &self) ?? "Z_ENT"
    let row = Int.random(in: 1...count, using: &self)
    let value = Int.random(in: 0...10, using: &self)
    switch Int.random(in: 0...9, using: &self) {
    case 0: return "INSERT OR IGNORE INTO Z_4TAGS VALUES (\(row), \(value), 5000)"
    case 1: return "UPDATE Z_PRIMARYKEY SET Z_MAX = \(value) WHERE Z_ENT IN (1, 3, 4)"
    case 2: return "UPDATE ZNOTE SET Z_FOK_PINNEDIN = \(value) WHERE Z_PK <= \(row)"
    case 3: return "INSERT OR IGNORE INTO Z_4RELATED VALUES (\(row), \(value))"
    case 4: return "UPDATE ZFOLDER SET ZNOTECOUNT = \(value)"
    case 5: return "DELETE FROM ZFOLDER WHERE Z_PK = \(value)"
    case 6: return "UPDATE \(table) SET \(column) = NULL WHERE Z_PK = \(row)"
    default: return "UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(row)"
    }
  }

  private static let keys: [(String, [String], Int)] = [
    ("ZNOTE", ["ZFOLDER", "ZCOVERS", "ZPINNEDIN", "Z_FOK_PINNEDIN", "Z2KEPT", "Z2QUEUE"], 8),
    ("ZFOLDER", ["ZPARENT", "ZCOVER", "Z4_COVER"], 3),
    ("ZATTACHMENT", ["Z4_NOTE"], 3),
  ]
}

extension String {
  /// Whether a picture's row is an object of the store.
  fileprivate var isObject: Bool {
    ["ZNOTE ", "ZFOLDER ", "ZTAG ", "ZBIN ", "ZATTACHMENT "].contains { hasPrefix($0) }
  }

  /// The values that no repair of relationships has a reason to touch.
  fileprivate var ownValues: [Substring] {
    let names = [
      "ZTITLE ", "ZSLUG ", "ZNAME ", "ZLABEL ", "ZCREATED ", "ZSTARS ", "ZUUID ", "ZKEYWORDS ",
      "ZISFAVOURITE ", "ZITEMCOUNT ", "Z_ENT ", "Z_OPT ",
    ]
    return split(separator: ", ").filter { part in names.contains { part.hasPrefix($0) } }
  }
}
