import Synchronization

/// Types of a module above whose key paths and values Swift predicates may contain.
///
/// The module `SwiftData` has classes other than managed objects, and properties of theirs that are structures and
/// enumerations: attributes that consist of elements.
package protocol ForeignTypes: Sendable {
  /// The name of a key path of a class; `nil` for another module's, and for one that leads to nothing that is stored.
  func name(of keyPath: AnyKeyPath) -> String?

  /// The expression that a key path leads to from a value; `nil` if the key path's root is another module's type.
  func value(_ keyPath: AnyKeyPath, of base: ExpressionTree) -> ExpressionTree?

  /// The value that a store knows for a captured one; `nil` for others.
  func constant(_ value: Any) -> Any?

  /// Whether two values of a type are equal; `nil` for another module's type.
  func equality(
    _ one: ExpressionTree,
    _ other: ExpressionTree,
    of type: Any.Type
  ) throws(ConversionError) -> PredicateTree?

  /// Whether a value is one of a captured list; `nil` for another module's type.
  func membership(
    of value: ExpressionTree,
    in list: ExpressionTree,
    of type: Any.Type
  ) throws(ConversionError) -> PredicateTree?

  /// Whether a value is of a class; `nil` for another module's class.
  func isInstance(_ value: ExpressionTree, of type: Any.Type) -> PredicateTree?
}

/// The module above, if the program has it.
package enum Foreign {
  private static let known = Mutex<(any ForeignTypes)?>(nil)

  package static var types: (any ForeignTypes)? { known.withLock { $0 } }

  package static func use(_ types: some ForeignTypes) { known.withLock { $0 = types } }
}
