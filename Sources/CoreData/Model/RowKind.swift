/// Knowledge of a module above about an entity, with the class of the entity's objects.
///
/// The module `SwiftData` has its models over objects of a class of its own.
package protocol RowKind: AnyObject, Sendable {
  /// The class of the entity's objects, one below `NSManagedObject`.
  var rowClass: AnyClass { get }

  /// The value at a key path of the model over an object, with objects and identities in the place of models and theirs.
  func value(at keyPath: AnyKeyPath, of object: AnyObject) -> Any?
}
