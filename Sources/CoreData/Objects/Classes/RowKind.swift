/// Something that a module above knows about an entity, with the class of the entity's objects.
///
/// The module `SwiftData` has its models over objects of a class of its own.
package protocol RowKind: AnyObject, Sendable {
  /// The class of the entity's objects.
  var rowClass: NSManagedObject.Type { get }
}
