import Foundation

/// Expressions, from the loosest operator to the single operand.
extension FormatParser {
  mutating func expression() -> ExpressionTree? {
    nested { parser in
      guard var left = parser.sum() else { return nil }
      while let word = parser.accept(.union, .intersect, .minus) {
        guard let operation = ExpressionTree.SetOperation(rawValue: word.rawValue),
          let right = parser.sum()
        else { return nil }
        left = .combination(left, operation, right)
      }
      return left
    }
  }

  private mutating func sum() -> ExpressionTree? {
    guard var left = product() else { return nil }
    while let symbol = accept("+", "-") {
      guard let right = product() else { return nil }
      left = .function(symbol == "+" ? "add:to:" : "from:subtract:", [left, right])
    }
    return left
  }

  private mutating func product() -> ExpressionTree? {
    guard var left = power() else { return nil }
    while let symbol = accept("*", "/") {
      guard let right = power() else { return nil }
      left = .function(symbol == "*" ? "multiply:by:" : "divide:by:", [left, right])
    }
    return left
  }

  private mutating func power() -> ExpressionTree? {
    guard let base = postfix() else { return nil }
    guard accept("**") != nil else { return base }
    return nested { $0.power() }.map { .function("raise:toPower:", [base, $0]) }
  }

  /// An operand followed by key paths: `$FETCH_SOURCE.folder.name`.
  private mutating func postfix() -> ExpressionTree? {
    guard let operand = operand() else { return nil }
    guard accept(".") != nil else { return operand }
    guard let path = path() else { return nil }
    return .keyPath(path, of: operand)
  }

  private mutating func path() -> String? {
    var keys: [String] = []
    repeat {
      let sign = accept("@") ?? ""
      guard let key = key() else { return nil }
      keys.append(sign + key)
    } while accept(".") != nil
    return keys.joined(separator: ".")
  }

  /// One key; after a dot even a word of the language is a key.
  private mutating func key() -> String? {
    switch next {
    case .name(let name) where !name.contains(":"):
      position += 1
      return name
    case .word(let word):
      position += 1
      return word.rawValue.lowercased()
    case .name, .variable, .integer, .real, .text, .symbol, nil:
      return nil
    }
  }

  private mutating func operand() -> ExpressionTree? {
    guard let token = next else { return nil }
    switch token {
    case .name(let name): return keyPathOrCall(name)
    case .word(let word): return operand(startingWith: word)
    case .symbol(let symbol): return operand(startingWith: symbol)
    case .variable(let name):
      position += 1
      return .variable(name)
    case .integer(let value):
      position += 1
      return .constant(.integer(value))
    case .real(let value):
      position += 1
      return .constant(.real(value))
    case .text(let text):
      position += 1
      return .constant(.text(text))
    }
  }

  private mutating func keyPathOrCall(_ name: String) -> ExpressionTree? {
    guard position + 1 < tokens.count, tokens[position + 1] == .symbol("(") else {
      return path().map { .keyPath($0) }
    }
    position += 1
    guard let arguments = list(from: "(", to: ")") else { return nil }
    // `count(pages)` and `count:(pages)` call the same function.
    let isSelector = name.contains(":") || arguments.isEmpty
    return .function(isSelector ? name : name + ":", arguments)
  }

  private mutating func operand(startingWith word: FormatWord) -> ExpressionTree? {
    position += 1
    switch word {
    case .selfObject: return .evaluatedObject
    case .null, .nilValue: return .constant(nil)
    case .yes, .trueValue: return .constant(.boolean(true))
    case .no, .falseValue: return .constant(.boolean(false))
    case .cast: return cast()
    case .function: return method()
    case .subquery: return subquery()
    case .ternary: return conditional()
    case .and, .or, .not, .any, .some, .all, .none, .isIn, .like, .matches, .contains,
      .beginsWith, .endsWith, .between, .union, .intersect, .minus, .truePredicate,
      .falsePredicate:
      return nil
    }
  }

  private mutating func operand(startingWith symbol: String) -> ExpressionTree? {
    switch symbol {
    case "{":
      return list(from: "{", to: "}").map(ExpressionTree.aggregate)
    case "(":
      position += 1
      guard let inner = expression(), accept(")") != nil else { return nil }
      return inner
    case "-":
      position += 1
      switch next {
      case .integer(let value):
        position += 1
        return .constant(.integer(-value))
      case .real(let value):
        position += 1
        return .constant(.real(-value))
      case .name, .word, .variable, .text, .symbol, nil:
        return nil
      }
    case "@":
      return path().map { .keyPath($0) }
    default:
      return nil
    }
  }

  private mutating func list(from open: String, to close: String) -> [ExpressionTree]? {
    guard accept(open) != nil else { return nil }
    var elements: [ExpressionTree] = []
    if accept(close) != nil { return elements }
    repeat {
      guard let element = expression() else { return nil }
      elements.append(element)
    } while accept(",") != nil
    return accept(close) == nil ? nil : elements
  }

  /// A literal of a type that has no literal: `CAST(0.000000, "NSDate")`.
  private mutating func cast() -> ExpressionTree? {
    guard let arguments = list(from: "(", to: ")"), arguments.count == 2,
      case .constant(let literal?) = arguments[0],
      case .constant(.text(let type)) = arguments[1]
    else { return nil }
    switch (type, literal) {
    case ("NSDate", .integer(let seconds)): return .constant(.date(Double(seconds)))
    case ("NSDate", .real(let seconds)): return .constant(.date(seconds))
    case ("NSData", .text(let text)):
      return Data(base64Encoded: text).map { .constant(.data($0)) }
    case ("NSObject", .text(let text)):
      return Data(base64Encoded: text).map { .constant(.archived($0)) }
    case ("NSUUID", .text(let text)): return UUID(uuidString: text).map { .constant(.uuid($0)) }
    case ("NSURL", .text(let text)): return .constant(.uri(text))
    default: return .function("castObject:toType:", arguments)
    }
  }

  private mutating func method() -> ExpressionTree? {
    guard let arguments = list(from: "(", to: ")"), arguments.count >= 2,
      case .constant(.text(let name)) = arguments[1]
    else { return nil }
    return .method(arguments[0], name, Array(arguments.dropFirst(2)))
  }

  private mutating func subquery() -> ExpressionTree? {
    guard accept("(") != nil, let collection = expression(), accept(",") != nil,
      case .variable(let name) = next
    else { return nil }
    position += 1
    guard accept(",") != nil, let condition = predicate(), accept(")") != nil else { return nil }
    return .subquery(collection, variable: name, condition)
  }

  private mutating func conditional() -> ExpressionTree? {
    guard accept("(") != nil, let condition = predicate(), accept(",") != nil,
      let first = expression(), accept(",") != nil,
      let second = expression(), accept(")") != nil
    else { return nil }
    return .conditional(condition, first, second)
  }
}
