import CoreDataModel

extension CompiledKey {
  /// What a constant is to one store; nil for an ordinary value.
  init?(_ constant: Any, in store: StoreNumber) {
    let key: ObjectKey
    switch constant {
    case let object as NSManagedObject: key = object.record.pointee.key
    case let id as NSManagedObjectID: key = id.key
    case let entity as NSEntityDescription:
      let number = Int(entity.layout.number)
      self = .entity(number...number)
      return
    case _: return nil
    }
    self = key.store == store ? .row(root: Int(key.root), number: key.number) : .elsewhere
  }
}
