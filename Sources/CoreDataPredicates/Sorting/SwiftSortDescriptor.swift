import Foundation

/// A sort descriptor that was Swift's: `SortDescriptor(\Note.title)`.
///
/// Memory asks the key path, which need not have a name; a store asks for its name. Foundation on
/// Linux has only the lexical comparator of texts, so all values are in their own order.
final class SwiftSortDescriptor: NSSortDescriptor, SortTermHolding {
  let order: SortOrder
  private let path: AnyKeyPath
  private let project: (Any) -> Any?

  init<Compared>(swift descriptor: SortDescriptor<Compared>) {
    let path: PartialKeyPath<Compared> = descriptor.keyPath ?? \Compared.self
    self.path = path
    order = descriptor.keyPath == nil ? .comparing(descriptor) : .standard
    project = { ($0 as? Compared).map { $0[keyPath: path] } }
    super.init(
      keyPath: \Any.self,
      ascending: descriptor.order == .forward,
      comparator: order.comparator
    )
  }

  private init(reversing other: SwiftSortDescriptor) {
    order = other.order
    path = other.path
    project = other.project
    super.init(keyPath: \Any.self, ascending: !other.ascending, comparator: order.comparator)
  }

  override var keyPath: AnyKeyPath { path }

  var heldTerm: SortTerm {
    SortTerm(keyPath: path.requiredName.keys, ascending: ascending, order: order)
  }

  override func compare(_ one: Any, to other: Any) -> ComparisonResult {
    let result = order.compare(SortKey(project(one)), SortKey(project(other)))
    return ascending ? result : result.reversed
  }

  func value(in object: Any) -> Any? { project(object) }

  override var reversedSortDescriptor: Any { SwiftSortDescriptor(reversing: self) }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SwiftSortDescriptor else { return false }
    return other.path == path && other.ascending == ascending && other.order == order
  }

  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(path)
    hasher.combine(ascending)
    hasher.combine(order)
    return hasher.finalize()
  }
}

extension SortOrder {
  /// A descriptor without a key path compares the objects by code of its own.
  fileprivate static func comparing<Compared>(
    _ descriptor: SortDescriptor<Compared>
  ) -> SortOrder {
    var forward = descriptor
    forward.order = .forward
    let compare = forward
    return .comparator(
      SortComparator { one, other in
        guard let one = one as? Compared, let other = other as? Compared else {
          return .orderedSame
        }
        return compare.compare(one, other)
      }
    )
  }
}
