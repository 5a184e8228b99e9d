import Foundation

/// A sort descriptor that knows its term.
protocol SortTermHolding {
  var heldTerm: SortTerm { get }
  /// The comparator or selector it was made with.
  var order: SortOrder { get }
  /// The value of an object that is compared; `nil` if the object has nothing for the key.
  func value(in object: Any) -> Any?
}

/// A sort descriptor with a key: `NSSortDescriptor(key: "title", ascending: true)`.
final class KeySortDescriptor: NSSortDescriptor, SortTermHolding {
  let sortKey: String?
  let heldTerm: SortTerm

  init(key: String?, ascending: Bool, order: SortOrder) {
    sortKey = key
    heldTerm = SortTerm(
      keyPath: key.map(ExpressionTree.path)?.names ?? [],
      ascending: ascending,
      order: order
    )
    super.init(keyPath: \Any.self, ascending: ascending, comparator: order.comparator)
  }

  var order: SortOrder { heldTerm.order }

  override func compare(_ one: Any, to other: Any) -> ComparisonResult {
    let result = order.compare(SortKey(value(in: one)), SortKey(value(in: other)))
    return ascending ? result : result.reversed
  }

  /// An object without the key stops the program.
  func value(in object: Any) -> Any? {
    do {
      return try KeyValues.value(ofPath: heldTerm.keyPath[...], in: object)
    } catch {
      guard !error.isMistake else { fatalError("cannot sort by \(sortKey ?? "self"): \(error)") }
      return nil
    }
  }

  override var reversedSortDescriptor: Any {
    KeySortDescriptor(key: sortKey, ascending: !ascending, order: order)
  }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? KeySortDescriptor)?.heldTerm == heldTerm
  }

  override var hash: Int { heldTerm.hashValue }

  override var description: String {
    "(\(sortKey ?? "self"), \(ascending ? "ascending" : "descending"), \(order.selector))"
  }
}

/// A sort descriptor with a Swift key path, whose values need not be `Comparable`.
///
/// Memory compares what the key path gives; a store asks for its name.
final class KeyPathSortDescriptor: NSSortDescriptor, SortTermHolding {
  let order: SortOrder

  init<Root, Value>(_ keyPath: KeyPath<Root, Value>, ascending: Bool, order: SortOrder) {
    self.order = order
    project = { ($0 as? Root).map { $0[keyPath: keyPath] as Any } }
    reverse = { KeyPathSortDescriptor(keyPath, ascending: !ascending, order: order) }
    super.init(keyPath: keyPath, ascending: ascending, comparator: order.comparator)
  }

  private let project: (Any) -> Any?
  private let reverse: () -> KeyPathSortDescriptor

  var heldTerm: SortTerm {
    SortTerm(keyPath: keyPath.requiredName.keys, ascending: ascending, order: order)
  }

  override func compare(_ one: Any, to other: Any) -> ComparisonResult {
    let result = order.compare(SortKey(project(one)), SortKey(project(other)))
    return ascending ? result : result.reversed
  }

  func value(in object: Any) -> Any? { project(object) }

  override var reversedSortDescriptor: Any { reverse() }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeyPathSortDescriptor else { return false }
    return other.keyPath == keyPath && other.ascending == ascending && other.order == order
  }

  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(keyPath)
    hasher.combine(ascending)
    hasher.combine(order)
    return hasher.finalize()
  }
}

extension SortOrder {
  /// The order as Foundation asks for it.
  var comparator: Comparator {
    if case .comparator(let comparator) = self { return comparator.compare }
    return { one, other in compare(SortKey(one), SortKey(other)) }
  }
}
