/// Reads a type annotation.
extension SwiftTokenCursor {
  /// Reads the type at the cursor and goes behind it.
  package mutating func takeType(depth: Int = 0) -> SwiftTypeSyntax {
    guard depth < 32 else { return .other("a type that is nested too deeply") }
    skipAttributes()
    var type = takeSimpleType(depth: depth)
    while let token, token.kind == .sign, token.text == "?" || token.text == "!" {
      index += 1
      type = .optional(type)
    }
    if skipArrow() {
      _ = takeType(depth: depth + 1)
      return .other("a function")
    }
    guard isAt("&") else { return type }
    var parts = [type]
    while take("&") { parts.append(takeSimpleType(depth: depth + 1)) }
    return .existential(parts)
  }

  /// Skips the arrow of a function with the effects before it, if it is there.
  private mutating func skipArrow() -> Bool {
    while isAt("async") || isAt("throws") || isAt("rethrows") {
      index += 1
      if isAt("("), token?.isFirstOnLine == false { skipBalanced() }
    }
    return take("->")
  }

  private mutating func skipAttributes() {
    while isAt("@") {
      index += 2
      if isAt("("), token?.isFirstOnLine == false { skipBalanced() }
    }
  }

  private mutating func takeSimpleType(depth: Int) -> SwiftTypeSyntax {
    if take("[") { return takeCollection(depth: depth) }
    if isAt("(") { return takeParenthesized(depth: depth) }
    if take("any") {
      let type = takeType(depth: depth + 1)
      if case .existential = type { return type }
      return .existential([type])
    }
    guard token?.kind == .word else { return .other("what is not a type") }
    return takeNamed(depth: depth)
  }

  private mutating func takeNamed(depth: Int) -> SwiftTypeSyntax {
    var components: [SwiftTypeSyntax.Component] = []
    while let word = takeWord() {
      var arguments: [SwiftTypeSyntax] = []
      if take("<") {
        repeat { arguments.append(takeType(depth: depth + 1)) } while take(",")
        _ = take(">")
      }
      components.append(SwiftTypeSyntax.Component(word.name, arguments))
      guard isAt("."), peek(1)?.kind == .word else { break }
      index += 1
    }
    return .named(components)
  }

  private mutating func takeCollection(depth: Int) -> SwiftTypeSyntax {
    let element = takeType(depth: depth + 1)
    var type = SwiftTypeSyntax.array(element)
    if take(":") { type = .dictionary(element, takeType(depth: depth + 1)) }
    _ = take("]")
    return type
  }

  /// A type in parentheses is that type; more are a tuple, or the parameters of a function.
  private mutating func takeParenthesized(depth: Int) -> SwiftTypeSyntax {
    let start = index
    index += 1
    let inner = takeType(depth: depth + 1)
    if take(")"), !isAt("->"), !isAt("async"), !isAt("throws") { return inner }
    index = start
    skipBalanced()
    return isAt("->") || isAt("async") || isAt("throws")
      ? .other("a function") : .other("a tuple")
  }
}
