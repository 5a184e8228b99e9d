import CoreDataPredicates
import Foundation

/// Folds UTF-8 in place, for `CONTAINS[cd]` and its like over many rows.
///
/// ```
/// "Crème Brûlée"   C r è m e   B r û l é e      bytes of SQLite
///                  c r e m e   b r u l e e      bytes of this
/// ```
///
/// The tables are made of the evaluation's own answers for each character, and texts with any other character go to
/// the evaluation whole: so the database folds as memory does. Characters between U+0080 and U+017F, and dashes and
/// quotes, do not affect their neighbours.
///
/// Safety: not Sendable; belongs to one connection, which one thread uses at a time.
final class TextFolding {
  private let options: Comparison.Options
  private let table: FoldTable?
  private var bytes: UnsafeMutableRawBufferPointer

  init(_ options: Comparison.Options) {
    self.options = options
    table = FoldTable.of(options)
    bytes = .allocate(byteCount: 256, alignment: 1)
  }

  deinit {
    bytes.deallocate()
  }

  /// The text without what the options ignore, valid until the next call.
  func folded(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if !options.folds { return text }
    guard let table else { return foldedByEvaluation(text) }
    // No character in the tables folds to more than four times its bytes.
    reserve(text.count * 4)
    guard let count = table.fold(text, into: bytes) else { return foldedByEvaluation(text) }
    return UnsafeRawBufferPointer(rebasing: bytes[..<count])
  }

  private func foldedByEvaluation(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var folded = options.folded(String(decoding: text, as: UTF8.self))
    return folded.withUTF8 { folded in
      reserve(folded.count)
      bytes.copyMemory(from: UnsafeRawBufferPointer(folded))
      return UnsafeRawBufferPointer(rebasing: bytes[..<folded.count])
    }
  }

  private func reserve(_ count: Int) {
    guard count > bytes.count else { return }
    bytes.deallocate()
    bytes = .allocate(byteCount: count * 2, alignment: 1)
  }
}

/// The folded form of each character of texts in Latin letters.
private struct FoldTable: Sendable {
  /// For each ASCII character the one that it folds to.
  private let ascii: [UInt8]
  /// For the others up to four bytes, the first in the lowest place, and their count above them.
  private let latin: [UInt64]
  private let punctuation: [UInt64]

  private static let latinScalars: Range<UInt32> = 0x80..<0x180
  private static let punctuationScalars: Range<UInt32> = 0x2010..<0x2040

  private init(_ options: Comparison.Options) {
    ascii = (0..<0x80).map { byte in
      options.folded(String(Unicode.Scalar(UInt8(byte)))).utf8.first ?? 0
    }
    latin = Self.latinScalars.map { Self.entry($0, options) }
    punctuation = Self.punctuationScalars.map { Self.entry($0, options) }
  }

  private static func entry(_ value: UInt32, _ options: Comparison.Options) -> UInt64 {
    guard let scalar = Unicode.Scalar(value) else { return 0 }
    let folded = options.folded(String(Character(scalar))).utf8
    var entry = UInt64(folded.count) << 32
    for (place, byte) in folded.enumerated() { entry |= UInt64(byte) << (8 * place) }
    return entry
  }

  /// Nil when a language has a say in it.
  static func of(_ options: Comparison.Options) -> FoldTable? {
    if options.contains(.localeSensitive) { return nil }
    switch options.intersection([.caseInsensitive, .diacriticInsensitive]) {
    case .caseInsensitive: return ofCase
    case .diacriticInsensitive: return ofDiacritics
    case _: return ofBoth
    }
  }

  private static let ofCase = FoldTable(.caseInsensitive)
  private static let ofDiacritics = FoldTable(.diacriticInsensitive)
  private static let ofBoth = FoldTable([.caseInsensitive, .diacriticInsensitive])

  /// Returns the number of bytes that it wrote; `nil` for a text with other characters, or invalid UTF-8.
  func fold(_ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer) -> Int? {
    guard let source = text.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let target = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    else { return 0 }
    let end = text.count
    return ascii.withUnsafeBufferPointer { ascii in
      var place = 0
      var count = 0
      while place < end {
        let byte = source[place]
        if byte < 0x80 {
          target[count] = ascii[Int(byte)]
          place += 1
          count += 1
          continue
        }
        guard let (entry, length) = entry(at: place, in: source, end) else { return nil }
        var folded = entry
        for _ in 0..<(entry >> 32) {
          target[count] = UInt8(truncatingIfNeeded: folded)
          folded >>= 8
          count += 1
        }
        place += length
      }
      return count
    }
  }

  private func entry(
    at place: Int,
    in source: UnsafePointer<UInt8>,
    _ end: Int
  ) -> (UInt64, length: Int)? {
    let lead = source[place]
    switch lead {
    case 0xC2...0xC5 where place + 1 < end && source[place + 1] & 0xC0 == 0x80:
      let scalar = (Int(lead & 0x1F) << 6) | Int(source[place + 1] & 0x3F)
      return (latin[scalar - 0x80], 2)
    case 0xE2 where place + 2 < end && source[place + 1] == 0x80:
      let last = source[place + 2]
      guard last & 0xC0 == 0x80, last >= 0x90 else { return nil }
      return (punctuation[Int(last) - 0x90], 3)
    case _:
      return nil
    }
  }
}
