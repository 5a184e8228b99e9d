import CoreDataPredicates
import CoreDataSQLite
import Foundation

/// `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE` and `MATCHES` as one connection runs them.
///
/// The pattern is the same for all rows of a statement: the result for the last one is kept.
///
/// Safety: not Sendable; belongs to one connection, which one thread uses at a time.
final class TextSearches {
  private var foldings: [Comparison.Options: TextFolding] = [:]
  private var lastFolding: (bits: Int64, folding: TextFolding)?
  /// Folds the second text of an order, while the first is in the buffer of its own folding.
  private var secondFoldings: [Comparison.Options: TextFolding] = [:]
  private var lastPattern = Pattern(bytes: [], options: [], wildcards: nil)
  private var lastWords: (pattern: [UInt8], bits: Int64, search: WordSearch)?

  /// The pattern of the last `LIKE`.
  private struct Pattern {
    let bytes: [UInt8]
    let options: Comparison.Options
    let wildcards: PlainWildcards?
  }

  /// The folding for the options that a statement spells as a number.
  func folding(_ bits: Int64) -> TextFolding {
    if let lastFolding, lastFolding.bits == bits { return lastFolding.folding }
    let options = Comparison.Options(bits)
    let folding = foldings[options] ?? TextFolding(options)
    foldings[options] = folding
    lastFolding = (bits, folding)
    return folding
  }
}

extension NSComparisonPredicate.Options {
  init(_ bits: Int64) {
    self.init(rawValue: UInt(truncatingIfNeeded: bits))
  }
}

// MARK: - Needles that are folded already

extension TextSearches {
  /// Looks for the first byte, then compares the rest.
  func contains(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    guard let wanted = needle.baseAddress, let first = needle.first else { return true }
    guard var start = text.baseAddress else { return false }
    var left = text.count - needle.count + 1
    while left > 0, let found = memchr(start, Int32(first), left) {
      if memcmp(found, wanted, needle.count) == 0 { return true }
      let skipped = UnsafeRawPointer(found) - start + 1
      start += skipped
      left -= skipped
    }
    return false
  }

  func begins(_ text: UnsafeRawBufferPointer, with needle: UnsafeRawBufferPointer) -> Bool {
    guard let wanted = needle.baseAddress, needle.count > 0 else { return true }
    guard let start = text.baseAddress, text.count >= needle.count else { return false }
    return memcmp(start, wanted, needle.count) == 0
  }

  func ends(_ text: UnsafeRawBufferPointer, with needle: UnsafeRawBufferPointer) -> Bool {
    guard let wanted = needle.baseAddress, needle.count > 0 else { return true }
    guard let start = text.baseAddress, text.count >= needle.count else { return false }
    return memcmp(start + (text.count - needle.count), wanted, needle.count) == 0
  }
}

// MARK: - Words

extension TextSearches {
  func containsWords(
    _ text: UnsafeRawBufferPointer,
    _ pattern: UnsafeRawBufferPointer,
    _ bits: Int64
  ) -> Bool {
    let search = words(pattern, bits)
    let options = Comparison.Options(bits)
    return search.isFound(in: options.foldsWords ? text : folding(bits).folded(text))
  }

  private func words(_ pattern: UnsafeRawBufferPointer, _ bits: Int64) -> WordSearch {
    if let lastWords, lastWords.bits == bits, lastWords.pattern.elementsEqual(pattern) {
      return lastWords.search
    }
    let search = WordSearch(String(decoding: pattern, as: UTF8.self), Comparison.Options(bits))
    lastWords = ([UInt8](pattern), bits, search)
    return search
  }
}

// MARK: - Order

extension TextSearches {
  /// Compares two texts.
  ///
  /// Strings are compared by their composed characters; if the bytes are those of composed characters, they have the
  /// same order.
  func order(
    _ one: UnsafeRawBufferPointer,
    _ other: UnsafeRawBufferPointer,
    _ bits: Int64
  ) -> ComparisonResult {
    let options = Comparison.Options(bits)
    if !options.contains(.localeSensitive) {
      let second = secondFoldings[options] ?? TextFolding(options)
      secondFoldings[options] = second
      let (left, right) = (folding(bits).folded(one), second.folded(other))
      if left.hasComposedLettersOnly, right.hasComposedLettersOnly {
        return left.compareBytes(to: right)
      }
    }
    return options.order(
      String(decoding: one, as: UTF8.self),
      String(decoding: other, as: UTF8.self)
    )
  }
}

extension UnsafeRawBufferPointer {
  /// Whether no character is beyond ſ, so that none is part of another.
  fileprivate var hasComposedLettersOnly: Bool { allSatisfy { $0 < 0xC6 } }

  fileprivate func compareBytes(to other: UnsafeRawBufferPointer) -> ComparisonResult {
    var order = 0
    if let left = baseAddress, let right = other.baseAddress {
      order = Int(memcmp(left, right, Swift.min(count, other.count)))
    }
    if order == 0 { order = count - other.count }
    return order < 0 ? .orderedAscending : order == 0 ? .orderedSame : .orderedDescending
  }
}

// MARK: - Patterns

extension TextSearches {
  /// `nil` if the pattern is invalid.
  func like(
    _ text: UnsafeRawBufferPointer,
    _ pattern: UnsafeRawBufferPointer,
    _ bits: Int64
  ) throws(EvaluationLimit) -> Bool? {
    let options = Comparison.Options(bits)
    if let wildcards = wildcards(pattern, options),
      let holds = wildcards.match(folding(bits).folded(text))
    {
      return holds
    }
    return try hold(text, .like, pattern, options)
  }

  func hold(
    _ text: UnsafeRawBufferPointer,
    _ op: Comparison.Operator,
    _ pattern: UnsafeRawBufferPointer,
    _ options: Comparison.Options
  ) throws(EvaluationLimit) -> Bool? {
    do throws(EvaluationError) {
      return try options.hold(
        String(decoding: text, as: UTF8.self),
        op,
        String(decoding: pattern, as: UTF8.self)
      )
    } catch {
      if error.isLimit { throw EvaluationLimit(sentence: error.description) }
      return nil  // A pattern from a column that is none: nothing matches it.
    }
  }

  private func wildcards(
    _ pattern: UnsafeRawBufferPointer,
    _ options: Comparison.Options
  ) -> PlainWildcards? {
    let known = lastPattern
    if known.options == options, known.bytes.elementsEqual(pattern) { return known.wildcards }
    lastPattern = Pattern(
      bytes: [UInt8](pattern),
      options: options,
      wildcards: PlainWildcards(folding(Int64(options.rawValue)).folded(pattern))
    )
    return lastPattern.wildcards
  }
}

/// A text would take longer to be matched than anybody wants.
struct EvaluationLimit: Error {
  let sentence: String
}
