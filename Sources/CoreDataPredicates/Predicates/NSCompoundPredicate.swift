public import Foundation

/// A predicate made of others: all of them hold, one of them holds, or the one does not.
///
/// Foundation on Linux has a class of this name too, which prints, compares and copies itself wrongly.
/// This one is a subclass of it, and the one that the name means in a file that imports `CoreData`.
///
/// ```
/// NSCompoundPredicate(andPredicateWithSubpredicates: [
///   NSPredicate(format: "stars > 3"), NSPredicate(format: "title != nil"),
/// ])
/// stars > 3 AND title != nil
/// ```
///
/// A conjunction without parts is true, a disjunction without parts is false.
nonisolated open class NSCompoundPredicate: Foundation.NSCompoundPredicate, PredicateTreeHolding {
  /// `nil` while the tree of a part may still change.
  private var settled: PredicateTree?
  /// The predicates that the caller made, whose classes may be the caller's own.
  private var given: [NSPredicate]?

  public override init(type: LogicalType, subpredicates: [NSPredicate]) {
    settled = Self.settledTree(type, subpredicates)
    given = subpredicates
    super.init(type: type, subpredicates: Self.placeholder)
  }

  init(_ tree: PredicateTree, _ type: LogicalType) {
    settled = tree
    super.init(type: type, subpredicates: Self.placeholder)
  }

  /// Creates a predicate that is true if all of the given predicates are true.
  ///
  /// - Parameter subpredicates: The predicates. If there are none, the result is always true.
  public convenience init(andPredicateWithSubpredicates subpredicates: [NSPredicate]) {
    self.init(type: .and, subpredicates: subpredicates)
  }

  /// Creates a predicate that is true if at least one of the given predicates is true.
  ///
  /// - Parameter subpredicates: The predicates. If there are none, the result is always false.
  public convenience init(orPredicateWithSubpredicates subpredicates: [NSPredicate]) {
    self.init(type: .or, subpredicates: subpredicates)
  }

  /// Creates a predicate that is true if the given predicate is false.
  ///
  /// - Parameter predicate: The predicate.
  public convenience init(notPredicateWithSubpredicate predicate: NSPredicate) {
    self.init(type: .not, subpredicates: [predicate])
  }

  /// The subpredicates for Foundation's initialiser, which wants at least one; they are never evaluated.
  ///
  /// Safety: only read.
  nonisolated(unsafe) private static let placeholder = [NSPredicate(value: true)]

  package var heldTree: PredicateTree {
    settled ?? .compound(compoundPredicateType, subpredicates.map(\.tree))
  }

  package var isSettled: Bool { settled != nil }

  private static func settledTree(_ type: LogicalType, _ parts: [NSPredicate]) -> PredicateTree? {
    parts.allSatisfy(\.hasSettledTree) ? .compound(type, parts.map(\.tree)) : nil
  }

  open override var compoundPredicateType: LogicalType {
    didSet { settled = settled.map { .compound(compoundPredicateType, $0.terms) } }
  }

  /// The parts; those of a parsed predicate are made when they are asked for.
  open override var subpredicates: [NSPredicate] {
    get { given ?? settled?.terms.map(NSPredicate.of) ?? [] }
    set {
      settled = Self.settledTree(compoundPredicateType, newValue)
      given = newValue
    }
  }

  open override var predicateFormat: String { heldTree.description }

  open override var description: String { heldTree.description }

  open override func evaluate(
    with object: Any?,
    substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    heldTree.answer(for: object, bindings)
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == NSCompoundPredicate.self else { return self }
    guard let given else { return NSCompoundPredicate(heldTree, compoundPredicateType) }
    return NSCompoundPredicate(type: compoundPredicateType, subpredicates: given)
  }

  open override func isEqual(_ object: Any?) -> Bool { heldTree.isEqual(object) }

  open override var hash: Int { heldTree.canonical.hashValue }
}
