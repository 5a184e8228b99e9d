/// The order in which Core Data's files sort names: by Unicode code points, which is the order of
/// the UTF-8 bytes.
///
///     personUUID < personUri < zoo < über
///
/// Swift's own `<` compares by canonical equivalence and would differ for some names.
extension String {
  package func precedesByCodePoints(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension Sequence {
  /// The elements in code-point order of a name each of them has.
  package func sortedByCodePoints(_ name: (Element) -> String) -> [Element] {
    map { (name: name($0), element: $0) }
      .sorted { $0.name.precedesByCodePoints($1.name) }
      .map(\.element)
  }
}

extension Sequence<String> {
  package func sortedByCodePoints() -> [String] {
    sorted { $0.precedesByCodePoints($1) }
  }
}
