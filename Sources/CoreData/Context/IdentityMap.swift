import CoreDataCRuntime
import Synchronization

/// The one object a context holds for each identity.
///
/// Objects are not kept alive: the map answers "do we already have it?", and an object leaves it when
/// it dies, on whatever thread that happens. Changed objects stay alive through the change tracker.
///
/// The table is behind a mutex. An object in it cannot finish its `deinit` before it has taken the mutex to
/// leave, so its memory is there while the mutex is held. All else belongs to the context's queue.
final class IdentityMap {
  private let table = Mutex(KeyTable<UnsafeMutableRawPointer>())
  /// Where the context is.
  ///
  /// Weak references to a context refer to this instead: a weak reference to the map would slow down each object's
  /// own.
  let address = ContextAddress()
  /// Notes each change before it is made; `nil` without an undo manager.
  ///
  /// It is here because every object can reach the map. Used on the context's queue only.
  var recorder: UndoRecorder?

  /// Faults ask it before they take the row that waits in them.
  let currentRows = CurrentRows()

  /// The context, as long as it lives.
  var context: NSManagedObjectContext? { address.context }

  subscript(key: ObjectKey) -> NSManagedObject? {
    let found = table.withLock { table in
      Handover(table[key].flatMap { coredata_retain_if_alive($0) ? $0 : nil })
    }
    return found.value.map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
  }

  func register(_ object: NSManagedObject, key: ObjectKey) {
    let pointer = Handover(Unmanaged.passUnretained(object).toOpaque())
    table.withLock { table in
      table.set(pointer.value, for: key)
    }
    IncrementalStores.noteRegistration(of: object, as: key)
  }

  /// The objects with these keys, nil for those that are not known; one look for all.
  ///
  /// Empty if no object is known at all.
  func objects(for keys: [ObjectKey]) -> [NSManagedObject?] {
    let found = table.withLock { table in
      guard !table.isEmpty else { return Handover<[UnsafeMutableRawPointer?]>([]) }
      return Handover(
        keys.map { key in table[key].flatMap { coredata_retain_if_alive($0) ? $0 : nil } }
      )
    }
    return found.value.map { pointer in
      pointer.map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
    }
  }

  /// Registers new objects under the keys they have.
  func register(_ objects: [NSManagedObject]) {
    let new = Handover(objects)
    table.withLock { table in
      table.reserve(new.value.count)
      for index in new.value.indices {
        let object = Unmanaged.passUnretained(new.value[index])
        table.set(object.toOpaque(), for: object._withUnsafeGuaranteedRef { $0.key })
      }
    }
    IncrementalStores.noteRegistration(of: objects)
  }

  /// Takes an object out, unless another object has its key now.
  func unregister(_ object: NSManagedObject, key: ObjectKey) {
    let pointer = Handover(Unmanaged.passUnretained(object).toOpaque())
    let wasKnown = table.withLock { table in
      table.remove(key) { $0 == pointer.value }
    }
    if wasKnown { IncrementalStores.noteEnd(of: object, as: key) }
  }

  /// The objects that are alive now.
  var objects: [NSManagedObject] {
    let found = table.withLock { table in
      Handover(table.allValues.filter { coredata_retain_if_alive($0) })
    }
    return found.value.map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
  }

  /// Forgets every object, and gives those that are alive.
  func removeAll() -> [NSManagedObject] {
    let objects = objects
    table.withLock { $0.removeAll() }
    IncrementalStores.noteEnd(of: objects)
    return objects
  }
}
