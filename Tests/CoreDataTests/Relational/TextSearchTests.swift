import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

/// The quick ways through bytes have to end where the evaluation does.
struct TextSearchTests {
  static let options: [CoreDataPredicates.Comparison.Options] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    .normalized, [.caseInsensitive, .localeSensitive],
  ]

  @Test(arguments: options)
  func `texts are folded as the evaluation folds them`(
    options: CoreDataPredicates.Comparison.Options
  ) {
    let folding = TextFolding(options)
    var random = SeededGenerator(state: 5)
    var differences: [String] = []
    for _ in 0..<20_000 {
      let text = random.text()
      let found = text.onBytes { [UInt8](folding.folded($0)) }
      if found != [UInt8](options.folded(text).utf8) {
        differences.append(
          text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
        )
      }
    }
    #expect(differences.isEmpty, "\(differences.count) \(differences.prefix(5))")
  }

  @Test func `each character folds as the evaluation folds it`() {
    for options in Self.options {
      let folding = TextFolding(options)
      for value in (1...0x2FFF as ClosedRange<UInt32>) {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let text = "a\(Character(scalar))b"
        let found = text.onBytes { [UInt8](folding.folded($0)) }
        #expect(found == [UInt8](options.folded(text).utf8), "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test(arguments: options)
  func `patterns match where the evaluation says so`(
    options: CoreDataPredicates.Comparison.Options
  ) throws {
    let searches = TextSearches()
    var random = SeededGenerator(state: 6)
    var differences: [String] = []
    let bits = Int64(options.rawValue)
    for _ in 0..<10_000 {
      let text = random.text()
      let part = random.chance(1, of: 2) ? random.text() : String(text.dropFirst().prefix(2))
      let pattern = random.pattern(part)
      let needle = options.folded(part)
      let expected = try [
        options.hold(text, .contains, part), options.hold(text, .beginsWith, part),
        options.hold(text, .endsWith, part), options.hold(text, .like, pattern),
      ]
      let found = try text.onBytes { bytes in
        try needle.onBytes { needle in
          [
            searches.contains(searches.folding(bits).folded(bytes), needle),
            searches.begins(searches.folding(bits).folded(bytes), with: needle),
            searches.ends(searches.folding(bits).folded(bytes), with: needle),
            try pattern.onBytes { try searches.like(bytes, $0, bits) },
          ]
        }
      }
      if found != expected {
        differences.append("\(text.debugDescription) \(part.debugDescription) \(expected) \(found)")
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(5))")
  }

  @Test(arguments: options)
  func `texts have the order that the evaluation gives them`(
    options: CoreDataPredicates.Comparison.Options
  ) {
    let searches = TextSearches()
    var random = SeededGenerator(state: 8)
    var differences: [String] = []
    for _ in 0..<10_000 {
      let (one, other) = (random.text(), random.text())
      let found = one.onBytes { one in
        other.onBytes { searches.order(one, $0, Int64(options.rawValue)) }
      }
      if found != options.order(one, other) {
        differences.append("\(one.debugDescription) \(other.debugDescription)")
      }
    }
    #expect(differences.isEmpty, "\(differences.prefix(5))")
  }

  @Test func `a function reads its arguments where they are`() throws {
    let connection = try Connection(path: ":memory:")
    connection.define("LENGTHS", borrowing: 2) { arguments in
      guard let text = arguments.text(0) else { return .null }
      return .integer(Int64(text.count) * 100 + arguments.integer(1))
    }
    #expect(try connection.integer("SELECT LENGTHS('Té', 7)") == 307)
    #expect(try connection.integer("SELECT LENGTHS('', 7)") == 7)
    #expect(try connection.integer("SELECT LENGTHS(NULL, 7)") == nil)
    connection.define("ITSELF", borrowing: 1) { $0.text(0).map { .text($0) } ?? .null }
    let text = "a\u{0}b 'quoted' 😀"
    #expect(try connection.text("SELECT ITSELF(\(.text(text)))") == text)
  }
}

extension String {
  fileprivate func onBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    var text = self
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }
}

extension SeededGenerator {
  /// A few characters, from alphabets that like to meet.
  fileprivate mutating func text() -> String {
    let kind = index(below: 4)
    var text = ""
    for _ in 0..<index(below: 7) {
      let value: UInt32 =
        switch index(below: kind == 0 ? 2 : 8) {
        case 0, 1, 2: UInt32(1 + index(below: 127))
        case 3, 4: UInt32(0x80 + index(below: 0x100))
        case 5: UInt32(0x2010 + index(below: 0x30))
        case 6: UInt32(0x300 + index(below: 0x70))
        case _: UInt32(1 + index(below: 0xD000))
        }
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// The text with stars and question marks in it.
  fileprivate mutating func pattern(_ text: String) -> String {
    var pattern = chance(1, of: 2) ? "*" : ""
    for character in text {
      switch index(below: 6) {
      case 0: pattern += "?"
      case 1: pattern += "*"
      case 2: pattern += "\\" + String(character)
      case _: pattern += String(character)
      }
    }
    return pattern + (chance(1, of: 2) ? "*" : "")
  }
}

/// The quick orders of texts have to be Foundation's.
struct TextCollatorTests {
  static let orders: [CoreDataPredicates.SortOrder] = [
    .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
  ]

  @Test(arguments: orders.dropFirst())
  func `Foundation's collator is found, and sorts as Foundation does`(
    order: CoreDataPredicates.SortOrder
  ) {
    #expect(ICUCollator(order) != nil)
  }

  @Test(arguments: orders)
  func `bytes have the order that Foundation gives texts`(order: CoreDataPredicates.SortOrder) {
    let collator = TextCollator(order)
    var random = SeededGenerator(state: 9)
    var differences: [String] = []
    for _ in 0..<20_000 {
      let (one, other) = (random.title(), random.title())
      let found = one.onBytes { left in other.onBytes { collator.compare(left, $0) } }
      if found != order.compareTexts(one, other) {
        differences.append("\(one.debugDescription) \(other.debugDescription) \(found.rawValue)")
      }
    }
    #expect(differences.isEmpty, "\(differences.count) \(differences.prefix(8))")
  }
}

extension SeededGenerator {
  /// A few letters, digits and signs, most of them plain.
  fileprivate mutating func title() -> String {
    let kind = index(below: 3)
    var text = ""
    for _ in 0..<index(below: 6) {
      let value: UInt32 =
        switch kind {
        case 0: UInt32(0x20 + index(below: 0x5F))
        case 1: one(of: [0x30, 0x31, 0x32, 0x20, 0x61, 0x41, 0x62, 0x42, 0xE4, 0xC4, 0xE9])
        case _:
          chance(1, of: 40)
            ? UInt32(1 + index(below: 0x400))
            : chance(1, of: 2)
              ? UInt32(0x20 + index(below: 0x5F)) : UInt32(0xC0 + index(below: 0xC0))
        }
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
