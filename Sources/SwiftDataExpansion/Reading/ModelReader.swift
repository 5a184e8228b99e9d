import CoreDataSwiftCode

/// Reads a type's declaration with its members, or one member alone.
///
/// It accepts any text: what no compiler accepts, the compiler has refused already. Members under an `#if` that does not
/// hold are left out; those under one that is in doubt carry its condition.
struct ModelReader {
  private let source: [UInt8]
  private var cursor: SwiftTokenCursor
  /// Another package may have a module by the name of one of Apple's; the compiler knows.
  private var conditions = OpenConditions(knowsModules: false)
  private var attributes: [SwiftAttribute] = []
  private var modifiers = DeclarationModifiers()
  private var found = ModelDeclaration()

  /// Reads a declaration of a type.
  static func declaration(in source: SourceText) -> ModelDeclaration {
    var reader = Self(source)
    reader.readHead()
    reader.readMembers()
    return reader.found
  }

  /// Reads the declaration of a property, or of several in one `var`; empty if it declares something else.
  static func properties(in source: SourceText) -> [ModelProperty] {
    var reader = Self(source)
    reader.readMembers()
    return reader.found.properties
  }

  private init(_ text: SourceText) {
    source = Array(text.text.utf8)
    cursor = SwiftTokenCursor(tokens: SwiftLexer.tokens(of: source))
  }

  private func text(_ tokens: Range<Int>) -> String {
    guard !tokens.isEmpty else { return "" }
    let first = cursor.tokens[tokens.lowerBound].range.lowerBound
    let last = cursor.tokens[tokens.upperBound - 1].range.upperBound
    return String(decoding: source[first..<last], as: UTF8.self)
  }
}

// MARK: - The type

extension ModelReader {
  /// Reads up to the brace that opens the type.
  private mutating func readHead() {
    while let token = cursor.token {
      if token.is("@") {
        takeAttribute()
      } else if let kind = ModelDeclaration.Kind(rawValue: token.text),
        let name = cursor.peek(1), name.kind == .word, !["func", "var", "let"].contains(name.text)
      {
        cursor.index += 2
        found.kind = kind
        found.name = name.text
        found.place = name.range.lowerBound
        found.access = modifiers.access
        found.isFinal = modifiers.has("final")
        found.isGeneric = cursor.skipGenericArguments()
        readInheritance()
        break
      } else if !modifiers.take(&cursor) {
        cursor.index += 1
      }
    }
    while let token = cursor.token, !token.is("{") { cursor.index += 1 }
    _ = cursor.take("{")
    forgetPrefix()
  }

  private mutating func readInheritance() {
    guard cursor.take(":") else { return }
    repeat {
      let start = cursor.index
      cursor.skipType()
      found.inherited.append(text(start..<cursor.index))
    } while cursor.take(",")
  }

  private mutating func readMembers() {
    while let token = cursor.token {
      if token.kind == .directive, takeDirective(token) {
        continue
      } else if conditions.isOff {
        cursor.index += 1
      } else if token.is("}") {
        return
      } else if token.is("@") {
        takeAttribute()
      } else if !modifiers.take(&cursor) {
        readMember(token)
        forgetPrefix()
      }
    }
  }

  private mutating func forgetPrefix() {
    modifiers = DeclarationModifiers()
    attributes = []
  }

  private mutating func readMember(_ token: SwiftToken) {
    switch token.text {
    case "var", "let": readProperties()
    case "init": readInitializer()
    case "typealias": skipAlias()
    case "func", "deinit", "subscript", "class", "struct", "enum", "actor", "protocol", "extension":
      skipBody()
    case "{", "(", "[": cursor.skipBalanced()
    default:
      if token.kind == .directive { takeMacro(token) } else { cursor.index += 1 }
    }
  }

  /// Skips from a keyword to behind the body of what it declares.
  private mutating func skipBody() {
    while let token = cursor.token, !token.is("}") {
      let isBody = token.is("{")
      if isBody || token.is("(") || token.is("[") {
        cursor.skipBalanced()
      } else {
        cursor.index += 1
      }
      if isBody { return }
    }
  }

  private mutating func skipAlias() {
    cursor.index += 2
    _ = cursor.skipGenericArguments()
    if cursor.take("=") { cursor.skipType() }
  }

  private mutating func readInitializer() {
    cursor.index += 1
    if cursor.isAt("?") || cursor.isAt("!") { cursor.index += 1 }
    _ = cursor.skipGenericArguments()
    if cursor.isAt("(") {
      let start = cursor.index
      cursor.skipBalanced()
      found.initializers.append(labels(start + 1..<cursor.index))
    }
    skipBody()
  }

  /// The labels of parameters: words at the beginning and after each comma.
  private func labels(_ parameters: Range<Int>) -> [String] {
    var inner = SwiftTokenCursor(tokens: Array(cursor.tokens[parameters]))
    var labels: [String] = []
    var isLabel = true
    while let token = inner.token {
      if isLabel, token.kind == .word { labels.append(token.name) }
      isLabel = token.is(",")
      if token.is("(") || token.is("[") || token.is("{") {
        inner.skipBalanced()
      } else if !(token.is("<") && inner.skipGenericArguments()) {
        inner.index += 1
      }
    }
    return labels
  }
}

