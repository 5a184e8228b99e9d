import CoreDataModel

extension CompiledKey {
  /// The key that a constant is to one store; `nil` for an ordinary value.
  package init?(_ constant: Any, in store: StoreNumber, of model: ModelLayout) {
    let key: ObjectKey
    switch constant {
    case let object as NSManagedObject: key = object.key
    case let id as NSManagedObjectID: key = id.key
    case let entity as NSEntityDescription:
      // It may be the same entity of another copy of the model.
      guard let number = entity.name.flatMap({ model[$0]?.number }) else {
        self = .elsewhere
        return
      }
      self = .entity(Int(number)...Int(number))
      return
    case _: return nil
    }
    let isHere =
      key.store == store || StoreHome.first(ofStore: key.store) == StoreHome.first(ofStore: store)
    self = isHere ? .row(root: Int(key.root), number: key.number) : .elsewhere
  }
}

extension EntityLayout {
  /// The entity that a constant describes, which may be that of another copy of the model.
  func entity(describedBy constant: Any) -> EntityLayout? {
    (constant as? NSEntityDescription)?.name.flatMap { model[$0] }
  }
}
