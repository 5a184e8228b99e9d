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

/// The block that our subclasses give Foundation's initialiser; they override the methods that
/// would call it.
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

  var terms: [PredicateTree] {
    switch self {
    case .and(let terms), .or(let terms): terms
    case .not(let term): [term]
    case .constant, .comparison, .block: []
    }
  }

  func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map { canonical == $0.tree.canonical } ?? false
  }
}
