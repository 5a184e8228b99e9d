/// A class that knows the names behind its Swift key paths: `\Note.folder?.name` is `folder.name`.
package protocol KeyPathNaming {
  /// The key, or dotted key path; `nil` if it does not have a name in key-value coding.
  static func name(of keyPath: AnyKeyPath) -> String?

  /// Whether nobody has said yet what the class's key paths are called: its model is not loaded.
  static var isNamedLater: Bool { get }

  /// How a predicate asks whether a value is of this class; nil when it cannot.
  static func isInstance(_ value: ExpressionTree) -> PredicateTree?
}

extension KeyPathNaming {
  package static var isNamedLater: Bool { false }

  package static func isInstance(_ value: ExpressionTree) -> PredicateTree? { nil }
}

extension AnyKeyPath {
  /// The name that the root class gives this key path.
  package var name: String? {
    (Self.rootType as? any KeyPathNaming.Type)?.name(of: self) ?? Foreign.types?.name(of: self)
  }

  /// Whether a name may come with a model that is not loaded yet.
  var isNamedLater: Bool {
    name == nil && ((Self.rootType as? any KeyPathNaming.Type)?.isNamedLater ?? false)
  }

  /// The name, where nothing works without one.
  package var requiredName: String {
    guard let name else {
      fatalError(
        "the key path \(self) has no name in key-value coding; "
          + "use a key, or a key path of a managed object's properties"
      )
    }
    return name
  }
}
