import Foundation

/// Reads the tokens of a format string into a tree, looking one token ahead.
///
/// Predicates and expressions share one precedence climb, since only what follows a
/// parenthesis tells which of them is inside:
///
/// ```
/// (stars + 1) > 3        an expression in parentheses
/// (stars > 3) AND done   a predicate in parentheses
///
/// loosest   :=   OR   AND   NOT   comparisons   UNION …   & | ^ << >>   + -   * /   **   - ~   . [ ]
/// ```
struct PredicateParser {
  /// The result of parsing a stretch of text.
  enum Node {
    case predicate(PredicateTree)
    case expression(ExpressionTree)
  }

  enum Precedence: Int, Comparable {
    case assignment, or, and, not, comparison, set, bitwise, additive, multiplicative, power, unary

    var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }

    static func < (one: Precedence, other: Precedence) -> Bool { one.rawValue < other.rawValue }
  }

  let format: String
  let arguments: [Any?]
  private let pieces: [Lexer.Piece]
  private var index = 0
  private var depth = 0
  private var chainLength = 0
  private(set) var holes: [FormatHole] = []
  /// Whether the tree depends on the arguments beyond its holes.
  private(set) var isBoundToArguments = false

  /// As deep as parentheses may nest, and as long as a chain such as `1 + 1 + 1` may be:
  /// later steps walk the tree on the stack.
  private static let depthLimit = 200
  private static let chainLimit = 500

  init(_ format: String, arguments: [Any?]) throws(PredicateFormatError) {
    self.format = format
    self.arguments = arguments
    pieces = try Lexer.pieces(of: format)
  }

  /// The whole text as a predicate.
  mutating func predicate() throws(PredicateFormatError) -> PredicateTree {
    let predicate = try predicate(.assignment)
    guard token == .end else { throw unexpected("AND, OR or the end") }
    return predicate
  }

  /// The whole text as an expression.
  mutating func expression() throws(PredicateFormatError) -> ExpressionTree {
    let expression = try expression(.assignment)
    guard token == .end else { throw unexpected("an operator or the end") }
    return expression
  }
}

// MARK: - Climbing

extension PredicateParser {
  /// Parses as much as binds at least as tightly as `minimum`, from here on.
  mutating func node(_ minimum: Precedence) throws(PredicateFormatError) -> Node {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw error("more than \(Self.depthLimit) levels of parentheses or signs")
    }
    var left = try prefixed()
    while let infix = try infix(), infix.precedence >= minimum {
      left = try apply(infix, to: left)
    }
    return left
  }

  private mutating func apply(_ infix: Infix, to left: Node) throws(PredicateFormatError) -> Node {
    switch infix {
    case .or:
      return .predicate(.or(try terms(after: left, joinedBy: .or)))
    case .and:
      return .predicate(.and(try terms(after: left, joinedBy: .and)))
    case .comparison(let op):
      return .predicate(try comparison(of: left, op))
    case .set, .function, .assignment:
      return .expression(try operation(infix, of: left))
    }
  }

  /// `a AND b AND c` is one conjunction of three.
  private mutating func terms(
    after first: Node,
    joinedBy joint: Infix
  ) throws(PredicateFormatError) -> [PredicateTree] {
    var terms = [try asPredicate(first)]
    while try infix() == joint {
      advance()
      terms.append(try predicate(joint.precedence.next))
    }
    return terms
  }

  private mutating func comparison(
    of left: Node,
    _ op: Comparison.Operator,
    modifier: Comparison.Modifier = .direct
  ) throws(PredicateFormatError) -> PredicateTree {
    let left = try asExpression(left)
    advance()
    let options = try options()
    if let problem = op.problem(with: options) { throw error(problem) }
    let right = try expression(.set)
    return .comparison(Comparison(left, op, right, modifier: modifier, options: options))
  }

  private mutating func operation(
    _ infix: Infix,
    of left: Node
  ) throws(PredicateFormatError) -> ExpressionTree {
    try lengthenChain()
    let left = try asExpression(left)
    if case .assignment = infix {
      guard case .variable(let name) = left, !name.hasPrefix("%") else {
        throw error("only a variable such as $name can stand before \":=\"")
      }
      advance()
      return .assignment(name, try expression(.assignment))
    }
    advance()
    let right = try expression(infix.precedence.next)
    switch infix {
    case .set(let operation): return .set(operation, left, right)
    case .function(let function, _): return .function(function, [left, right])
    case .or, .and, .comparison, .assignment: return left
    }
  }

  mutating func predicate(_ minimum: Precedence) throws(PredicateFormatError) -> PredicateTree {
    let node = try node(minimum)
    return try asPredicate(node)
  }

  mutating func expression(_ minimum: Precedence) throws(PredicateFormatError) -> ExpressionTree {
    let node = try node(minimum)
    return try asExpression(node)
  }

  private func asPredicate(_ node: Node) throws(PredicateFormatError) -> PredicateTree {
    switch node {
    case .predicate(let predicate): return predicate
    case .expression: throw error("expected a comparison, found only a value\(beforeToken)")
    }
  }

  private func asExpression(_ node: Node) throws(PredicateFormatError) -> ExpressionTree {
    switch node {
    case .expression(let expression): return expression
    case .predicate: throw error("expected a value, found a whole comparison\(beforeToken)")
    }
  }
}

