package import Foundation

/// A predicate class that knows its tree.
package protocol PredicateTreeHolding {
  var heldTree: PredicateTree { get }
  /// Whether the tree stays what it is; one with a key path of a class whose model is not loaded does not.
  var isSettled: Bool { get }
}

extension PredicateTreeHolding {
  package var isSettled: Bool { true }
}

extension NSPredicate {
  /// Whether its tree stays what it is.
  var hasSettledTree: Bool { (self as? any PredicateTreeHolding)?.isSettled ?? true }
}

extension NSPredicate {
  /// The predicate's tree, also if Foundation's own initialisers made it.
  ///
  /// ```
  /// NSCompoundPredicate(andPredicateWithSubpredicates: [a, NSPredicate { … }])
  /// and(comparison a, block)
  /// ```
  package var tree: PredicateTree {
    switch self {
    case let predicate as any PredicateTreeHolding:
      predicate.heldTree
    case let compound as Foundation.NSCompoundPredicate:
      .compound(compound.compoundPredicateType, compound.subpredicates.map(\.tree))
    case _ where type(of: self) != NSPredicate.self:
      .block(PredicateBlock(self))
    case _ where NSPredicate(value: true).isEqual(self):
      .constant(true)
    case _ where NSPredicate(value: false).isEqual(self):
      .constant(false)
    default:
      .block(PredicateBlock(self))
    }
  }

  /// The object for a tree; its class is the one that Apple's parser would choose.
  package static func of(_ tree: PredicateTree) -> NSPredicate {
    switch tree {
    case .constant(let value): ConstantPredicate(value: value)
    case .comparison(let comparison): NSComparisonPredicate(comparison)
    case .and: NSCompoundPredicate(tree, .and)
    case .or: NSCompoundPredicate(tree, .or)
    case .not: NSCompoundPredicate(tree, .not)
    case .block(let block): block.predicate
    }
  }
}
