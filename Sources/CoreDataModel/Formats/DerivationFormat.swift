package import CoreDataPredicates

/// The canonical text of a derived attribute's expression, which its version hash hashes.
///
/// Xcode's compiler turns a collection operator at the end of a key path into a function call:
///
///     pages.@count            count:(pages)
///     entries.@sum.amount     sum:(entries.amount)
///     now()                   now()
///     canonical:(title)       canonical:(title)
///
/// `@count`, `now()` and plain key paths have these texts in stores that Apple's frameworks made. No
/// such store has the other operators or `canonical:`; they follow the pattern of the first.
package enum DerivationFormat {
  /// The canonical text; text that is not an expression stays as it is, for the checks to name.
  package static func canonical(_ text: String) -> String {
    (try? PredicateFormat.expression(text)).map { unfolded($0).format } ?? text
  }

  /// An expression with a collection operator as a function.
  package static func unfolded(_ expression: ExpressionTree) -> ExpressionTree {
    guard var keys = expression.names,
      let place = keys.firstIndex(where: { $0.hasPrefix("@") }), place > 0,
      let function = functions[keys[place]]
    else { return expression }
    keys.remove(at: place)
    return .function(function, [.path(.evaluatedObject, keys)])
  }

  private static let functions: [String: PredicateFunction] = [
    "@count": .count, "@sum": .sum, "@min": .min, "@max": .max, "@avg": .average,
  ]
}
