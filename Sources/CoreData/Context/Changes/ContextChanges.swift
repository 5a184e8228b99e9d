import Foundation
import Synchronization

/// The objects of a context that changed in one event, or in one save.
///
/// Notifications carry the same sets; the parts of this module get them through this value.
struct ContextChanges {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []
  /// Objects whose values were read from the store again.
  var refreshed: Set<NSManagedObject> = []
  /// Objects that have lost their store.
  var invalidated: Set<NSManagedObject> = []
  /// The sets gathered in one value, which the copies of this value share.
  private let gathered = Gathered()

  private final class Gathered {
    var objects: ChangedObjects?
  }
}

extension ContextChanges {
  /// An object that was new and gone in the same event never was.
  init(_ event: ContextEvent) {
    let gone = Set(of: event.deleted.objects)
    let new = Set(of: event.inserted.objects)
    inserted = new.leavingOut(gone)
    updated = Set(of: event.updated.objects).leavingOut(new).leavingOut(gone)
    deleted = gone.leavingOut(new)
    refreshed = Set(of: event.refreshed).leavingOut(new)
  }
}

extension ContextChanges {
  /// The objects of all sets but the last, for listeners that look for theirs among them.
  ///
  /// They are gathered when the first listener asks, once for all. Set nothing afterwards.
  var objects: ChangedObjects {
    if let objects = gathered.objects { return objects }
    let objects = ChangedObjects(self)
    gathered.objects = objects
    return objects
  }
}

/// The new and changed objects that an event has announced: a save of just these announces them with the same sets.
struct ToldChanges {
  private var inserted = ListedSet()
  private var updated = ListedSet()

  init() {}

  init(_ event: ContextEvent, as changes: ContextChanges) {
    let objects = event.inserted.objects
    // Objects that others have saved, and that were merged, are not saved here; they are not kept alive.
    if objects.allSatisfy(\.willBeInserted) { inserted = ListedSet(objects, as: changes.inserted) }
    updated = ListedSet(event.updated.objects, as: changes.updated)
  }

  func changes(savedAs saved: ChangeSet) -> ContextChanges {
    ContextChanges(
      inserted: inserted.set(of: saved.inserted),
      updated: updated.set(of: saved.updated),
      deleted: Set(of: saved.deleted)
    )
  }

  private struct ListedSet {
    private var list: [NSManagedObject] = []
    private var set: Set<NSManagedObject> = []

    init() {}

    init(_ list: [NSManagedObject], as set: Set<NSManagedObject>) {
      // Objects that were left out are gone, and must not be kept alive here.
      if list.count == set.count { (self.list, self.set) = (list, set) }
    }

    /// A set of the objects; nothing is hashed if they are the list.
    func set(of objects: [NSManagedObject]) -> Set<NSManagedObject> {
      list.areThese(objects) ? set : Set(of: objects)
    }
  }
}

extension [NSManagedObject] {
  /// Whether another list has the same objects in the same order; the objects themselves are not touched.
  fileprivate func areThese(_ others: Self) -> Bool {
    withUnsafeBytes { own in
      others.withUnsafeBytes { other in
        guard own.count == other.count else { return false }
        guard let first = own.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, own.count) == 0
      }
    }
  }
}

extension Set {
  /// A set of a list's elements; an empty list costs nothing.
  fileprivate init(of list: [Element]) {
    self = list.isEmpty ? [] : Set(list)
  }

  /// The set without others; if nothing has to be left out, which is nearly always so, it is the same set, without a
  /// look.
  fileprivate func leavingOut(_ others: Set) -> Set {
    isEmpty || others.isEmpty ? self : subtracting(others)
  }
}

/// A follower of a context, on its queue: a fetched results controller, a stream of changes.
///
/// Listeners hear before the notification is posted, in the order in which they came.
protocol ContextListener: AnyObject {
  /// An event has ended.
  func contextDidChange(_ changes: ContextChanges)
  /// The changes are in the store; inserted objects have their permanent identities.
  func contextDidSave(_ changes: ContextChanges)
  /// Some of the context's objects have lost their store, and others have not.
  func contextDidInvalidate(_ objects: [NSManagedObject])
  /// The context has forgotten all its objects.
  func contextDidReset()
  /// The context has ended; called on the thread that released it.
  func contextDidEnd()
}

extension ContextListener {
  func contextDidInvalidate(_ objects: [NSManagedObject]) {}
  func contextDidEnd() {}
}
