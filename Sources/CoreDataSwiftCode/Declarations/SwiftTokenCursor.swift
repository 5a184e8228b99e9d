/// A place among tokens, and the steps that every reader of declarations takes.
struct SwiftTokenCursor {
  let tokens: [SwiftToken]
  var index = 0

  var token: SwiftToken? { index < tokens.count ? tokens[index] : nil }

  func peek(_ distance: Int) -> SwiftToken? {
    index + distance < tokens.count ? tokens[index + distance] : nil
  }

  func isAt(_ text: String) -> Bool { token?.is(text) == true }

  mutating func take(_ text: String) -> Bool {
    guard isAt(text) else { return false }
    index += 1
    return true
  }

  mutating func takeWord() -> SwiftToken? {
    guard let token, token.kind == .word else { return nil }
    index += 1
    return token
  }

  /// Skips from an opening sign to behind the one that closes it.
  mutating func skipBalanced() {
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
  mutating func skipGenericArguments() -> Bool {
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
