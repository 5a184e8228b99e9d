import CoreDataSQL

/// Reads back the values of a statement's places, from SQLite's text with the values in it.
///
/// ```
/// … WHERE ZTITLE = ?1 AND ZSTARS > ?2
/// … WHERE ZTITLE = 'O''Brien' AND ZSTARS > 3        → 'O''Brien', 3
/// ```
///
/// SQLite does not show bound values otherwise, and keeping them for a log that is rarely wanted
/// would slow every statement.
enum ExpandedBindings {
  /// The values in the order of their places in the text; a place that comes twice counts twice.
  static func values(in expanded: String, of sql: String) -> [SQLValue] {
    var original = Array(sql.utf8)[...]
    var filled = Array(expanded.utf8)[...]
    var values: [SQLValue] = []
    while let byte = original.first {
      switch byte {
      case UInt8(ascii: "?"):
        original = original.dropFirst().drop(while: isDigit)
        values.append(takeLiteral(from: &filled))
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        filled = filled.dropFirst(takeQuoted(from: &original).count)
      case _:
        original.removeFirst()
        filled = filled.dropFirst()
      }
    }
    return values
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Quotes inside are doubled, so that the text goes on after them.
  private static func takeQuoted(from text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let whole = text
    guard let quote = text.popFirst() else { return [] }
    while let byte = text.popFirst() {
      guard byte == quote else { continue }
      if text.first != quote { break }
      text.removeFirst()
    }
    return whole[whole.startIndex..<text.startIndex]
  }

  private static func takeLiteral(from text: inout ArraySlice<UInt8>) -> SQLValue {
    switch text.first {
    case UInt8(ascii: "'"):
      let inside = takeQuoted(from: &text).dropFirst().dropLast()
      let quoted = String(decoding: inside, as: UTF8.self)
      return .text(
        quoted.split(separator: "''", omittingEmptySubsequences: false).joined(separator: "'")
      )
    case UInt8(ascii: "x"):
      text.removeFirst()
      return .blob(bytes(ofHex: takeQuoted(from: &text).dropFirst().dropLast()))
    case _:
      let word = text.prefix { isDigit($0) || "+-.eEinfNULnul".utf8.contains($0) }
      text = text.dropFirst(word.count)
      let spelled = String(decoding: word, as: UTF8.self)
      if let integer = Int64(spelled) { return .integer(integer) }
      return Double(spelled).map(SQLValue.real) ?? .null
    }
  }

  private static func bytes(ofHex digits: ArraySlice<UInt8>) -> [UInt8] {
    let digits = digits.map { UInt8(Character(UnicodeScalar($0)).hexDigitValue ?? 0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { (digits[$0] << 4) | digits[$0 + 1] }
  }
}
