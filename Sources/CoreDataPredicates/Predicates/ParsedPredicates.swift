import Foundation

/// `TRUEPREDICATE` or `FALSEPREDICATE`, as the parser makes it.
///
/// Not Foundation's own, which is equal to any subclass that was made with the same value.
final class ConstantPredicate: NSPredicate, PredicateTreeHolding {
  let value: Bool

  override init(value: Bool) {
    self.value = value
    super.init(block: neverAsked)
  }

  var heldTree: PredicateTree { .constant(value) }

  override var predicateFormat: String { heldTree.description }

  override var description: String { heldTree.description }

  override func evaluate(
    with object: Any?,
    substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    value
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool { heldTree.isEqual(object) }

  override var hash: Int { heldTree.canonical.hashValue }
}

/// A compound as the parser makes it: unlike Foundation's, it copies, compares and prints itself.
final class ParsedCompoundPredicate: NSCompoundPredicate, PredicateTreeHolding {
  private(set) var heldTree: PredicateTree

  init(_ tree: PredicateTree, _ type: LogicalType) {
    heldTree = tree
    super.init(type: type, subpredicates: Self.placeholder)
  }

  /// What Foundation's initialiser is given, which wants at least one; it is never asked.
  ///
  /// Safety: only read.
  nonisolated(unsafe) private static let placeholder = [NSPredicate(value: true)]

  override var compoundPredicateType: LogicalType {
    didSet { heldTree = .compound(compoundPredicateType, heldTree.terms) }
  }

  /// Made when asked for: evaluating and storing only need the tree.
  override var subpredicates: [NSPredicate] {
    get { heldTree.terms.map(NSPredicate.of) }
    set { heldTree = .compound(compoundPredicateType, newValue.map(\.tree)) }
  }

  override var predicateFormat: String { heldTree.description }

  override var description: String { heldTree.description }

  override func evaluate(
    with object: Any?,
    substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    heldTree.answer(for: object, bindings)
  }

  override func copy(with zone: NSZone? = nil) -> Any {
    ParsedCompoundPredicate(heldTree, compoundPredicateType)
  }

  override func isEqual(_ object: Any?) -> Bool { heldTree.isEqual(object) }

  override var hash: Int { heldTree.canonical.hashValue }
}

/// What our subclasses give Foundation's initialiser; they override what would call it.
func neverAsked(_ object: Any?, _ bindings: [String: Any]?) -> Bool { false }

extension PredicateTree {
  static func compound(
    _ type: NSCompoundPredicate.LogicalType,
    _ terms: [PredicateTree]
  ) -> PredicateTree {
    switch type {
    case .and: .and(terms)
    case .or: .or(terms)
    case .not: terms.first.map(PredicateTree.not) ?? .constant(false)
    }
  }

  fileprivate var terms: [PredicateTree] {
    switch self {
    case .and(let terms), .or(let terms): terms
    case .not(let term): [term]
    case .constant, .comparison, .block: []
    }
  }

  /// The answer where nobody can catch an error.
  func answer(for object: Any?, _ bindings: [String: Any]?) -> Bool {
    do {
      return try evaluate(with: object, variables: bindings)
    } catch  where error.isLimit {
      // A text, or a pattern out of a model, must not stop a program that is right.
      NSLog("CoreData: a predicate has no answer and is taken for false: %@", "\(error)")
      return false
    } catch {
      fatalError("cannot evaluate \(self): \(error)")
    }
  }

  func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map { canonical == $0.tree.canonical } ?? false
  }
}
