import Foundation
import Synchronization

/// Compares texts under the options of an operator: `CONTAINS[cd]`.
///
/// Without options, and with `[n]`, texts are compared byte by byte in UTF-8, which is the order of
/// their code points and the one SQLite has. So memory and a store agree, and two spellings of "é"
/// are two texts; Swift's own `==` and `<` do not matter here.
struct TextComparison {
  private let options: Comparison.Options

  init(_ options: Comparison.Options) {
    self.options = options
  }

  func areEqual(_ one: String, _ other: String) -> Bool {
    folded(one).hasSameBytes(as: folded(other))
  }

  func order(_ one: String, _ other: String) -> ComparisonResult {
    if options.contains(.localeSensitive) {
      return folded(one).compare(folded(other), locale: .current)
    }
    return folded(one).compareBytes(folded(other))
  }

  /// Every text contains the empty one.
  func contains(_ text: String, _ part: String) -> Bool {
    if options.contains(.wordBased) {
      return WordSearch(part, options).isFound(in: options.foldsWords ? text : folded(text))
    }
    return folded(text).containsUnits(of: folded(part))
  }

  func holds(
    _ text: String,
    _ op: Comparison.Operator,
    _ pattern: String
  ) throws(EvaluationError) -> Bool {
    switch op {
    case .beginsWith:
      folded(text).utf8.starts(with: folded(pattern).utf8)
    case .endsWith:
      folded(text).utf8.reversed().starts(with: folded(pattern).utf8.reversed())
    case .like:
      Wildcards(folded(pattern)).match(folded(text))
    case .matches:
      try matches(text, pattern)
    case .contains, .in:
      contains(text, pattern)
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
      .greaterThanOrEqualTo, .between:
      areEqual(text, pattern)
    }
  }
}

// MARK: - Folding

extension TextComparison {
  /// The text without what the options ignore.
  func folded(_ text: String) -> String {
    if options.contains(.normalized) || options.isDisjoint(with: .folding) { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? text.lowercased() : text
    }
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    return text.folding(
      options: folding,
      locale: options.contains(.localeSensitive) ? .current : nil
    )
  }
}

extension NSComparisonPredicate.Options {
  fileprivate static let folding: Self = [.caseInsensitive, .diacriticInsensitive]
}

extension String {
  fileprivate func containsUnits(of part: String) -> Bool {
    if part.isEmpty { return true }
    var text = self
    var part = part
    return text.withUTF8 { text in
      part.withUTF8 { part in
        text.contains(part)
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Looks for the first byte, then compares the rest.
  fileprivate func contains(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = part.first, let wanted = part.baseAddress, var start = baseAddress else {
      return part.isEmpty
    }
    var left = count - part.count + 1
    while left > 0, let found = memchr(start, Int32(first), left) {
      if memcmp(found, wanted, part.count) == 0 { return true }
      let skipped = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
      start += skipped
      left -= skipped
    }
    return false
  }
}

// MARK: - Order

extension String {
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Which text comes first, byte by byte.
  func compareBytes(_ other: String) -> ComparisonResult {
    var one = self
    var other = other
    return one.withUTF8 { one in
      other.withUTF8 { other in
        let shared = min(one.count, other.count)
        if shared > 0, let left = one.baseAddress, let right = other.baseAddress {
          let order = memcmp(left, right, shared)
          if order != 0 { return order < 0 ? .orderedAscending : .orderedDescending }
        }
        return one.count.compared(to: other.count)
      }
    }
  }
}

// MARK: - Regular expressions

extension TextComparison {
  /// The expression has to cover the whole text.
  private func matches(_ text: String, _ pattern: String) throws(EvaluationError) -> Bool {
    let expression = try RegularExpressions.shared.expression(
      for: options.contains(.diacriticInsensitive) ? folded(pattern, ignoringCase: false) : pattern,
      ignoresCase: options.contains(.caseInsensitive)
    )
    let text = options.contains(.diacriticInsensitive) ? folded(text, ignoringCase: false) : text
    return try expression.covers(text, pattern)
  }

  private func folded(_ text: String, ignoringCase: Bool) -> String {
    TextComparison(options.subtracting(.caseInsensitive)).folded(text)
  }
}

extension NSRegularExpression {
  /// Whether the expression, which is anchored at both ends, finds the text.
  ///
  /// An expression such as `(a+)+$` tries every way to divide a text, and there are more of them than
  /// anybody can wait for. One that goes on trying is an error.
  fileprivate func covers(_ text: String, _ pattern: String) throws(EvaluationError) -> Bool {
    let length = text.utf16.count
    var (isFound, isOver, reports) = (false, false, 0)
    // A report comes with some thousand attempts; a plain search of long texts needs few.
    let limit = Self.reportLimit + length / 64
    enumerateMatches(
      in: text,
      options: [.anchored, .reportProgress],
      range: NSRange(location: 0, length: length)
    ) { match, flags, stop in
      if flags.contains(.progress) {
        reports += 1
        isOver = reports > limit
        stop.pointee = ObjCBool(isOver)
      } else if match != nil {
        isFound = true
        stop.pointee = true
      }
    }
    guard isOver else { return isFound }
    throw EvaluationError(
      "the expression \"\(pattern)\" tries too many ways to match a text of \(length) characters;"
        + " write it without a repetition of repetitions",
      isLimit: true
    )
  }

  private static let reportLimit = 2_000
}

/// The regular expressions that were used lately: compiling one costs more than using it.
private final class RegularExpressions: Sendable {
  static let shared = RegularExpressions()

  private struct Key: Hashable {
    let pattern: Spelling
    let ignoresCase: Bool
  }

  private let expressions = Mutex<[Key: NSRegularExpression]>([:])
  private let capacity = 64

  func expression(
    for pattern: String,
    ignoresCase: Bool
  ) throws(EvaluationError) -> NSRegularExpression {
    let key = Key(pattern: Spelling(pattern), ignoresCase: ignoresCase)
    if let kept = expressions.withLock({ $0[key] }) { return kept }
    let expression = try compiled(key)
    expressions.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[key] = expression
    }
    return expression
  }

  private func compiled(_ key: Key) throws(EvaluationError) -> NSRegularExpression {
    do {
      return try NSRegularExpression(
        pattern: "\\A(?:\(key.pattern.text))\\z",
        options: key.ignoresCase ? .caseInsensitive : []
      )
    } catch {
      throw EvaluationError("\"\(key.pattern.text)\" is not a regular expression")
    }
  }
}
