import CoreDataPredicates
import Foundation

/// One of the orders of texts that selectors ask for, for bytes where SQLite has them.
///
/// ```
/// "Élan", "Market"     they differ in the letters E and M first: these
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
      if let result = FirstDifference(one, other).orderIgnoringCase { return result }
    case .localized, .localizedCaseInsensitive:
      if let result = orderOfLetters(one, other) { return result }
      if one.isPlain, other.isPlain, let collator { return collator.compare(one, other) }
    case .localizedStandard:
      if let result = orderOfLetters(one, other) { return result }
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

extension TextCollator {
  /// The order of the letters in which two texts differ first; `nil` if the collator has to decide.
  ///
  /// If the letters of the alphabet are in the usual order, two different ones outweigh all that comes after them.
  private func orderOfLetters(
    _ one: UnsafeRawBufferPointer,
    _ other: UnsafeRawBufferPointer
  ) -> ComparisonResult? {
    guard let collator, collator.hasCommonAlphabet else { return nil }
    return FirstDifference(one, other).orderOfLetters
  }
}

/// The first difference of two texts, apart from the case of ASCII letters.
private enum FirstDifference {
  /// They do not differ.
  case none
  /// Signs of ASCII in lower case, or the letters that have marks there.
  case signs(UInt8, UInt8)
  /// The end of one of them, and a sign of ASCII in the other.
  case end(ComparisonResult)
  /// Something else, or the same letter with a mark and without.
  case unclear

  init(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) {
    let common = min(one.count, other.count)
    for place in 0..<common {
      let (left, right) = (one[place].lowercasedASCII, other[place].lowercasedASCII)
      if left == right, left < 0x80 { continue }
      guard let left = one.letter(at: place), let right = other.letter(at: place), left != right
      else {
        self = .unclear
        return
      }
      self = .signs(left, right)
      return
    }
    if one.count == other.count {
      self = .none
    } else if (one.count > common ? one : other)[common] >= 0x80 {
      // A mark there belongs to the letter before it.
      self = .unclear
    } else {
      self = .end(one.count < other.count ? .orderedAscending : .orderedDescending)
    }
  }

  /// `nil` if it does not follow from this.
  var orderIgnoringCase: ComparisonResult? {
    switch self {
    case .none: .orderedSame
    case .signs(let one, let other): one < other ? .orderedAscending : .orderedDescending
    case .end(let order): order
    case .unclear: nil
    }
  }

  /// `nil` if they do not differ in letters.
  var orderOfLetters: ComparisonResult? {
    switch self {
    case .signs(let one, let other) where one.isLowercaseASCII && other.isLowercaseASCII:
      one < other ? .orderedAscending : .orderedDescending
    case .none, .signs, .end, .unclear: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The sign of ASCII that begins at a place, in lower case, or that of a letter with a mark; nil for others.
  fileprivate func letter(at place: Int) -> UInt8? {
    let byte = self[place]
    if byte < 0x80 { return byte.lowercasedASCII }
    guard (0xC3...0xC5).contains(byte), place + 1 < count, self[place + 1] & 0xC0 == 0x80 else {
      return nil
    }
    let scalar = (Int(byte & 0x1F) << 6) | Int(self[place + 1] & 0x3F)
    let letter = Self.letters[scalar - 0xC0]
    return letter == UInt8(ascii: "-") ? nil : letter
  }

  /// The letters of À to ſ without their marks; - for signs that are not letters with marks.
  private static let letters: [UInt8] = Array(
    """
    aaaaaa-ceeeeiiii-nooooo--uuuuy--aaaaaa-ceeeeiiii-nooooo--uuuuy-y\
    aaaaaaccccccccdd--eeeeeeeeeegggggggghh--iiiiiiiii---jjkk-llllll-\
    ---nnnnnn---oooooo--rrrrrrsssssssstttt--uuuuuuuuuuuuwwyyyzzzzzz-
    """.utf8
  )

  /// Whether it has only printable ASCII, and letters from À to ž that have two cases of one
  /// character each.
  fileprivate var isPlain: Bool {
    var place = 0
    while place < count {
      switch self[place] {
      case 0x20...0x7E:
        place += 1
      case 0xC3...0xC5 where place + 1 < count && self[place + 1] & 0xC0 == 0x80:
        let scalar = (UInt16(self[place] & 0x1F) << 6) | UInt16(self[place + 1] & 0x3F)
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

  fileprivate var isLowercaseASCII: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}
