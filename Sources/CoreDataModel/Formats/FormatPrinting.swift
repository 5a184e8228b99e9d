import Foundation

/// Prints trees as Apple's `predicateFormat` and `NSExpression.description` do.
///
///     NOT (title == "a" OR title == nil)
///     comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search
///     count:(pages)
///
/// It must be exact for derived attributes, because their version hash is the hash of this text.
extension PredicateTree {
  package var format: String {
    switch self {
    case .value(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.format
    case .compound(.not, let parts): "NOT " + (parts.first?.nestedFormat ?? "TRUEPREDICATE")
    case .compound(.and, let parts): Self.joined(parts, by: " AND ", empty: "TRUEPREDICATE")
    case .compound(.or, let parts): Self.joined(parts, by: " OR ", empty: "FALSEPREDICATE")
    }
  }

  private static func joined(
    _ parts: [PredicateTree],
    by word: String,
    empty: String
  ) -> String {
    switch parts.count {
    case 0: empty
    case 1: parts[0].format
    default: parts.map(\.nestedFormat).joined(separator: word)
    }
  }

  private var nestedFormat: String {
    switch self {
    case .compound(.and, let parts) where parts.count > 1: "(\(format))"
    case .compound(.or, let parts) where parts.count > 1: "(\(format))"
    case .value, .comparison, .compound: format
    }
  }
}

extension PredicateTree.Comparison {
  package var format: String {
    "\(modifier.prefix)\(left.format) \(comparator.symbol)\(options.suffix) \(right.format)"
  }
}

extension PredicateTree.Comparator {
  package var symbol: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .equal: "=="
    case .notEqual: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .isIn: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }
}

extension PredicateTree.Modifier {
  fileprivate var prefix: String {
    switch self {
    case .direct: ""
    case .all: "ALL "
    case .any: "ANY "
    }
  }
}

extension PredicateTree.Options {
  fileprivate var suffix: String {
    let letters: [(PredicateTree.Options, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
      (.localeSensitive, "l"),
    ]
    let present = letters.filter { contains($0.0) }.map(\.1).joined()
    return present.isEmpty ? "" : "[\(present)]"
  }
}

// MARK: - Expressions

extension ExpressionTree {
  package var format: String {
    switch self {
    case .constant(let value): value?.format ?? "nil"
    case .evaluatedObject: "SELF"
    case .variable(let name): "$" + name
    case .keyPath(let path, of: .evaluatedObject): Self.escaped(path)
    case .keyPath(let path, of: let operand): operand.format + "." + Self.escaped(path)
    case .function(let name, let arguments): Self.call(name, arguments)
    case .method(let operand, let name, let arguments):
      "FUNCTION(" + ([operand.format, "\"\(name)\""] + arguments.map(\.format)).listed + ")"
    case .aggregate(let elements): "{" + elements.map(\.format).listed + "}"
    case .combination(let left, let operation, let right):
      "\(left.format) \(operation.rawValue) \(right.format)"
    case .subquery(let collection, let variable, let predicate):
      "SUBQUERY(\(collection.format), $\(variable), \(predicate.format))"
    case .conditional(let predicate, let first, let second):
      "TERNARY(\(predicate.format), \(first.format), \(second.format))"
    }
  }

  /// The selectors that print as an operator between their two arguments.
  package static let arithmetic = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "raise:toPower:": "**",
  ]

  private static func call(_ name: String, _ arguments: [ExpressionTree]) -> String {
    guard let symbol = arithmetic[name], arguments.count == 2 else {
      return "\(name)(\(arguments.map(\.format).listed))"
    }
    return arguments.map(\.operandFormat).joined(separator: " \(symbol) ")
  }

  private var operandFormat: String {
    if case .function(let name, _) = self, Self.arithmetic[name] != nil { return "(\(format))" }
    return format
  }

  /// A key path with `#` before each key that the format language would take for a word.
  private static func escaped(_ path: String) -> String {
    path.split(separator: ".", omittingEmptySubsequences: false)
      .map { FormatWord(rawValue: $0.uppercased()) == nil ? String($0) : "#\($0)" }
      .joined(separator: ".")
  }
}

extension [String] {
  fileprivate var listed: String { joined(separator: ", ") }
}

// MARK: - Constants

extension SchemaValue {
  fileprivate var format: String {
    switch self {
    case .boolean(let value): value ? "1" : "0"
    case .integer(let value): String(value)
    case .real(let value): Self.shortest(value)
    case .decimal(let value): value.description
    case .text(let text): Self.quoted(text)
    case .date(let seconds): "CAST(\(String(format: "%.6f", seconds)), \"NSDate\")"
    case .data(let data): "CAST(\(Self.quoted(data.base64EncodedString())), \"NSData\")"
    case .uuid(let uuid): "CAST(\(Self.quoted(uuid.uuidString)), \"NSUUID\")"
    case .uri(let text): "CAST(\(Self.quoted(text)), \"NSURL\")"
    case .archived(let data): "CAST(\(Self.quoted(data.base64EncodedString())), \"NSObject\")"
    }
  }

  /// A number as `NSNumber` describes it: whole ones without a fraction.
  private static func shortest(_ value: Double) -> String {
    guard let whole = Int64(exactly: value) else { return String(value) }
    return String(whole)
  }

  package static func quoted(_ text: String) -> String {
    let escapes: [Character: String] = [
      "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]
    return "\"" + text.map { escapes[$0] ?? String($0) }.joined() + "\""
  }
}
