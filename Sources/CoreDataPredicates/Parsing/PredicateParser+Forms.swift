import Foundation

extension PredicateParser {
  /// `SUBQUERY(…)` and its relatives, whose parts are set apart by commas.
  enum Form {
    case subquery, cast, message, ternary, fetch
  }

  /// A form; its word is a key if no parenthesis follows.
  mutating func form(_ form: Form, _ word: String) throws(PredicateFormatError) -> Node {
    guard following == .sign(.openParenthesis) else { return .expression(try keyOrCall(word)) }
    advance()
    try expect(.openParenthesis)
    let expression = try contents(of: form)
    try expect(.closeParenthesis)
    return .expression(expression)
  }

  private mutating func contents(of form: Form) throws(PredicateFormatError) -> ExpressionTree {
    switch form {
    case .subquery: try subquery()
    case .cast: try cast()
    case .message: try message()
    case .ternary: try ternary()
    case .fetch: try fetch()
    }
  }

  private mutating func subquery() throws(PredicateFormatError) -> ExpressionTree {
    let collection = try expression(.set)
    try expect(.comma)
    guard case .variable(let name) = token else { throw unexpected("a variable such as $note") }
    advance()
    try expect(.comma)
    return .subquery(collection, variable: name, try predicate(.or))
  }

  private mutating func cast() throws(PredicateFormatError) -> ExpressionTree {
    let expression = try expression(.set)
    try expect(.comma)
    guard case .text(let name) = token else { throw unexpected("a class name in quotes") }
    guard let type = CastType(rawValue: name) else {
      let known = CastType.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("cannot cast to \"\(name)\", only to \(known),")
    }
    advance()
    return .cast(folding: expression, to: type)
  }

  private mutating func ternary() throws(PredicateFormatError) -> ExpressionTree {
    let condition = try predicate(.or)
    try expect(.comma)
    let yes = try expression(.set)
    try expect(.comma)
    return .conditional(condition, yes, try expression(.set))
  }

  private mutating func fetch() throws(PredicateFormatError) -> ExpressionTree {
    let request = try expression(.set)
    try expect(.comma)
    let context = try expression(.set)
    try expect(.comma)
    guard case .constant(let constant) = try expression(.set),
      case .number(.integer(let flag)) = Operand(constant.value)
    else {
      throw unexpected("YES or NO for counting only")
    }
    return .fetch(request: request, context: context, countOnly: flag != 0)
  }

  private mutating func message() throws(PredicateFormatError) -> ExpressionTree {
    let target = try expression(.set)
    try expect(.comma)
    guard case .text(let selector) = token else { throw unexpected("a selector in quotes") }
    advance()
    let arguments: [ExpressionTree]
    if accept(.comma) {
      arguments = try messageArguments()
    } else {
      arguments = []
    }
    let wanted = selector.filter { $0 == ":" }.count
    guard arguments.count == wanted else {
      throw error("\"\(selector)\" takes \(wanted) arguments, \(arguments.count) were given")
    }
    return .message(target: target, selector: selector, arguments: arguments)
  }

  private mutating func messageArguments() throws(PredicateFormatError) -> [ExpressionTree] {
    var arguments = [try expression(.set)]
    while accept(.comma) { arguments.append(try expression(.set)) }
    return arguments
  }
}
