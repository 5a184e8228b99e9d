/// New objects that have got permanent identities for a save, and go back to their temporary ones if it
/// fails.
struct PermanentIdentities {
  private var renamed: [(object: NSManagedObject, former: ObjectKey)] = []

  /// Gives new objects the identities that were reserved for them.
  mutating func give(_ objects: [NSManagedObject], _ keys: ReservedKeys) {
    for object in objects {
      renamed.append((object, object.key))
      object.rename(to: keys.key(for: object))
    }
  }

  /// Lets relatives know the identities of the saved objects.
  func confirm(_ saved: [StoreSave]) {
    if renamed.isEmpty { return }
    let kept = Set(saved.flatMap(\.plan.inserted).map { ObjectIdentifier($0) })
    for (object, former) in renamed where former.isTemporary {
      guard kept.contains(ObjectIdentifier(object)) else { continue }
      object.managedObjectContext?.family?.note(former, isNow: object.key)
    }
  }

  /// Takes back the identities of all objects but those that were saved all the same.
  func takeBack(except saved: [StoreSave]) {
    let kept = Set(saved.flatMap(\.plan.inserted).map { ObjectIdentifier($0) })
    for (object, former) in renamed where !kept.contains(ObjectIdentifier(object)) {
      object.rename(to: former)
    }
  }
}

extension NSManagedObject {
  /// Goes on under another key; relatives of the context hear of it through its family.
  func rename(to key: ObjectKey, noting family: ContextFamily? = nil) {
    let former = self.key
    guard former != key else { return }
    family?.note(former, isNow: key)
    identityMap?.unregister(self, key: former)
    self.key = key
    existingID = nil
    identityMap?.register(self, key: key)
  }
}
