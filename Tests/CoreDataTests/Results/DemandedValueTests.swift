import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Tests of the values that predicates demand of the objects that meet them.
@Suite struct DemandedValueTests {
  @Test(
    arguments: [
      ("stars == 3", "stars"),
      ("3 == stars", "stars"),
      ("folder == nil", "folder"),
      ("SELF.title == 'a'", "title"),
      ("stars > 1 AND (title == 'a' AND views < 4)", "title"),
      ("isFavourite == YES", "isFavourite"),
      ("isFavourite == YES AND title == 'a'", "title"),
      ("title == 'a' OR stars == 1", nil),
      ("NOT title == 'a'", nil),
      ("title != 'a'", nil),
      ("title ==[c] 'a'", nil),
      ("stars >= 3", nil),
      ("stars IN {3}", nil),
      ("folder.name == 'a'", nil),
      ("ANY tags.name == 'a'", nil),
      ("title == text", nil),
      ("TRUEPREDICATE", nil),
    ] as [(String, String?)]
  )
  func `a comparison that must hold demands its value`(format: String, name: String?) throws {
    try NotesStack().work { context in
      let layout = try #require(context.model["Note"])
      let demand = DemandedValue(in: NSPredicate(format: format).tree, of: layout)
      #expect(demand.map { layout.slots[$0.slot].name } == name)
    }
  }

  @Test func `equal values have one fingerprint, whatever their types are`() {
    let large = 4_611_686_018_427_387_904.0
    let equals: [[Any?]] = [
      [1, 1.0, true, NSNumber(value: 1), Decimal(1), UInt64(1)],
      [nil, NSNull()],
      ["a", NSString(string: "a")],
      [large, Decimal(string: "4611686018427388000")],
      [-0.0, 0],
    ]
    for values in equals {
      #expect(Set(values.map { DemandedValue.fingerprint(of: $0) }).count == 1, "\(values)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an object has a fingerprint once its identity is settled`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let folder = context.folder("A")
      #expect(DemandedValue.fingerprint(of: folder) == nil)
      try context.obtainPermanentIDs(for: [folder])
      #expect(DemandedValue.fingerprint(of: folder) == nil)
      try context.save()
      let fingerprint = DemandedValue.fingerprint(of: folder)
      #expect(fingerprint != nil)
      #expect(DemandedValue.fingerprint(of: folder.objectID) == fingerprint)
    }
  }
}
