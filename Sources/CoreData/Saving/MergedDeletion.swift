import CoreDataModel

/// The effect of a deletion that others have saved on the unsaved changes of this context.
///
/// The context that deleted has dealt with stored objects; left are the objects that lead here by a change of this
/// context alone. They are deleted too if the rule is Cascade, and forget the object otherwise. Nothing is read.
///
/// ```
/// stored   folder F ◀─ note 1          both deleted elsewhere
/// here     folder F ◀─ note 2, new     deleted now
/// ```
struct MergedDeletion {
  private let object: NSManagedObject
  private let context: NSManagedObjectContext

  init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
    self.object = object
    self.context = context
  }

  func perform() {
    guard let overlay = object.existingOverlay else { return }
    for slot in overlay.present {
      guard let relationship = object.layout.slots[slot].relationship,
        let inverse = object.layout.slots[slot].end?.inverse
      else { continue }
      for other in others(overlay[slot]) where leadsHere(other, at: inverse) {
        if relationship.deleteRule == .cascade {
          context.deleteObject(other)
        } else {
          other.lose(object, at: inverse)
        }
      }
    }
  }

  private func others(_ value: SlotValue) -> [NSManagedObject] {
    switch value {
    case .collection(let collection):
      collection.isFault ? Array(collection.added) : collection.members
    case .object(let target): (target as? NSManagedObject).map { [$0] } ?? []
    case .null, .integer, .real, .text, .data, .uuid, .url: []
    }
  }

  /// Whether the other has unsaved changes that lead to the object.
  private func leadsHere(_ other: NSManagedObject, at inverse: Int) -> Bool {
    guard !other.willBeDeleted, other.hasChanges, let overlay = other.existingOverlay,
      overlay.changed.contains(inverse), overlay.has(inverse)
    else { return false }
    switch overlay[inverse] {
    case .collection(let collection): return collection.contains(object)
    case .object(let target): return target === object
    case .null, .integer, .real, .text, .data, .uuid, .url: return false
    }
  }
}
