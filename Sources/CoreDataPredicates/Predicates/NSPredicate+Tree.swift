package import Foundation

/// A predicate class that knows its tree.
package protocol PredicateTreeHolding {
  var heldTree: PredicateTree { get }
}

extension NSPredicate {
  /// What the predicate says, also when Foundation's own initialisers made it.
  ///
  /// ```
  /// NSCompoundPredicate(andPredicateWithSubpredicates: [a, NSPredicate { … }])
  /// and(comparison a, block)
  /// ```
  package var tree: PredicateTree {
    switch self {
    case let predicate as any PredicateTreeHolding:
      predicate.heldTree
    case let compound as NSCompoundPredicate:
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
    case .and: ParsedCompoundPredicate(tree, .and)
    case .or: ParsedCompoundPredicate(tree, .or)
    case .not: ParsedCompoundPredicate(tree, .not)
    case .block(let block): block.predicate
    }
  }
}
