import CoreDataModel
package import CoreDataPredicates

// The expressions that mapping models are made of, wherever they come from.

extension ExpressionTree {
  /// A property of the object that is migrated: `$source.title`.
  static func ofSource(_ name: String) -> ExpressionTree {
    .path(.variable("source"), [name])
  }

  /// All objects of an entity of the source.
  package static func allObjects(of entityName: String) -> ExpressionTree {
    .fetch(
      request: .message(
        target: .variable("manager"),
        selector: "fetchRequestForSourceEntityNamed:predicateString:",
        arguments: [.constant(Constant(entityName)), .constant(Constant("TRUEPREDICATE"))]
      ),
      context: .path(.variable("manager"), ["sourceContext"]),
      countOnly: false
    )
  }

  /// The objects that the manager of a migration has made of objects of the source.
  static func destinationInstances(
    _ selector: String,
    _ name: String,
    for objects: ExpressionTree
  ) -> ExpressionTree {
    .message(
      target: .variable("manager"),
      selector: selector,
      arguments: [.constant(Constant(name)), objects]
    )
  }

  /// The objects that were made of those of a relationship of the source.
  static func destinationInstances(ofRelationship name: String) -> ExpressionTree {
    .destinationInstances(
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
      name,
      for: .ofSource(name)
    )
  }
}
