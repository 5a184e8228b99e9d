package import Foundation

/// A sort descriptor as a value, as stores read it.
///
/// ```
/// NSSortDescriptor(key: "folder.name", ascending: false)
/// SortTerm(keyPath: ["folder", "name"], ascending: false, order: .standard)
/// ```
package struct SortTerm: Hashable, Sendable {
  /// The keys; empty when the objects themselves are compared.
  package var keyPath: [String]
  package var ascending: Bool
  package var order: SortOrder

  package init(keyPath: [String], ascending: Bool, order: SortOrder = .standard) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.order = order
  }
}

/// How two values of a key are compared; each but the last has a selector.
package enum SortOrder: Hashable, Sendable {
  /// `compare:`, the order of the values themselves.
  case standard
  case caseInsensitive
  case localized
  case localizedCaseInsensitive
  /// As file managers do: `Note 2` before `Note 10`.
  case localizedStandard
  /// Code that only memory can run.
  case comparator(SortComparator)
}

/// A comparator that somebody gave a sort descriptor, called only where its owner sorts.
package final class SortComparator: Sendable, Hashable {
  private let given: Immutable<Comparator>

  package init(_ compare: @escaping Comparator) {
    given = Immutable(compare)
  }

  package var compare: Comparator { given.value }

  package static func == (one: SortComparator, other: SortComparator) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// An object that sort descriptors order by its identity, such as a managed object or its identity.
package protocol OrderedByIdentity: ComparedByIdentity {
  var placeByIdentity: IdentityPlace { get }
}

/// The place of an object among others if only the identities are compared.
package struct IdentityPlace: Comparable, Sendable {
  /// A group of objects, such as all rows of one table; objects without a row are in the last group.
  private let group: Int64
  private let number: Int64
  /// Distinguishes objects that have the same number.
  private let store: UInt32

  package init(group: Int64, number: Int64, store: UInt32) {
    self.group = group
    self.number = number
    self.store = store
  }

  package static func < (one: IdentityPlace, other: IdentityPlace) -> Bool {
    (one.group, one.number, one.store) < (other.group, other.number, other.store)
  }
}

// MARK: - Comparing

extension SortOrder {
  /// The order where nobody can catch an error: objects are ordered by their identities, and other values without an
  /// order by their kinds.
  func compare(_ one: SortKey, _ other: SortKey) -> ComparisonResult {
    if case .comparator(let comparator) = self {
      return comparator.compare(one.value as Any, other.value as Any)
    }
    do throws(EvaluationError) {
      return try compare(one, other, ordersObjects: true)
    } catch {
      return one.operand.kindRank.compared(to: other.operand.kindRank)
    }
  }
}

extension SortTerm {
  /// Whether the objects themselves, or their identities, are put in order.
  package var namesObject: Bool {
    keyPath.allSatisfy { ["self", "SELF", "objectID"].contains($0) }
  }

  /// Which object comes first; nil values come first in ascending order.
  package func compare(
    _ one: Any?,
    to other: Any?
  ) throws(EvaluationError) -> ComparisonResult {
    let left = try KeyValues.value(ofPath: keyPath[...], in: one)
    let right = try KeyValues.value(ofPath: keyPath[...], in: other)
    let result = try order.compare(left, right)
    return ascending ? result : result.reversed
  }
}

extension SortOrder {
  /// The order of two values, ascending.
  package func compare(_ one: Any?, _ other: Any?) throws(EvaluationError) -> ComparisonResult {
    try compare(one, other, ordersObjects: false)
  }

  /// The same where objects may be put in the order of their identities, which stores do not do for the
  /// objects of relationships.
  func compare(
    _ one: Any?,
    _ other: Any?,
    ordersObjects: Bool
  ) throws(EvaluationError) -> ComparisonResult {
    try compare(SortKey(one), SortKey(other), ordersObjects: ordersObjects)
  }

  fileprivate func compare(
    _ one: SortKey,
    _ other: SortKey,
    ordersObjects: Bool
  ) throws(EvaluationError) -> ComparisonResult {
    switch (one.operand, other.operand) {
    case (.nothing, .nothing): return .orderedSame
    case (.nothing, _): return .orderedAscending
    case (_, .nothing): return .orderedDescending
    case (.object(let left as any OrderedByIdentity), .object(let right as any OrderedByIdentity))
    where ordersObjects:
      return left.placeByIdentity.compared(to: right.placeByIdentity)
    case (let left, let right):
      return try compare(left, right, one.value as Any, other.value as Any)
    }
  }

  private func compare(
    _ left: Operand,
    _ right: Operand,
    _ one: Any,
    _ other: Any
  ) throws(EvaluationError) -> ComparisonResult {
    switch self {
    case .comparator(let comparator):
      return comparator.compare(one, other)
    case .standard:
      if let order = left.order(inSort: right) { return order }
      throw EvaluationError("cannot sort \(left) and \(right)")
    case .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard:
      guard case .text(let text) = left, case .text(let second) = right else {
        throw EvaluationError("\"\(selector)\" sorts texts, not \(left) and \(right)")
      }
      return compare(text, second)
    }
  }

  func compare(_ one: String, _ other: String) -> ComparisonResult {
    switch self {
    case .standard, .comparator: one.compareBytes(other)
    case .caseInsensitive: one.caseInsensitiveCompare(other)
    case .localized: one.localizedCompare(other)
    case .localizedCaseInsensitive: one.localizedCaseInsensitiveCompare(other)
    case .localizedStandard: one.localizedStandardCompare(other)
    }
  }
}

extension Operand {
  /// NaNs come after the other numbers, so that every sort ends.
  fileprivate func order(inSort other: Operand) -> ComparisonResult? {
    guard case .number(let x) = self, case .number(let y) = other else { return compare(other) }
    if let order = x.compare(y) { return order }
    return x.double.isNaN ? (y.double.isNaN ? .orderedSame : .orderedDescending) : .orderedAscending
  }
}

extension Operand {
  /// The place of its kind among the others, as a database has them: numbers, then texts, then bytes.
  var kindRank: Int {
    switch self {
    case .nothing: 0
    case .number, .date: 1
    case .text, .url: 2
    case .data, .uuid: 3
    case .collection, .dictionary, .object: 4
    }
  }
}

// MARK: - Selectors

extension SortOrder {
  /// The name of the selector; a comparator does not have one.
  var selector: Selector {
    switch self {
    case .standard: "compare:"
    case .caseInsensitive: "caseInsensitiveCompare:"
    case .localized: "localizedCompare:"
    case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:"
    case .localizedStandard: "localizedStandardCompare:"
    case .comparator: "compare:"
    }
  }

  static let withSelectors: [SortOrder] = [
    .standard, .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
  ]

  /// The order that a selector means; `nil` gives `compare:`.
  init(_ selector: Selector?) {
    guard let selector else {
      self = .standard
      return
    }
    guard let order = Self.withSelectors.first(where: { $0.selector == selector }) else {
      let known = Self.withSelectors.map(\.selector.description).joined(separator: ", ")
      fatalError("cannot sort by \"\(selector)\", only by \(known)")
    }
    self = order
  }
}
