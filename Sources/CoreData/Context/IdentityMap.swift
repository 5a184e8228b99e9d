import CoreDataCRuntime
import Synchronization

/// The one object a context holds for each identity.
///
/// Objects are not kept alive: the map answers "do we already have it?", and an object leaves it when
/// it dies, on whatever thread that happens. Changed objects stay alive through the change tracker.
///
/// Safety: the table is behind the mutex. An object in the table cannot finish its `deinit`
/// before it has taken the mutex to leave, so its memory is there while the mutex is held. The recorder
/// belongs to the context's queue.
final class IdentityMap: @unchecked Sendable {
  private let state: Mutex<Register>
  /// Where the context is.
  ///
  /// Who refers weakly to a context refers to this: weak references would slow down each object's own to the map.
  let address = ContextAddress()
  /// What notes each change before it is made; nil without an undo manager.
  ///
  /// It stands here because every object has its way here. Touched on the context's queue only.
  var recorder: UndoRecorder?

  /// Safety: behind the mutex, without which nobody reaches it.
  private struct Register: ~Copyable, @unchecked Sendable {
    var table = KeyTable<UnsafeMutableRawPointer>()
  }

  init() {
    state = Mutex(Register())
  }

  /// The context, as long as it lives.
  var context: NSManagedObjectContext? { address.context }

  subscript(key: ObjectKey) -> NSManagedObject? {
    let found = state.withLock { state in
      Found(state.table[key].flatMap { coredata_retain_if_alive($0) ? $0 : nil })
    }
    return found.pointer.map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
  }

  func register(_ object: NSManagedObject, key: ObjectKey) {
    let pointer = Found(Unmanaged.passUnretained(object).toOpaque())
    state.withLock { state in
      if let pointer = pointer.pointer { state.table.set(pointer, for: key) }
    }
    IncrementalStores.noteRegistration(of: object, as: key)
  }

  /// The objects with these keys, nil for those that are not known; one look for all.
  ///
  /// Empty where no object is known at all.
  func objects(for keys: [ObjectKey]) -> [NSManagedObject?] {
    let found = state.withLock { state in
      guard !state.table.isEmpty else { return FoundAll(pointers: []) }
      return FoundAll(
        pointers: keys.map { key in
          state.table[key].flatMap { coredata_retain_if_alive($0) ? $0 : nil }
        }
      )
    }
    return found.pointers.map { pointer in
      pointer.map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
    }
  }

  /// Registers new objects under the keys they have.
  func register(_ objects: [NSManagedObject]) {
    // Only their addresses cross the mutex's border.
    nonisolated(unsafe) let objects = objects
    state.withLock { state in
      state.table.reserve(objects.count)
      for index in objects.indices {
        let object = Unmanaged.passUnretained(objects[index])
        state.table.set(object.toOpaque(), for: object._withUnsafeGuaranteedRef { $0.key })
      }
    }
    IncrementalStores.noteRegistration(of: objects)
  }

  /// Takes an object out, unless its key has gone to another object meanwhile.
  func unregister(_ object: NSManagedObject, key: ObjectKey) {
    let pointer = Found(Unmanaged.passUnretained(object).toOpaque())
    let wasKnown = state.withLock { state in
      state.table.remove(key) { $0 == pointer.pointer }
    }
    if wasKnown { IncrementalStores.noteEnd(of: object, as: key) }
  }

  /// The objects that are alive now.
  var objects: [NSManagedObject] {
    let found = state.withLock { state in
      state.table.allValues.filter { coredata_retain_if_alive($0) }.map { Found($0) }
    }
    return found.compactMap { found in
      found.pointer.map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
    }
  }

  /// Forgets every object, and gives those that are alive.
  func removeAll() -> [NSManagedObject] {
    let objects = objects
    state.withLock { $0.table.removeAll() }
    IncrementalStores.noteEnd(of: objects)
    return objects
  }

  /// Carries a pointer over the mutex's border.
  ///
  /// Safety: the object behind it is retained, or only compared.
  private struct Found: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?

    init(_ pointer: UnsafeMutableRawPointer?) {
      self.pointer = pointer
    }
  }

  /// Carries many pointers over the mutex's border.
  ///
  /// Safety: the objects behind them are retained, or only compared.
  private struct FoundAll: @unchecked Sendable {
    let pointers: [UnsafeMutableRawPointer?]
  }
}
