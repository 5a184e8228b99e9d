public import CoreDataPredicates

/// In a predicate an object equals its identity, and the same object of another context, also of another
/// coordinator that has opened the same store.
extension NSManagedObject: ComparedByIdentity {
  package var comparedIdentity: AnyHashable { self.key.inFirstStore }
}

extension NSManagedObjectID: ComparedByIdentity {
  package var comparedIdentity: AnyHashable { key.inFirstStore }
}

extension ObjectKey {
  /// The key by which objects are compared, no matter which coordinator has opened their store.
  var inFirstStore: ObjectKey {
    ObjectKey(store: StoreHome.first(ofStore: store), root: root, number: number)
  }
}

/// Sorting by objects or identities gives the order of the rows; objects without rows come in the order in which they
/// were made.
extension NSManagedObject: OrderedByIdentity {
  package var placeByIdentity: IdentityPlace { key.placeByIdentity }
}

extension NSManagedObjectID: OrderedByIdentity {
  package var placeByIdentity: IdentityPlace { key.placeByIdentity }
}

extension ObjectKey {
  fileprivate var placeByIdentity: IdentityPlace {
    IdentityPlace(group: isTemporary ? .max : Int64(root), number: number, store: store.rawValue)
  }
}

/// Entities of two copies of one model are the same.
extension NSEntityDescription: ComparedByIdentity {
  package var comparedIdentity: AnyHashable { name }
}

extension NSManagedObject: KeyValueReadable {
  package func keyValue(_ key: String) -> Any? { value(forKey: key) }
}

extension NSManagedObject: KeyValueWritable {
  package func setKeyValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }
}

/// Objects and identities can be arguments of a format: `folder == %@`.
extension NSManagedObject: DescribedVarArg {}

extension NSManagedObjectID: DescribedVarArg {}
