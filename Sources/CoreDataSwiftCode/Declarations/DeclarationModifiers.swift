/// The modifiers before the keyword of a declaration.
package struct DeclarationModifiers {
  package private(set) var access: SwiftAccess?
  package private(set) var isStatic = false
  /// The other words before the keyword, such as `final` and `lazy`.
  package private(set) var words: [SwiftToken] = []
  /// The attribute `@NSManaged`.
  var managed: SwiftToken?

  package init() {}

  /// Whether the given word is one of the modifiers.
  package func has(_ word: String) -> Bool { words.contains { $0.is(word) } }

  private static let knownWords: Set<String> = [
    "convenience", "dynamic", "final", "indirect", "isolated", "lazy", "mutating", "nonisolated",
    "nonmutating", "optional", "override", "required", "unowned", "weak", "distributed",
    "borrowing",
    "consuming",
  ]

  /// Takes the modifier at the cursor, if one is there.
  package mutating func take(_ cursor: inout SwiftTokenCursor) -> Bool {
    guard let token = cursor.token, token.kind == .word else { return false }
    if let access = SwiftAccess(rawValue: token.text) {
      take(access, &cursor)
    } else if token.text == "static" || token.text == "class" && Self.isModifier(cursor) {
      isStatic = true
      cursor.index += 1
    } else if Self.knownWords.contains(token.text) {
      words.append(token)
      cursor.index += 1
      if let next = cursor.token, next.is("("), !next.isFirstOnLine { cursor.skipBalanced() }
    } else {
      return false
    }
    return true
  }

  /// In `public private(set)` the second is the setter's and says nothing of the property's name.
  private mutating func take(_ access: SwiftAccess, _ cursor: inout SwiftTokenCursor) {
    cursor.index += 1
    if let next = cursor.token, next.is("("), !next.isFirstOnLine {
      cursor.skipBalanced()
    } else {
      self.access = access
    }
  }

  private static func isModifier(_ cursor: SwiftTokenCursor) -> Bool {
    ["func", "var", "let", "subscript", "override", "final", "public", "internal", "private"]
      .contains(cursor.peek(1)?.text)
  }
}
