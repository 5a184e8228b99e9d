import CoreDataSwiftCode

/// Reads the type of an initial value where the text alone tells it.
enum LiteralType {
  /// Returns the type of `0`, `1.5`, `true`, `"text"`, `UUID()` and `[String]()`.
  ///
  /// An initializer with arguments may be one that can fail, as `URL(string:)`; the compiler knows.
  ///
  /// - Parameters:
  ///   - tokens: The expression.
  ///   - text: A function that returns the source of some of the tokens.
  /// - Returns: The type's text; nil for other expressions.
  static func text(of tokens: [SwiftToken], _ text: (Range<Int>) -> String) -> String? {
    if tokens.count == 1 { return literal(tokens[0]) }
    if tokens.count == 2, tokens[0].is("-"), tokens[1].kind == .number { return literal(tokens[1]) }
    var cursor = SwiftTokenCursor(tokens: tokens)
    cursor.skipType()
    let end = cursor.index
    guard end > 0, cursor.take("("), cursor.take(")"), cursor.token == nil,
      namesType(tokens[..<end])
    else { return nil }
    return text(0..<end)
  }

  private static func literal(_ token: SwiftToken) -> String? {
    switch token.kind {
    case .string: "String"
    case .number:
      token.text.contains(".") || token.text.contains("e") && !token.text.hasPrefix("0x")
        ? "Double" : "Int"
    case .word: token.is("true") || token.is("false") ? "Bool" : nil
    case .sign, .directive, .pattern: nil
    }
  }

  /// Whether an expression names a type: functions begin with small letters.
  private static func namesType(_ tokens: ArraySlice<SwiftToken>) -> Bool {
    if tokens.first?.is("[") == true { return true }
    var cursor = SwiftTokenCursor(tokens: Array(tokens))
    guard case .named(let components) = cursor.takeType() else { return false }
    return components.last?.name.first?.isUppercase == true
  }
}
