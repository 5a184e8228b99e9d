import CoreDataModel
import Foundation
import Testing

@testable import CoreData

/// The texts of values in XML stores, beside how they are said to be.
@Suite struct XMLValueTextTests {
  private func text(_ value: SlotValue, _ type: AttributeType) -> String {
    var bytes: [UInt8] = []
    #expect(XMLValueText.append(value, as: type, to: &bytes))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `dates have the twenty digits of printf`() {
    var random = SeededGenerator(state: 7)
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.5, 1.5, 336_046_917.001_641_988_75, 0x1p52, 0x1p53, 0x1p53 - 1,
      0x1p52 + 0.5,
      -63_114_076_800, 252_423_993_599, 1.0.nextUp, 2.0.nextDown, 1e300, .leastNonzeroMagnitude,
      1 + 0x1p-21, 1 + 0x1p-22, 3 + 0x1p-21, .infinity,
    ]
    for _ in 0..<2_000 {
      numbers.append(Double(bitPattern: random.next()))
      numbers.append((Double(random.index(below: 1 << 40)) - 0x1p39) / 0x1p9)
      numbers.append(Double(Int64(bitPattern: random.next()) >> 20) / 1e6)
      // Exactly between two digits: 21 bits behind the point are 21 decimal digits.
      numbers.append(Double(random.index(below: 1 << 30)) + 0x1p-21)
    }
    for number in numbers where !number.isNaN {
      #expect(text(.real(number), .date) == String(format: "%.20f", number))
    }
  }

  @Test func `what is not plain in a text is written unit by unit, the lower byte first`() {
    var random = SeededGenerator(state: 8)
    let parts = [
      "a", "<", "&", "é", "日本", "😀", "\\", "\n", "\t", "\r", "\u{0}", "z ", "\u{7F}", "]]>",
    ]
    for _ in 0..<500 {
      let given = (0..<random.index(below: 8)).map { _ in random.one(of: parts) }.joined()
      var expected = ""
      for unit in given.utf16 {
        let isPlain =
          (0x20..<0x7F).contains(unit) && !"<>&\\".utf16.contains(unit)
          || [0x09, 0x0A].contains(unit)
        expected +=
          isPlain
          ? String(UnicodeScalar(UInt8(unit)))
          : String(format: "\\u%02x%02x", UInt32(unit & 0xFF), UInt32(unit >> 8))
      }
      #expect(text(.text(given), .string) == expected)
      #expect(XMLValueText.unescaped(expected) == given)
    }
  }

  @Test func `a Boolean is 0 or 1, and any other number is read as true`() {
    for (number, expected) in [(0, "0"), (1, "1"), (2, "1"), (-1, "1")] as [(Int64, String)] {
      #expect(text(.integer(number), .boolean) == expected)
    }
    for (text, expected) in ["0": 0, "1": 1, "2": 1, " 1\n": 1] as [String: Int64] {
      guard case .integer(expected)? = XMLValueText.value(of: text, as: .boolean) else {
        Issue.record("\(text) is \(expected)")
        continue
      }
    }
    #expect(XMLValueText.value(of: "yes", as: .boolean) == nil)
  }

  @Test func `whole numbers have their digits`() {
    for number in [0, 7, 9, 10, -1, -10, Int64.max, .min] {
      #expect(text(.integer(number), .integer64) == "\(number)")
    }
  }
}
