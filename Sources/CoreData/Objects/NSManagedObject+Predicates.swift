public import CoreDataPredicates

/// In a predicate an object equals its identity, and the same object of another context.
extension NSManagedObject: ComparedByIdentity {
  package var comparedIdentity: AnyHashable { record.pointee.key }
}

extension NSManagedObjectID: ComparedByIdentity {
  package var comparedIdentity: AnyHashable { key }
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
