/// An object by its key and its entity: the form in which contexts name objects to each other.
struct ObjectName: Sendable {
  let key: ObjectKey
  unowned(unsafe) let layout: EntityLayout

  init(key: ObjectKey, layout: EntityLayout) {
    self.key = key
    self.layout = layout
  }

  /// Read without making an identity, so that it is safe for an object of another queue that is not
  /// being saved.
  init(_ object: NSManagedObject) {
    self.init(key: object.key, layout: object.layout)
  }

  init(_ id: NSManagedObjectID) {
    self.init(key: id.key, layout: id.layout)
  }

  var id: NSManagedObjectID { NSManagedObjectID(key: key, layout: layout) }
}
