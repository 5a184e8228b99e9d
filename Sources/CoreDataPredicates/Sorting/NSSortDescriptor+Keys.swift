public import Foundation

extension NSSortDescriptor: ClusterInitializable {}

extension NSSortDescriptor {
  /// Creates a sort descriptor for the values at a key path.
  ///
  /// ```swift
  /// NSSortDescriptor(key: "folder.name", ascending: true)
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key path, or `nil` or `"self"` to compare the objects themselves.
  ///   - ascending: `true` for ascending, `false` for descending order.
  public convenience init(key: String?, ascending: Bool) {
    self.init(cluster: { KeySortDescriptor(key: key, ascending: ascending, order: .standard) })
  }

  /// Creates a sort descriptor that compares texts with a method.
  ///
  /// - Parameters:
  ///   - key: The key path, or `nil` or `"self"` to compare the objects themselves.
  ///   - ascending: `true` for ascending, `false` for descending order.
  ///   - selector: The method, such as `Selector("localizedStandardCompare:")`, or `nil` for the
  ///     default order.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    let order = SortOrder(selector)
    self.init(cluster: { KeySortDescriptor(key: key, ascending: ascending, order: order) })
  }

  /// Creates a sort descriptor that compares values with a closure.
  ///
  /// SQLite and PostgreSQL stores cannot evaluate it; a fetch throws 134091.
  ///
  /// - Parameters:
  ///   - key: The key path, or `nil` or `"self"` to compare the objects themselves.
  ///   - ascending: `true` for ascending, `false` for descending order.
  ///   - comparator: A closure that returns the order of two values.
  public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    let order = SortOrder.comparator(SortComparator(comparator))
    self.init(cluster: { KeySortDescriptor(key: key, ascending: ascending, order: order) })
  }

  /// Creates a sort descriptor for the values at a Swift key path, which can be optional.
  ///
  /// ```swift
  /// NSSortDescriptor(keyPath: \Note.title, ascending: true)
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - ascending: `true` for ascending, `false` for descending order.
  public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(cluster: { KeyPathSortDescriptor(keyPath, ascending: ascending, order: .standard) })
  }
}

// Foundation has its own initialisers for `Comparable` values and for comparators, and their results cannot be
// distinguished afterwards. For objects these are closer, and are chosen.

extension NSSortDescriptor {
  /// Creates a sort descriptor for the values at a Swift key path.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - ascending: `true` for ascending, `false` for descending order.
  public convenience init<Root: AnyObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    ascending: Bool
  ) {
    self.init(cluster: { KeyPathSortDescriptor(keyPath, ascending: ascending, order: .standard) })
  }

  /// Creates a sort descriptor that compares the values at a Swift key path with a closure.
  ///
  /// SQLite and PostgreSQL stores cannot evaluate it; a fetch throws 134091.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - ascending: `true` for ascending, `false` for descending order.
  ///   - comparator: A closure that returns the order of two values.
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
  /// The key path, or the name of the property at the Swift key path, if it is known.
  public var key: String? {
    (self as? KeySortDescriptor).map(\.sortKey) ?? keyPath.name
  }

  /// The method that compares texts, or `nil` if a closure compares the values.
  public var selector: Selector? {
    guard let order = (self as? any SortTermHolding)?.order else { return "compare:" }
    if case .comparator = order { return nil }
    return order.selector
  }

  /// Whether memory compares by the term, as stores do; a subclass of a program's own may do otherwise.
  package var comparesByTerm: Bool { self is any SortTermHolding }

  /// The descriptor for a term.
  package static func of(_ term: SortTerm) -> NSSortDescriptor {
    let key = term.keyPath.isEmpty ? nil : term.keyPath.joined(separator: ".")
    return KeySortDescriptor(key: key, ascending: term.ascending, order: term.order)
  }

  /// The term by which stores sort.
  package var term: SortTerm {
    (self as? any SortTermHolding)?.heldTerm
      ?? SortTerm(keyPath: keyPath.requiredName.keys, ascending: ascending)
  }
}

extension NSSortDescriptor {
  /// Does nothing.
  ///
  /// On Apple's systems, this method permits the evaluation of a sort descriptor from an archive.
  public func allowEvaluation() {}
}
