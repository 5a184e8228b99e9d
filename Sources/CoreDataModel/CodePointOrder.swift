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

  /// The order of entities beside each other in a store: case is ignored; names that differ only in case are in
  /// code-point order.
  package func precedesAsEntity(_ other: String) -> Bool {
    let (lower, otherLower) = (lowercased(), other.lowercased())
    return lower == otherLower
      ? precedesByCodePoints(other) : lower.precedesByCodePoints(otherLower)
  }
}

extension Sequence {
  /// The elements in code-point order of a name each of them has.
  package func sortedByCodePoints(_ name: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return elements.map(name).placesByCodePoints.map { elements[$0] }
  }
}

extension Array {
  /// Returns the first element that has a name.
  ///
  /// The search halves the array as often as it can, because models keep their elements in code-point order. An
  /// array in another order is searched from its beginning.
  func first(named name: String, _ nameOf: (Element) -> String) -> Element? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if nameOf(self[middle]).precedesByCodePoints(name) { low = middle + 1 } else { high = middle }
    }
    if low < count, nameOf(self[low]) == name { return self[low] }
    return first { nameOf($0) == name }
  }
}

extension [String] {
  /// The places of the texts in code-point order; equal ones keep theirs.
  ///
  /// Sorting is a large piece of code that the compiler generates again for each kind of element. So it is done
  /// with places, once for all of them.
  fileprivate var placesByCodePoints: [Int] {
    indices.sorted { self[$0].precedesByCodePoints(self[$1]) }
  }
}

extension Sequence<String> {
  package func sortedByCodePoints() -> [String] {
    sortedByCodePoints { $0 }
  }
}