// MARK: - Attributes, macros and conditions

extension ModelReader {
  private mutating func takeAttribute() {
    cursor.index += 1
    guard var name = cursor.takeWord() else { return }
    while cursor.isAt("."), let next = cursor.peek(1), next.kind == .word {
      name = next
      cursor.index += 2
    }
    attributes.append(takeArguments(of: name.name, at: name.range.lowerBound))
  }

  private mutating func takeMacro(_ token: SwiftToken) {
    cursor.index += 1
    let macro = takeArguments(of: String(token.text.dropFirst()), at: token.range.lowerBound)
    if cursor.isAt("{"), cursor.token?.isFirstOnLine == false { cursor.skipBalanced() }
    if ["Unique", "Index"].contains(macro.name) { found.constraints.append(macro) }
  }

  private mutating func takeArguments(of name: String, at place: Int) -> SwiftAttribute {
    if cursor.isAdjacent { _ = cursor.skipGenericArguments() }
    var arguments = ""
    if let open = cursor.token, open.is("("), !open.isFirstOnLine {
      cursor.skipBalanced()
      let end = cursor.tokens[cursor.index - 1]
      let last = end.is(")") ? end.range.lowerBound : end.range.upperBound
      arguments = String(
        decoding: source[open.range.upperBound..<max(last, open.range.upperBound)],
        as: UTF8.self
      )
    }
    return SwiftAttribute(
      name: name,
      arguments: arguments,
      place: place,
      condition: conditions.text
    )
  }

  /// Takes a directive of conditional compilation.
  ///
  /// - Returns: Whether it is one: a macro is a directive to the lexer too.
  private mutating func takeDirective(_ token: SwiftToken) -> Bool {
    switch token.text {
    case "#if", "#elseif":
      cursor.index += 1
      let condition = takeLine()
      if token.is("#if") {
        conditions.begin(with: condition)
      } else {
        conditions.turn(to: condition)
      }
    case "#else":
      cursor.index += 1
      conditions.turn(to: [])
    case "#endif":
      cursor.index += 1
      conditions.end()
    default:
      return false
    }
    return true
  }

  private mutating func takeLine() -> [SwiftToken] {
    let start = cursor.index
    while let token = cursor.token, !token.isFirstOnLine { cursor.index += 1 }
    return Array(cursor.tokens[start..<cursor.index])
  }
}

// MARK: - Properties

extension ModelReader {
  /// Reads `var a: A = x, b: B { … }`; in `var a, b: B` a name without a type has the next one's.
  private mutating func readProperties() {
    let isConstant = cursor.isAt("let")
    cursor.index += 1
    let first = found.properties.count
    defer { noteCompanions(since: first) }
    var waiting = first
    repeat {
      guard let property = takeName(isConstant: isConstant) else { return }
      found.properties.append(property)
      let place = found.properties.count - 1
      if cursor.take(":") {
        let type = takeType()
        for index in waiting...place { found.properties[index].type = type }
      }
      if cursor.take("=") { found.properties[place].initialValue = takeInitialValue() }
      if found.properties[place].type != nil || found.properties[place].initialValue != nil {
        waiting = place + 1
      }
      if cursor.isAt("{") { found.properties[place].body = takeBody() }
    } while cursor.take(",")
  }

  private mutating func noteCompanions(since first: Int) {
    let names = found.properties[first...].map(\.name)
    for index in first..<found.properties.count { found.properties[index].companions = names }
  }

  private mutating func takeName(isConstant: Bool) -> ModelProperty? {
    while cursor.isAt("(") {
      if attributes.allSatisfy({ $0.name != "Transient" }), !modifiers.isStatic,
        let token = cursor.token
      {
        found.patterns.append(token.range.lowerBound)
      }
      cursor.skipBalanced()
      if cursor.take(":") { cursor.skipType() }
      if cursor.take("=") { cursor.skipExpression() }
      guard cursor.take(",") else { return nil }
    }
    guard let name = cursor.takeWord() else { return nil }
    return ModelProperty(
      name: name.name,
      spelling: name.text,
      place: name.range.lowerBound,
      isConstant: isConstant,
      modifiers: modifiers,
      attributes: attributes,
      condition: conditions.text
    )
  }

  private mutating func takeType() -> WrittenType {
    let start = cursor.index
    let syntax = cursor.takeType()
    cursor.index = start
    cursor.skipType()
    var text = self.text(start..<cursor.index)
    if text.hasSuffix("!") { text = text.dropLast() + "?" }
    return WrittenType(syntax: syntax, text: text)
  }

  private mutating func takeInitialValue() -> InitialValue {
    let start = cursor.index
    cursor.skipExpression()
    let tokens = start..<cursor.index
    return InitialValue(
      text: text(tokens),
      type: LiteralType.text(of: Array(cursor.tokens[tokens])) {
        text($0.lowerBound + start..<$0.upperBound + start)
      }
    )
  }

  private mutating func takeBody() -> ModelProperty.Body {
    let observer = cursor.observer
    cursor.skipBalanced()
    return observer.map { .stored(observer: $0) } ?? .computed
  }
}
