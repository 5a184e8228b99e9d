/// Reads the types, aliases and `@NSManaged` members of a source file.
///
/// It walks through scopes of declarations and skips the bodies of functions. Code under an `#if` that does not hold on
/// Linux is left out.
package struct DeclarationScanner {
  private var cursor: SwiftTokenCursor
  private var found = SwiftDeclarations()
  private var conditions = OpenConditions()

  package static func declarations(in tokens: [SwiftToken]) -> SwiftDeclarations {
    var scanner = Self(cursor: SwiftTokenCursor(tokens: tokens))
    scanner.scanScope(SwiftPlace(), depth: 0)
    return scanner.found
  }

  private init(cursor: SwiftTokenCursor) {
    self.cursor = cursor
  }

  /// Reads declarations up to the brace that closes their scope.
  private mutating func scanScope(_ place: SwiftPlace, depth: Int) {
    var modifiers = DeclarationModifiers()
    while let token = cursor.token {
      if token.kind == .directive {
        takeDirective(token)
        modifiers = DeclarationModifiers()
      } else if conditions.isOff {
        cursor.index += 1
      } else if token.is("}") {
        cursor.index += 1
        if depth > 0 { return }
      } else if token.is("@") {
        takeAttribute(&modifiers)
      } else if modifiers.take(&cursor) {
        continue
      } else {
        scanDeclaration(token, modifiers, place, depth)
        modifiers = DeclarationModifiers()
      }
    }
  }

  private mutating func takeAttribute(_ modifiers: inout DeclarationModifiers) {
    cursor.index += 1
    guard let name = cursor.takeWord() else { return }
    while cursor.isAt("."), cursor.peek(1)?.kind == .word { cursor.index += 2 }
    if name.text == "NSManaged" { modifiers.managed = name }
    if let token = cursor.token, token.is("("), !token.isFirstOnLine { cursor.skipBalanced() }
  }

  private mutating func scanDeclaration(
    _ token: SwiftToken,
    _ modifiers: DeclarationModifiers,
    _ place: SwiftPlace,
    _ depth: Int
  ) {
    switch token.text {
    case "class", "struct", "enum", "protocol", "actor":
      if let kind = SwiftType.Kind(rawValue: token.text), cursor.peek(1)?.kind == .word {
        scanType(kind, modifiers, place, depth)
      } else {
        cursor.index += 1
      }
    case "extension" where cursor.peek(1)?.kind == .word: scanExtension(modifiers, depth)
    case "typealias" where cursor.peek(1)?.kind == .word: scanAlias(modifiers, place)
    case "var" where modifiers.managed != nil: scanProperties(modifiers, place)
    case "func" where modifiers.managed != nil: scanMethod(modifiers, place)
    case "{": cursor.skipBalanced()
    default: cursor.index += 1
    }
  }
}

// MARK: - Conditions

extension DeclarationScanner {
  private mutating func takeDirective(_ token: SwiftToken) {
    cursor.index += 1
    switch token.text {
    case "#if": conditions.begin(with: takeLine())
    case "#elseif": conditions.turn(to: takeLine())
    case "#else": conditions.turn(to: [])
    case "#endif": conditions.end()
    default: break
    }
  }

  private mutating func takeLine() -> [SwiftToken] {
    var line: [SwiftToken] = []
    while let token = cursor.token, !token.isFirstOnLine {
      line.append(token)
      cursor.index += 1
    }
    return line
  }
}

// MARK: - Types

extension DeclarationScanner {
  private mutating func scanType(
    _ kind: SwiftType.Kind,
    _ modifiers: DeclarationModifiers,
    _ place: SwiftPlace,
    _ depth: Int
  ) {
    cursor.index += 1
    guard let name = cursor.takeWord()?.name else { return }
    let isGeneric = cursor.skipGenericArguments()
    let inherited = takeInheritance()
    let access = min(modifiers.access ?? place.defaultAccess, place.access.limit)
    found.types.append(
      SwiftType(
        kind: kind,
        place: place,
        name: name,
        access: access,
        isGeneric: isGeneric,
        inherited: inherited
      )
    )
    guard cursor.take("{"), depth < 64 else { return }
    var inner = place
    inner.names.append(name)
    inner.isExtension = place.isExtension
    inner.access = access
    inner.memberAccess = nil
    scanScope(inner, depth: depth + 1)
  }

