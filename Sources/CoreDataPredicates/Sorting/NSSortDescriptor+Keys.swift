public import Foundation

extension NSSortDescriptor: ClusterInitializable {}

extension NSSortDescriptor {
  /// Sorts by a key or dotted key path; without one, or with "self", by the objects themselves.
  ///
  /// ```
  /// NSSortDescriptor(key: "folder.name", ascending: true)
  /// ```
  public convenience init(key: String?, ascending: Bool) {
    self.init(cluster: { KeySortDescriptor(key: key, ascending: ascending, order: .standard) })
  }

  /// Sorts texts by one of the selectors that compare them, such as `localizedStandardCompare:`.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    let order = SortOrder(selector)
    self.init(cluster: { KeySortDescriptor(key: key, ascending: ascending, order: order) })
  }

  /// Sorts by code, which stores cannot run.
  public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    let order = SortOrder.comparator(SortComparator(comparator))
    self.init(cluster: { KeySortDescriptor(key: key, ascending: ascending, order: order) })
  }

  /// Sorts by a Swift key path, whose values may be optional.
  ///
  /// ```
  /// NSSortDescriptor(keyPath: \Note.title, ascending: true)
  /// ```
  public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(cluster: { KeyPathSortDescriptor(keyPath, ascending: ascending, order: .standard) })
  }
}

// Foundation has its own initialisers for `Comparable` values and for comparators, and what they
// make cannot be told apart afterwards. For objects these are closer, and are chosen.

extension NSSortDescriptor {
  public convenience init<Root: AnyObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    ascending: Bool
  ) {
    self.init(cluster: { KeyPathSortDescriptor(keyPath, ascending: ascending, order: .standard) })
  }

  /// Sorts by code, which stores cannot run.
  public convenience init<Root: AnyObject, Value>(
    keyPath: KeyPath<Root, Value>,
    ascending: Bool,
    comparator: @escaping Comparator
  ) {
    let order = SortOrder.comparator(SortComparator(comparator))
    self.init(cluster: { KeyPathSortDescriptor(keyPath, ascending: ascending, order: order) })
  }
}

// MARK: - Parts

extension NSSortDescriptor {
  /// The key, or the name of the Swift key path where its class knows one.
  public var key: String? {
    (self as? KeySortDescriptor).map(\.sortKey) ?? keyPath.name
  }

  /// The selector; nil when a comparator does the work.
  public var selector: Selector? {
    guard let order = (self as? any SortTermHolding)?.order else { return "compare:" }
    if case .comparator = order { return nil }
    return order.selector
  }

  /// The descriptor for a term.
  package static func of(_ term: SortTerm) -> NSSortDescriptor {
    let key = term.keyPath.isEmpty ? nil : term.keyPath.joined(separator: ".")
    return KeySortDescriptor(key: key, ascending: term.ascending, order: term.order)
  }

  /// What stores sort by.
  package var term: SortTerm {
    (self as? any SortTermHolding)?.heldTerm
      ?? SortTerm(keyPath: keyPath.requiredName.keys, ascending: ascending)
  }
}

extension NSSortDescriptor {
  /// Does nothing: only what came out of an archive has to be allowed.
  public func allowEvaluation() {}
}
