import CoreDataPredicates

/// A form of a text that an attribute may be derived by: `uppercase:(title)`.
package enum TextForm: CaseIterable, Sendable {
  case uppercase
  case lowercase
  /// Without what `[cd]` ignores.
  case canonical

  /// Nil for a function that does something else.
  init?(_ function: PredicateFunction) {
    guard let form = Self.allCases.first(where: { $0.function == function }) else { return nil }
    self = form
  }

  var function: PredicateFunction {
    switch self {
    case .uppercase: .uppercase
    case .lowercase: .lowercase
    case .canonical: .canonical
    }
  }

  package func of(_ text: String) -> String {
    switch self {
    case .uppercase: text.uppercased()
    case .lowercase: text.lowercased()
    case .canonical: Comparison.Options([.caseInsensitive, .diacriticInsensitive]).folded(text)
    }
  }
}
