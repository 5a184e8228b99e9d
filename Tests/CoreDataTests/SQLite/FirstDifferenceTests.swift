import CoreDataPredicates
import Foundation
import Testing

@testable import CoreData

/// The first difference of two texts gives the same order as the evaluation.
struct FirstDifferenceTests {
  private static let orders: [CoreDataPredicates.SortOrder] = [
    .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
  ]

  @Test(arguments: orders)
  func `texts that differ in a letter with a mark, or before it, are in Foundation's order`(
    order: CoreDataPredicates.SortOrder
  ) {
    let texts = [
      "", "e", "E", "é", "É", "e\u{301}", "Élan", "elan", "ELAN", "Ezra", "ezra", "Elan vital",
      "dune",
      "Fun", "fun", "fu\u{301}n", "f", "note 2", "note 10", "note b", "straße", "strasse", "strand",
      "İstanbul", "istanbul", "ısparta", "Ørsted", "Orsted", "ŉ", "n", "Łódź", "lodz", "Lodz",
      "\u{212A}", "k", "K", "😀", "a😀", "b😀", "a", "α", "ab", "aB", "Ab", "-a", "_a", "[", "{", "z",
      "Ž", "ž", "z\u{30C}", "\u{301}", "a\u{301}", "á", "ab\u{301}", "a\u{7F}", "a\u{1}",
    ]
    #expect(differences(among: texts, order).isEmpty)
  }

  @Test(arguments: orders)
  func `random texts of letters, marks and signs are in Foundation's order`(
    order: CoreDataPredicates.SortOrder
  ) {
    var random = SeededGenerator(state: 5)
    let signs =
      Array(0x20...0x7E) + Array(0x41...0x5A) + Array(0x61...0x7A) + Array(0xC0..<0x180) + [
        0x301, 0x308, 0x327, 0x200D, 0x1F600, 0x3B1, 0x212A,
      ]
    func text() -> String {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let sign = signs.randomElement(using: &random) ?? 0x20
        if let scalar = Unicode.Scalar(UInt32(sign)) { scalars.append(scalar) }
      }
      return String(scalars)
    }
    for _ in 0..<300 {
      let beginning = text()
      let texts = [beginning, beginning + text(), beginning.uppercased() + text(), text()]
      #expect(differences(among: texts, order).isEmpty)
    }
  }

  /// Each pair that SQLite would order in another way.
  private func differences(
    among texts: [String],
    _ order: CoreDataPredicates.SortOrder
  ) -> [String] {
    let collator = TextCollator(order)
    var differences: [String] = []
    for one in texts {
      for other in texts {
        var (left, right) = (one, other)
        let found = left.withUTF8 { left in
          right.withUTF8 {
            collator.compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0))
          }
        }
        if found != order.compareTexts(one, other) {
          differences.append(
            "\(one.unicodeScalars.map(\.value)) \(other.unicodeScalars.map(\.value))"
          )
        }
      }
    }
    return differences
  }

  @Test func `two letters are not enough where a language counts some of them as one`() throws {
    #expect(try #require(ICUCollator(of: "en")).hasCommonAlphabet)
    #expect(try #require(ICUCollator(of: "de")).hasCommonAlphabet)
    // Danish has aa behind z, Slovak ch behind h, and POSIX all capital letters before all others.
    for locale in ["da", "sk", "en_US_POSIX"] {
      #expect(try !#require(ICUCollator(of: locale)).hasCommonAlphabet, "\(locale)")
    }
  }
}