// MARK: - Prefixes

extension PredicateParser {
  private mutating func prefixed() throws(PredicateFormatError) -> Node {
    switch token {
    case .sign(.exclamation):
      return .predicate(try negation())
    case .sign(.minus):
      return .expression(try minus())
    case .sign(.tilde):
      advance()
      return .expression(.function(.onesComplement, [try expression(.unary)]))
    case .word(let word):
      switch ReservedWord(word) {
      case .not: return .predicate(try negation())
      case .anyOf, .someOf: return .predicate(try aggregated(.any))
      case .allOf: return .predicate(try aggregated(.all))
      case .noneOf: return .predicate(.not(try aggregated(.any)))
      default: return try suffixed()
      }
    case .key, .variable, .text, .integer, .real, .decimal, .hole, .sign, .end:
      return try suffixed()
    }
  }

  private mutating func negation() throws(PredicateFormatError) -> PredicateTree {
    advance()
    return .not(try predicate(.comparison))
  }

  private mutating func aggregated(
    _ modifier: Comparison.Modifier
  ) throws(PredicateFormatError) -> PredicateTree {
    advance()
    let left = try node(.set)
    guard case .comparison(let op)? = try infix() else { throw unexpected("a comparison") }
    return try comparison(of: left, op, modifier: modifier)
  }

  private mutating func minus() throws(PredicateFormatError) -> ExpressionTree {
    advance()
    switch token {
    case .integer(let value) where value <= Int64.min.magnitude:
      advance()
      return try suffixes(of: .constant(Constant(Int(truncatingIfNeeded: 0 &- value))))
    case .integer(let value):
      advance()
      return try suffixes(of: .constant(Constant(-Decimal(value))))
    case .real(let value):
      advance()
      return try suffixes(of: .constant(Constant(-value)))
    case .decimal(let value):
      advance()
      return try suffixes(of: .constant(Constant(-value)))
    case .word, .key, .variable, .text, .hole, .sign, .end:
      return .function(.subtract, [.constant(Constant(0)), try expression(.unary)])
    }
  }
}

// MARK: - Reading on

extension PredicateParser {
  var token: Token { pieces[index].token }

  var following: Token { pieces[min(index + 1, pieces.count - 1)].token }

  mutating func advance() {
    if case .hole(let hole) = token { holes.append(hole) }
    if index < pieces.count - 1 { index += 1 }
  }

  /// Takes the last hole away: its argument is in the tree already.
  mutating func fillAtOnce() {
    holes.removeLast()
    isBoundToArguments = true
  }

  mutating func expect(_ sign: Token.Sign) throws(PredicateFormatError) {
    guard token == .sign(sign) else { throw unexpected("\"\(sign.rawValue)\"") }
    advance()
  }

  mutating func accept(_ sign: Token.Sign) -> Bool {
    guard token == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func lengthenChain() throws(PredicateFormatError) {
    chainLength += 1
    guard chainLength <= Self.chainLimit else {
      throw error("more than \(Self.chainLimit) operators")
    }
  }

  /// An error at the present token.
  func error(_ problem: String) -> PredicateFormatError {
    PredicateFormatError(format, position: position, problem: "\(problem) \(place)")
  }

  func unexpected(_ wanted: String) -> PredicateFormatError {
    let found = token == .end ? "" : ", found \(token)"
    return PredicateFormatError(
      format,
      position: position,
      problem: "expected \(wanted) \(place)\(found)"
    )
  }

  private var position: Int {
    String(decoding: Array(format.utf8)[..<pieces[index].offset], as: UTF8.self).count
  }

  private var beforeToken: String { token == .end ? "" : " before \(token)" }

  private var place: String { token == .end ? "at the end" : "at position \(position)" }
}