  private mutating func scanExtension(_ modifiers: DeclarationModifiers, _ depth: Int) {
    cursor.index += 1
    let type = cursor.takeType()
    _ = takeInheritance()
    guard cursor.take("{"), depth < 64 else { return }
    guard case .named(let components) = type else {
      cursor.index -= 1
      cursor.skipBalanced()
      return
    }
    scanScope(
      SwiftPlace(
        names: components.map(\.name),
        isExtension: true,
        access: .open,
        memberAccess: modifiers.access
      ),
      depth: depth + 1
    )
  }

  /// Reads `: A, B where …` up to the brace.
  private mutating func takeInheritance() -> [String] {
    var names: [String] = []
    if cursor.take(":") {
      repeat { names.append(cursor.takeType().spelling) } while cursor.take(",")
    }
    while let token = cursor.token, !token.is("{"), !token.is("}"), token.kind != .directive {
      cursor.index += 1
    }
    return names
  }

  private mutating func scanAlias(_ modifiers: DeclarationModifiers, _ place: SwiftPlace) {
    cursor.index += 1
    guard let name = cursor.takeWord()?.name else { return }
    let isGeneric = cursor.skipGenericArguments()
    guard cursor.take("=") else { return }
    found.aliases.append(
      SwiftAlias(
        place: place,
        name: name,
        access: min(modifiers.access ?? place.defaultAccess, place.access.limit),
        isGeneric: isGeneric,
        type: cursor.takeType()
      )
    )
  }
}

// MARK: - Managed members

extension DeclarationScanner {
  /// Reads `var a: A, b: B`; in `var a, b: B` a name without a type has the next one's.
  private mutating func scanProperties(_ modifiers: DeclarationModifiers, _ place: SwiftPlace) {
    cursor.index += 1
    var waiting: [SwiftToken] = []
    repeat {
      guard let name = cursor.takeWord() else { return }
      waiting.append(name)
      guard cursor.take(":") else { continue }
      let shape = propertyShape(cursor.takeType(), modifiers)
      for name in waiting { add(name.name, shape, modifiers, place) }
      waiting = []
    } while cursor.take(",")
    for name in waiting {
      add(
        name.name,
        .unreadable("it needs a type, as in 'var \(name.text): String?'"),
        modifiers,
        place
      )
    }
  }

  private func propertyShape(
    _ type: SwiftTypeSyntax,
    _ modifiers: DeclarationModifiers
  ) -> ManagedMember.Shape {
    if modifiers.isStatic {
      return .unreadable("a class has no managed properties; remove 'static'")
    }
    if cursor.isAt("{"), cursor.token?.isFirstOnLine == false {
      return .unreadable("it has a body of its own; remove '@NSManaged'")
    }
    return .property(type)
  }

  private mutating func scanMethod(_ modifiers: DeclarationModifiers, _ place: SwiftPlace) {
    cursor.index += 1
    guard let name = cursor.takeWord() else { return }
    guard cursor.isAt("(") else {
      add(name.name, .unreadable("a generic method cannot be managed"), modifiers, place)
      return
    }
    let parameters = takeParameters()
    if cursor.isAt("throws") || cursor.isAt("async") {
      add(name.name, .unreadable("it throws or waits; write its body"), modifiers, place)
      return
    }
    let result = cursor.take("->") ? cursor.takeType() : nil
    add(name.name, .method(parameters: parameters, result: result), modifiers, place)
  }

  private mutating func takeParameters() -> [ManagedMember.Parameter] {
    var parameters: [ManagedMember.Parameter] = []
    _ = cursor.take("(")
    while let label = cursor.takeWord() {
      _ = cursor.takeWord()
      guard cursor.take(":") else { break }
      let type = cursor.takeType()
      parameters.append(
        ManagedMember.Parameter(label: label.text == "_" ? "" : label.name, type: type)
      )
      guard cursor.take(",") else { break }
    }
    _ = cursor.take(")")
    return parameters
  }

  private mutating func add(
    _ name: String,
    _ shape: ManagedMember.Shape,
    _ modifiers: DeclarationModifiers,
    _ place: SwiftPlace
  ) {
    guard let attribute = modifiers.managed else { return }
    found.members.append(
      ManagedMember(
        name: name,
        shape: shape,
        place: place,
        access: modifiers.access ?? place.defaultAccess,
        condition: conditions.text,
        line: attribute.line,
        column: attribute.column - 1
      )
    )
  }
}
