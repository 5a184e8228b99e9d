package import Foundation

/// Bounds that a value is compared with, without a box and without evaluating a predicate.
///
/// ```
/// SELF >= 0 AND SELF <= 5    stars of a note
/// length <= 80               its title
/// ```
///
/// A model's rules about numbers and texts nearly always have this shape.
package struct ValueBounds: Sendable {
  private let bounds: [Bound]

  fileprivate struct Bound: Sendable {
    let isOfLength: Bool
    let side: Side
    let limit: Number
  }

  fileprivate enum Side {
    case below, atMost, above, atLeast
  }

  /// Nil where the predicate is anything but comparisons with numbers.
  package init?(_ predicate: NSPredicate) {
    var bounds: [Bound] = []
    for term in predicate.tree.conjuncts {
      guard case .comparison(let comparison) = term, let bound = Bound(comparison) else {
        return nil
      }
      bounds.append(bound)
    }
    self.bounds = bounds
  }

  /// Whether an integer is within the bounds; `nil` if only the predicate knows.
  package func admits(_ number: Int64) -> Bool? { admits(.integer(number), isLength: false) }

  /// Whether a number is within the bounds; `nil` if only the predicate knows.
  package func admits(_ number: Double) -> Bool? { admits(.real(number), isLength: false) }

  /// Whether a text is within the bounds; `nil` if only the predicate knows.
  package func admits(_ text: String) -> Bool? { admits(length: text.utf16.count) }

  /// Whether a text of so many UTF-16 code units is within the bounds; `nil` if only the predicate knows.
  package func admits(length: Int) -> Bool? { admits(.integer(Int64(length)), isLength: true) }

  private func admits(_ number: Number, isLength: Bool) -> Bool? {
    for bound in bounds {
      guard bound.isOfLength == isLength, let order = number.compare(bound.limit) else {
        return nil
      }
      if !bound.allows(order) { return false }
    }
    return true
  }
}

extension ValueBounds.Bound {
  fileprivate init?(_ comparison: Comparison) {
    guard comparison.modifier == .direct, case .constant(let constant) = comparison.right,
      case .number(let limit) = Operand(constant.value)
    else { return nil }
    isOfLength = comparison.left == .path(.evaluatedObject, ["length"])
    guard isOfLength || comparison.left == .evaluatedObject else { return nil }
    switch comparison.op {
    case .lessThan: side = .below
    case .lessThanOrEqualTo: side = .atMost
    case .greaterThan: side = .above
    case .greaterThanOrEqualTo: side = .atLeast
    case .equalTo, .notEqualTo, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between:
      return nil
    }
    self.limit = limit
  }

  fileprivate func allows(_ order: ComparisonResult) -> Bool {
    switch side {
    case .below: order == .orderedAscending
    case .atMost: order != .orderedDescending
    case .above: order == .orderedDescending
    case .atLeast: order != .orderedAscending
    }
  }
}
