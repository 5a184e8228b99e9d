/// The class of each character in words, as SQLite's tokenizer has it: `unicode61 remove_diacritics 2`.
///
/// ```
/// "Crème brûlée, 2 €"     Crème │ brûlée │ 2        words
///                         creme │ brulee │ 2        as they are compared
/// ```
///
/// A store that keeps an index of words has them from that tokenizer; this table has its answer for every character, so
/// that memory finds the same words. It knows the characters of Unicode 6.1, whatever the system's own tables have
/// learned since; later characters belong to words.
struct WordCharacters: Sendable {
  static let shared = WordCharacters()

  /// For each ASCII character its lower case, or 0 if it separates words.
  let ascii: [UInt8]
  /// For each block of 256 characters where its entries begin.
  private let blocks: [UInt32]
  /// How far it is to the character that one is compared as, or one of the two below.
  private let entries: [Int32]

  private static let separator = Int32.min
  private static let mark = Int32.min + 1

  enum Kind {
    /// Stands between words.
    case separator
    /// An accent of its own: it belongs to the word that it follows, and is not compared.
    case mark
    /// Belongs to a word and is compared as this character.
    case letter(UInt32)
  }

  func kind(of scalar: UInt32) -> Kind {
    guard scalar < 0x110000 else { return .separator }
    let entry = entries[Int(blocks[Int(scalar >> 8)]) + Int(scalar & 0xFF)]
    return switch entry {
    case Self.separator: .separator
    case Self.mark: .mark
    case _: .letter(UInt32(truncatingIfNeeded: Int64(scalar) + Int64(entry)))
    }
  }
}

// MARK: - Reading the tables

extension WordCharacters {
  private init() {
    var all = [Int32](repeating: 0, count: 0x110000)
    for scalar in WordLists.separators.joined() { all[scalar] = Self.separator }
    for scalar in WordLists.marks.joined() { all[scalar] = Self.mark }
    for (scalar, other) in WordLists.folds { all[scalar] = Int32(other - scalar) }
    var known: [ArraySlice<Int32>: UInt32] = [:]
    var blocks: [UInt32] = []
    var entries: [Int32] = []
    for start in stride(from: 0, to: all.count, by: 256) {
      let block = all[start..<start + 256]
      if known[block] == nil {
        known[block] = UInt32(entries.count)
        entries += block
      }
      blocks.append(known[block] ?? 0)
    }
    ascii = (0..<0x80).map { all[$0] == Self.separator ? 0 : UInt8(Int32($0) + all[$0]) }
    self.blocks = blocks
    self.entries = entries
  }
}

/// The classes of characters as lists, for databases that look for words by their own means.
package enum WordLists {
  package static let separators = ranges(WordTables.separators, radix: 36, areGaps: true)
  package static let marks = ranges(WordTables.marks, radix: 16, areGaps: false)
  /// The characters that are compared as others, each with that one.
  package static let folds: [(character: Int, other: Int)] = WordTables.folds
    .split(separator: " ").map(Fold.init).flatMap(\.pairs)

  /// `41+5` is six characters from 41 on; a gap is counted from the end of the range before.
  private static func ranges(
    _ text: String,
    radix: Int,
    areGaps: Bool
  ) -> [ClosedRange<Int>] {
    var last = 0
    return text.split(separator: " ").map { range in
      let parts = range.split(separator: "+").map { Int($0, radix: radix) ?? 0 }
      let start = parts[0] + (areGaps ? last : 0)
      last = start + (parts.count > 1 ? parts[1] : 0)
      return start...last
    }
  }

  /// `41*1a>61`: 26 characters from 41 on are compared as those from 61 on; with `=`, all of them as
  /// that one; `/2` takes every other character.
  private struct Fold {
    let start: Int
    let count: Int
    let step: Int
    let target: Int
    let goesAlong: Bool

    init(_ text: Substring) {
      goesAlong = text.contains(">")
      let sides = text.split { $0 == ">" || $0 == "=" }
      let parts = sides[0].split { $0 == "*" || $0 == "/" }.map { Int($0, radix: 16) ?? 0 }
      start = parts[0]
      count = parts.count > 1 ? parts[1] : 1
      step = parts.count > 2 ? parts[2] : 1
      target = Int(sides[1], radix: 16) ?? 0
    }

    var pairs: [(character: Int, other: Int)] {
      (0..<count).map { index in
        (start + index * step, target + (goesAlong ? index * step : 0))
      }
    }
  }
}
