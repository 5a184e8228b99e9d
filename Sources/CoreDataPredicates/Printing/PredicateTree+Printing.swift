/// Prints trees the way `predicateFormat` does: parsed again, the text gives the same tree.
///
/// ```
/// title='Swift' or not (stars<3 and done=yes)
/// title == "Swift" OR (NOT (stars < 3 AND done == 1))
/// ```
extension PredicateTree: CustomStringConvertible {
  package var description: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.description
    case .and(let terms): Self.joined(terms, "AND") ?? "TRUEPREDICATE"
    case .or(let terms): Self.joined(terms, "OR") ?? "FALSEPREDICATE"
    case .not(let term): "NOT \(term.descriptionInside)"
    case .block(let block): block.description
    }
  }

  private static func joined(_ terms: [PredicateTree], _ word: String) -> String? {
    switch terms.count {
    case 0: nil
    case 1: terms[0].description
    default: terms.map(\.descriptionInside).joined(separator: " \(word) ")
    }
  }

  /// Compounds inside of compounds are put in parentheses, even if precedence would do.
  private var descriptionInside: String {
    switch self {
    case .constant, .comparison, .block: description
    case .and(let terms) where terms.count < 2: terms.first?.descriptionInside ?? description
    case .or(let terms) where terms.count < 2: terms.first?.descriptionInside ?? description
    case .and, .or, .not: "(\(description))"
    }
  }
}

extension PredicateBlock: CustomStringConvertible {
  package var description: String {
    "BLOCKPREDICATE(\(ObjectIdentifier(predicate).address))"
  }
}

extension ObjectIdentifier {
  var address: String { "0x\(String(UInt(bitPattern: self), radix: 16))" }
}

// MARK: - Comparisons

extension Comparison: CustomStringConvertible {
  package var description: String {
    "\(modifier.prefix)\(left.operand) \(op.sign)\(options.suffix) \(right.operand)"
  }
}

extension NSComparisonPredicate.Modifier {
  fileprivate var prefix: String {
    switch self {
    case .direct: ""
    case .all: "ALL "
    case .any: "ANY "
    }
  }
}

extension NSComparisonPredicate.Operator {
  /// As format strings write it.
  package var sign: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }
}

extension NSComparisonPredicate.Options {
  fileprivate var suffix: String {
    if isEmpty { return "" }
    let letters: [(NSComparisonPredicate.Options, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.localeSensitive, "l"),
      (.normalized, "n"), (.wordBased, "w"),
    ]
    return "[\(letters.filter { contains($0.0) }.map(\.1).joined())]"
  }
}
