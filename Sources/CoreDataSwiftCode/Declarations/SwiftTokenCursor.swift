/// A place among tokens, and the steps that every reader of declarations takes.
package struct SwiftTokenCursor {
  package let tokens: [SwiftToken]
  package var index = 0

  package init(tokens: [SwiftToken]) {
    self.tokens = tokens
  }

  package var token: SwiftToken? { index < tokens.count ? tokens[index] : nil }

  package func peek(_ distance: Int) -> SwiftToken? {
    index + distance < tokens.count ? tokens[index + distance] : nil
  }

  package func isAt(_ text: String) -> Bool { token?.is(text) == true }

  package mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    index += 1
    return true
  }

  package mutating func takeWord() -> SwiftToken? {
    guard let token, token.kind == .word else { return nil }
    index += 1
    return token
  }

  /// Skips from an opening sign to behind the one that closes it.
  package mutating func skipBalanced() {
    var depth = 0
    while let token {
      index += 1
      guard token.kind == .sign else { continue }
      switch token.text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth <= 0 { return }
    }
  }

  /// Skips `<…>`, if it is there.
  package mutating func skipGenericArguments() -> Bool {
    guard isAt("<") else { return false }
    var depth = 0
    while let token {
      index += 1
      if token.is("<") { depth += 1 }
      if token.is(">") { depth -= 1 }
      if depth == 0 || token.is("{") { return true }
    }
    return true
  }
}
