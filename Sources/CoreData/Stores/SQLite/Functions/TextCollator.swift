import CoreDataPredicates
import Foundation

/// One of the orders of texts that selectors ask for, for bytes where SQLite has them.
///
/// ```
/// "Apple", "apple"     ASCII without regard to case: its bytes
/// "Äpfel", "Apfel"     letters, digits and plain signs: ICU's collator
/// "É" of two parts     all else: the evaluation's comparison, which makes strings first
/// ```
///
/// Sorting a hundred thousand titles takes nearly two million comparisons, and Foundation's takes
/// more than a microsecond. The quick ways say what it says; a collator whose answers to a few
/// questions differ from Foundation's is not used.
///
/// Safety: not Sendable; belongs to one connection, which one thread uses at a time.
final class TextCollator {
  private let order: CoreDataPredicates.SortOrder
  private lazy var collator = ICUCollator(order)

  init(_ order: CoreDataPredicates.SortOrder) {
    self.order = order
  }

  func compare(
    _ one: UnsafeRawBufferPointer,
    _ other: UnsafeRawBufferPointer
  ) -> ComparisonResult {
    switch order {
    case .caseInsensitive:
      if let result = one.compareIgnoringCase(ascii: other) { return result }
    case .localized, .localizedCaseInsensitive:
      if one.isPlain, other.isPlain, let collator { return collator.compare(one, other) }
    case .localizedStandard:
      if one.isPlain, other.isPlain, !one.hasLeadingZero, !other.hasLeadingZero, let collator {
        return collator.compare(one, other)
      }
    case .standard, .comparator:
      break
    }
    return order.compareTexts(
      String(decoding: one, as: UTF8.self),
      String(decoding: other, as: UTF8.self)
    )
  }
}

extension UnsafeRawBufferPointer {
  /// Nil when one of the texts has other characters than ASCII.
  fileprivate func compareIgnoringCase(ascii other: UnsafeRawBufferPointer) -> ComparisonResult? {
    guard allSatisfy({ $0 < 0x80 }), other.allSatisfy({ $0 < 0x80 }) else { return nil }
    for place in 0..<Swift.min(count, other.count) {
      let (one, another) = (self[place].lowercasedASCII, other[place].lowercasedASCII)
      if one != another { return one < another ? .orderedAscending : .orderedDescending }
    }
    if count == other.count { return .orderedSame }
    return count < other.count ? .orderedAscending : .orderedDescending
  }

  /// Whether it has only printable ASCII, and letters from À to ž that have two cases of one
  /// character each.
  fileprivate var isPlain: Bool {
    var place = 0
    while place < count {
      switch self[place] {
      case 0x20...0x7E:
        place += 1
      case 0xC3...0xC5 where place + 1 < count && self[place + 1] & 0xC0 == 0x80:
        let scalar = UInt16(self[place] & 0x1F) << 6 | UInt16(self[place + 1] & 0x3F)
        if Self.oddLetters.contains(scalar) { return false }
        place += 2
      case _:
        return false
      }
    }
    return true
  }

  /// These: × ß ÷ İ ı Ĳ ĳ ĸ Ŀ ŀ ŉ ſ.
  private static let oddLetters: [UInt16] = [
    0xD7, 0xDF, 0xF7, 0x130, 0x131, 0x132, 0x133, 0x138, 0x13F, 0x140, 0x149, 0x17F,
  ]

  /// Whether a number in it is spelled with zeros that do not count.
  fileprivate var hasLeadingZero: Bool {
    var isInNumber = false
    for (place, byte) in enumerated() {
      let isDigit = (0x30...0x39).contains(byte)
      if byte == 0x30, !isInNumber, place + 1 < count, (0x30...0x39).contains(self[place + 1]) {
        return true
      }
      isInNumber = isDigit
    }
    return false
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self
  }
}
