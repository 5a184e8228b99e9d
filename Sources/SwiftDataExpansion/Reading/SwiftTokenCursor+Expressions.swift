import CoreDataSwiftCode

/// Finds the ends of types and of initial values.
extension SwiftTokenCursor {
  private var previous: SwiftToken? { index > 0 ? tokens[index - 1] : nil }

  /// Whether the token follows the one before it without a blank.
  var isAdjacent: Bool {
    guard let token, let previous else { return false }
    return token.range.lowerBound == previous.range.upperBound
  }

  // MARK: - Types

  /// Skips a type of any form.
  mutating func skipType() {
    repeat {
      skipTypePrefix()
      guard let token, token.is("[") || token.is("(") || token.kind == .word else { return }
      if token.kind == .word { index += 1 } else { skipBalanced() }
      skipTypeSuffix()
    } while takeTypeOperator()
  }

  private mutating func skipTypePrefix() {
    while let token {
      if token.is("@") {
        index += 2
        if isAt("("), isAdjacent { skipBalanced() }
      } else if token.is("~") || Self.typePrefixes.contains(token.text), !isLastOfType {
        index += 1
      } else {
        return
      }
    }
  }

  private static let typePrefixes: Set<String> = [
    "any", "some", "inout", "borrowing", "consuming", "sending", "isolated", "each", "repeat",
  ]

  /// Whether the word is itself the type.
  private var isLastOfType: Bool {
    guard let next = peek(1) else { return true }
    return next.isFirstOnLine || next.kind != .word && !["(", "[", "~", "@"].contains(next.text)
  }

  private mutating func skipTypeSuffix() {
    while let token {
      if token.is("."), peek(1)?.kind == .word {
        index += 2
      } else if token.is("<") {
        _ = skipGenericArguments()
      } else if token.is("?") || token.is("!") {
        index += 1
      } else {
        return
      }
    }
  }

  /// Takes what connects two types: `&`, or the arrow of a function with its effects.
  private mutating func takeTypeOperator() -> Bool {
    while isAt("async") || isAt("throws") || isAt("rethrows") {
      index += 1
      if isAt("("), isAdjacent { skipBalanced() }
    }
    return take("&") || take("->")
  }

  // MARK: - Expressions

  /// Skips an initial value: up to a comma, to the end of its last line, or to the observers behind it.
  mutating func skipExpression() {
    let start = index
    while let token {
      if token.kind == .sign {
        if [")", "]", "}", ",", ";"].contains(token.text) { return }
        if token.is("{"), observer != nil { return }
      }
      if token.kind == .directive, ["#if", "#elseif", "#else", "#endif"].contains(token.text) {
        return
      }
      if index > start, token.isFirstOnLine, !continuesExpression(token) { return }
      if token.is("("), token.kind == .sign {
        skipBalanced()
      } else if token.is("[") || token.is("{") {
        skipBalanced()
      } else if !(token.is("<") && takeGenericArguments()) {
        index += 1
      }
    }
  }

  /// Whether a token at the beginning of a line belongs to the expression before it: a member begins with a word, with `@`
  /// or with a macro.
  private func continuesExpression(_ token: SwiftToken) -> Bool {
    switch token.kind {
    case .number, .string, .pattern: true
    case .sign: !token.is("@")
    case .word: ["as", "is", "else"].contains(token.text) || isWaiting(before: index)
    case .directive: isWaiting(before: index)
    }
  }

  /// Whether the expression before a place lacks an operand.
  private func isWaiting(before place: Int) -> Bool {
    let last = tokens[place - 1]
    if last.kind == .word { return Self.waitingWords.contains(last.text) }
    guard last.kind == .sign, ![")", "]", "}"].contains(last.text) else { return false }
    if last.is("."), place < 2 || !tokens[place - 2].is(".") { return true }
    // An operator with a blank before it is followed by an operand.
    var first = place - 1
    while first > 0, tokens[first - 1].range.upperBound == tokens[first].range.lowerBound {
      guard tokens[first - 1].kind == .sign, ![")", "]", "}"].contains(tokens[first - 1].text)
      else {
        return ["try", "as"].contains(tokens[first - 1].text)
      }
      first -= 1
    }
    return true
  }

  private static let waitingWords: Set<String> = [
    "try", "await", "as", "is", "if", "else", "switch", "return", "any", "some", "consume", "copy",
    "unsafe",
  ]

  /// Takes the generic arguments of `Set<String>()`; a comparison has blanks around its sign.
  private mutating func takeGenericArguments() -> Bool {
    guard isAdjacent, previous?.kind == .word else { return false }
    let start = index
    var depth = 0
    while let token, index - start < Self.longestArguments, Self.canBeInType(token) {
      index += 1
      if token.is("<") { depth += 1 }
      if token.is(">") { depth -= 1 }
      if depth == 0 { return true }
    }
    index = start
    return false
  }

  /// A list with more words and signs is taken for comparisons: each `<` looks ahead.
  private static let longestArguments = 200

  private static func canBeInType(_ token: SwiftToken) -> Bool {
    token.kind == .word || token.kind == .number
      || token.kind == .sign
        && [".", ",", "<", ">", "?", "!", "[", "]", "(", ")", ":", "&", "->", "~", "@"].contains(
          token.text
        )
  }

  // MARK: - Observers

  /// The word `willSet` or `didSet` if the brace at the cursor opens observers.
  var observer: SwiftToken? {
    guard isAt("{") else { return nil }
    var inner = self
    inner.index += 1
    while inner.take("@") {
      inner.index += 1
      if inner.isAt("("), inner.isAdjacent { inner.skipBalanced() }
    }
    guard let word = inner.token, word.is("willSet") || word.is("didSet") else { return nil }
    return word
  }
}
