/// New objects that have got permanent identities for a save, and go back to their temporary ones if it
/// fails.
struct PermanentIdentities {
  private var renamed: [(object: NSManagedObject, former: ObjectKey)] = []

  /// Gives the new objects of a store's part the identities that were reserved for them.
  mutating func give(_ part: StoreChanges, _ keys: ReservedKeys) {
    for (object, place) in part.inserted {
      renamed.append((object, object.record.pointee.key))
      object.rename(to: keys.key(at: place, root: object.layout.rootNumber))
    }
  }

  /// Lets relatives of the objects' context know who ask for them under the former identities.
  func announce() {
    for (object, former) in renamed {
      object.managedObjectContext?.family?.note(former, isNow: object.record.pointee.key)
    }
  }

  /// Takes back the identities of all objects but those that were saved all the same.
  func takeBack(except saved: [SavedPart]) {
    let kept = Set(saved.flatMap(\.outcome.inserted).map { ObjectIdentifier($0) })
    for (object, former) in renamed where !kept.contains(ObjectIdentifier(object)) {
      object.rename(to: former)
    }
    announce()
  }
}

extension NSManagedObject {
  /// Goes on under another key.
  func rename(to key: ObjectKey) {
    guard record.pointee.key != key else { return }
    record.pointee.identityMap?.unregister(self, key: record.pointee.key)
    record.pointee.key = key
    record.pointee.id = nil
    record.pointee.identityMap?.register(self, key: key)
  }
}
