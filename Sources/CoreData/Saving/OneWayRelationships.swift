/// To-many relationships without an inverse, whose members do not know their owners.
///
/// ```
/// Bin ──kept──▶▶ Note      a note that is deleted leaves every bin that has been read
/// ```
///
/// Only entities that such a relationship leads to are looked at, so that other models pay nothing.
struct OneWayRelationships {
  private let objects: [NSManagedObject]
  private let context: NSManagedObjectContext

  /// Takes objects that are being deleted, or that come back.
  init(to objects: [NSManagedObject], in context: NSManagedObjectContext) {
    self.objects = objects.filter { $0.layout.isOneWayDestination }
    self.context = context
  }

  /// Takes deleted objects out of the members that are known.
  func forgetDeleted() {
    for (owner, slot) in ownersWithMembers {
      for object in objects where owner.loadedCollection(at: slot).contains(object) {
        owner.removeMember(object, at: slot)
      }
    }
  }

  /// Makes members be read again from the store, because the known ones may lack objects that are back.
  ///
  /// For a rollback, after which no object has changes of its own.
  func readAnew() {
    for (owner, slot) in ownersWithMembers { owner.collection(at: slot).turnIntoFault() }
  }

  private var ownersWithMembers: [(NSManagedObject, Int)] {
    if objects.isEmpty { return [] }
    return context.identityMap.objects.flatMap { owner -> [(NSManagedObject, Int)] in
      guard !owner.willBeDeleted, let overlay = owner.existingOverlay else { return [] }
      return overlay.present.filter { slot in
        guard owner.layout.slots[slot].end?.inverse == nil,
          case .collection(let collection) = overlay[slot]
        else { return false }
        return !collection.isFault
      }.map { (owner, $0) }
    }
  }
}

extension EntityLayout {
  /// Whether a to-many relationship without an inverse leads here.
  var isOneWayDestination: Bool {
    slots[propertyCount...].contains { $0.hidden?.isForeign ?? false }
  }
}
