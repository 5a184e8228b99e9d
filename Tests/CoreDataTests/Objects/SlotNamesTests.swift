import CoreDataModel
import Foundation
import Testing

@testable import CoreData

struct SlotNamesTests {
  @Test(
    "each name has its slot, and what is like none of them has none",
    arguments: [0, 1, 3, 40, 700]
  )
  func everyName(count: Int) {
    // Names of one length with the same first, middle and last letters are in one another's places.
    let names = (0..<count).map { String(format: "a%03dxb%03dz", $0, count - $0) }
    let slots = SlotNames(names)
    for (slot, name) in names.enumerated() {
      #expect(slots.slot(of: name) == slot)
      #expect(slots.slot(of: name + "z") == nil)
    }
    for name in ["", "a", "title", "größe", "a000xb001y"] { #expect(slots.slot(of: name) == nil) }
  }

  @Test("a name with an accent is found however that is spelled")
  func accents() {
    let slots = SlotNames(["name", "gr\u{F6}\u{DF}e"])
    #expect(slots.slot(of: "gr\u{F6}\u{DF}e") == 1)
    #expect(slots.slot(of: "gro\u{308}\u{DF}e") == 1)
    #expect(slots.slot(of: "gro\u{308}sse") == nil)
  }

  @Test("a small number is of its attribute's type, as a large one is")
  func boxedNumbers() {
    for value: Int64 in [-1, 0, 1, 127, 128, 255, 256, 32_767, .max, .min] {
      #expect(BoxedNumber.of(value, .integer64).int64Value == value)
      #expect(BoxedNumber.of(value, nil) as? Int64 == value)
      #expect(BoxedNumber.of(value, .integer16).int16Value == Int16(truncatingIfNeeded: value))
      #expect(BoxedNumber.of(value, .integer32).int32Value == Int32(truncatingIfNeeded: value))
      #expect(BoxedNumber.of(value, .boolean).boolValue == (value != 0))
      #expect(
        String(cString: BoxedNumber.of(value, .integer16).objCType)
          == String(cString: NSNumber(value: Int16(truncatingIfNeeded: value)).objCType)
      )
    }
  }
}
