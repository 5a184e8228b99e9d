import Foundation

/// Format strings and their arguments, turned into trees.
///
/// A format is parsed once. The kept template has a variable for each argument, and a predicate is
/// that template with the variables filled:
///
/// ```
/// format      %K > %d          ("stars", 3)
/// template    keyed by $%0  >  $%1
/// predicate   stars > 3
/// ```
package enum PredicateFormat {
  /// The predicate that a format describes.
  package static func predicate(
    _ format: String,
    arguments: [Any?] = []
  ) throws(PredicateFormatError) -> PredicateTree {
    if let kept = predicates.template(for: format) {
      return try kept.filled(with: arguments, of: format)
    }
    var parser = try PredicateParser(format, arguments: arguments)
    let template = FormatTemplate(tree: try parser.predicate(), holes: parser.holes)
    if !parser.isBoundToArguments { predicates.keep(template, for: format) }
    return try template.filled(with: arguments, of: format)
  }

  /// The expression that a format describes.
  package static func expression(
    _ format: String,
    arguments: [Any?] = []
  ) throws(PredicateFormatError) -> ExpressionTree {
    if let kept = expressions.template(for: format) {
      return try kept.filled(with: arguments, of: format)
    }
    var parser = try PredicateParser(format, arguments: arguments)
    let template = FormatTemplate(tree: try parser.expression(), holes: parser.holes)
    if !parser.isBoundToArguments { expressions.keep(template, for: format) }
    return try template.filled(with: arguments, of: format)
  }

  private static let predicates = FormatCache<PredicateTree>()
  private static let expressions = FormatCache<ExpressionTree>()
}

// MARK: - Templates

/// A tree with variables such as `$%0` for the arguments.
struct FormatTemplate<Tree: Sendable>: Sendable {
  let tree: Tree
  let holes: [FormatHole]
}

extension FormatTemplate where Tree == PredicateTree {
  func filled(with arguments: [Any?], of format: String) throws(PredicateFormatError) -> Tree {
    if holes.isEmpty { return tree }
    let values = try expressions(from: arguments, of: format)
    return tree.replacingVariables { holeIndex($0).flatMap { values[$0] } }
  }
}

extension FormatTemplate where Tree == ExpressionTree {
  func filled(with arguments: [Any?], of format: String) throws(PredicateFormatError) -> Tree {
    if holes.isEmpty { return tree }
    let values = try expressions(from: arguments, of: format)
    return tree.replacingVariables { holeIndex($0).flatMap { values[$0] } }
  }
}

/// The argument that a variable such as `%12` means.
private func holeIndex(_ variable: String) -> Int? {
  guard variable.utf8.first == UInt8(ascii: "%") else { return nil }
  return variable.utf8.dropFirst().reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
}

extension FormatTemplate {
  /// One expression for each hole, at its index.
  private func expressions(
    from arguments: [Any?],
    of format: String
  ) throws(PredicateFormatError) -> [ExpressionTree?] {
    var expressions = [ExpressionTree?](repeating: nil, count: (holes.last?.index ?? -1) + 1)
    for hole in holes {
      guard hole.index < arguments.count else {
        throw hole.error("has no argument: \(arguments.count) were given", in: format)
      }
      expressions[hole.index] = try hole.expression(for: arguments[hole.index], in: format)
    }
    return expressions
  }
}

private let dot = UInt8(ascii: ".")

extension FormatHole {
  fileprivate func expression(
    for argument: Any?,
    in format: String
  ) throws(PredicateFormatError) -> ExpressionTree {
    switch kind {
    case .value:
      if let object = argument.instance {
        if let expression = object as? NSExpression { return expression.tree }
        guard !(object is NSPredicate) else {
          throw error("expects a value, its argument is a predicate", in: format)
        }
      }
    case .keyPath:
      guard case .text(let path) = Operand(argument), path.utf8.contains(where: { $0 != dot })
      else {
        throw mismatch("a key path as a text", argument, in: format)
      }
    case .number:
      guard case .number = Operand(argument) else {
        throw mismatch("a number", argument, in: format)
      }
    case .character:
      switch Operand(argument) {
      case .number: break
      case .text(let text) where text.count == 1: break
      case .nothing, .text, .date, .uuid, .url, .data, .collection, .dictionary, .object:
        throw mismatch("a character or its number", argument, in: format)
      }
    case .text:
      guard let text = CText.text(argument) else { throw mismatch("a text", argument, in: format) }
      return .constant(Constant(text))
    }
    return .constant(Constant(argument))
  }

  private func mismatch(
    _ wanted: String,
    _ argument: Any?,
    in format: String
  ) -> PredicateFormatError {
    error("expects \(wanted), its argument is \(Operand(argument))", in: format)
  }

  fileprivate func error(_ problem: String, in format: String) -> PredicateFormatError {
    let position = String(decoding: format.utf8.prefix(offset), as: UTF8.self).count
    return PredicateFormatError(
      format,
      position: position,
      problem: "\(spelling) at position \(position) \(problem)"
    )
  }
}
