/// The canonical text of a derived attribute's expression, which is what its version hash hashes.
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
  package static func canonical(
    _ text: String,
    reader: some FormatReading = CommonFormats()
  ) -> String {
    reader.expression(text).map { unfolded($0).format } ?? text
  }

  /// An expression with collection operators as functions.
  package static func unfolded(_ expression: ExpressionTree) -> ExpressionTree {
    guard case .keyPath(let path, of: .evaluatedObject) = expression else { return expression }
    var keys = path.split(separator: ".").map(String.init)
    guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }), place > 0,
      let function = functions[keys[place]]
    else { return expression }
    keys.remove(at: place)
    return .function(function, [.keyPath(keys.joined(separator: "."))])
  }

  private static let functions = [
    "@count": "count:", "@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:",
  ]
}
