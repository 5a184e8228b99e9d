import Foundation

// MARK: - Observers

extension NSManagedObject: KeyValueObserver {}

extension NSManagedObject {
  /// Registers an observer that is notified of each change of the value at a key path.
  ///
  /// The observer is not retained. It is notified on the context's queue, while the change is made.
  ///
  /// - Parameters:
  ///   - observer: The object to notify.
  ///   - keyPath: The key path to observe.
  ///   - options: The values that the notifications contain, and when notifications are sent.
  ///   - context: A pointer that is passed to the observer with each notification.
  public func addObserver(
    _ observer: any KeyValueObserver,
    forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    addObservation(Observation(keyPath, options, of: self, by: observer, context))
  }

  /// Removes an observer of a key path.
  ///
  /// - Parameters:
  ///   - observer: The observer to remove.
  ///   - keyPath: The key path for which it is registered.
  public func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
    removeObservations { $0.isMade(by: observer, keyPath) }
  }

  /// Removes an observer of a key path that was registered with a certain context pointer.
  ///
  /// - Parameters:
  ///   - observer: The observer to remove.
  ///   - keyPath: The key path for which it is registered.
  ///   - context: The pointer that was given at registration.
  public func removeObserver(
    _ observer: any KeyValueObserver,
    forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    removeObservations { $0.isMade(by: observer, keyPath) && $0.context == context }
  }
}

/// A protocol through which each subclass of `NSManagedObject` can be observed with key paths of
/// its own type.
///
/// All managed objects conform to it.
public protocol KeyValueObservable: NSManagedObject {}

extension NSManagedObject: KeyValueObservable {}

extension KeyValueObservable {
  /// Observes a property with a closure.
  ///
  /// ```swift
  /// let observation = note.observe(\.title, options: [.old, .new]) { note, change in
  ///   print(change.oldValue as Any, change.newValue as Any)
  /// }
  /// ```
  ///
  /// The closure is called on the context's queue, while the change is made.
  ///
  /// - Parameters:
  ///   - keyPath: The property to observe. A key path that reads no property of the model stops the program.
  ///   - options: The values that the change contains, and when the closure is called.
  ///   - changeHandler: The closure to call with the object and the change.
  /// - Returns: The observation. It ends when this object is deallocated or invalidated.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    guard let name = name(of: keyPath) else {
      stop("the key path observed on \(type(of: self)) reads no property of the model")
    }
    let observation = Observation(name, options) { [unowned self] change in
      changeHandler(self, NSKeyValueObservedChange(change, options))
    }
    addObservation(observation)
    return NSKeyValueObservation(observation, of: self)
  }
}

// MARK: - Registering

extension NSManagedObject {
  func addObservation(_ observation: Observation) {
    if observation.keys.isEmpty { return }
    extras.observations.add(observation)
    watch.insert(.observed)
    observation.follow(from: self)
    observation.followValues(affecting: self)
    if observation.options.contains(.initial) {
      let value = value(forKeyPath: observation.keyPath)
      observation.deliver(ObservedChange(new: value, moment: .first))
    }
  }

  func removeObservation(_ observation: Observation) {
    observation.unfollow()
    observation.unfollowAffecting(self)
    extras.observations.remove(observation)
    if extras.observations.isEmpty, extras.registrar == nil {
      watch.remove(.observed)
    }
  }

  private func removeObservations(where matches: (Observation) -> Bool) {
    for observation in extras.observations.all where matches(observation) {
      removeObservation(observation)
    }
  }

  var extras: ObjectExtras {
    if let extras = existingExtras { return extras }
    let extras = ObjectExtras()
    existingExtras = extras
    return extras
  }
}

// MARK: - Telling

extension NSManagedObject {
  func willChange(_ slot: Int, _ change: KeyValueChange) {
    tellTrackers(before: slot)
    let key = layout.slots[slot].name
    let observations = extras.observations.of(key)
    guard !observations.isEmpty else { return }
    var prior = ObservedChange(kind: change.kind, moment: .prior)
    prior.old = change.lost.map { boxed($0, at: slot) } ?? boxedValue(at: slot)
    prior.indexes = change.lost.flatMap { indexes(of: $0, at: slot) }
    willChange(key, prior)
  }

  func willChange(_ key: String, _ prior: ObservedChange) {
    extras.pendingChanges[key] = prior
    for observation in extras.observations.of(key) {
      var prior = prior
      if observation.keys.count > 1 {
        prior = ObservedChange(old: value(forKeyPath: observation.keyPath), moment: .prior)
        observation.valueBefore = prior.old
      }
      if observation.options.contains(.prior) { observation.deliver(prior) }
    }
  }

  func didChange(_ slot: Int, _ change: KeyValueChange) {
    tellTrackers(after: slot)
    let key = layout.slots[slot].name
    guard !extras.observations.of(key).isEmpty else { return }
    didChange(key) { whole in
      whole.kind = change.kind
      whole.new = change.gained.map { boxed($0, at: slot) } ?? boxedValue(at: slot)
      if let gained = change.gained { whole.indexes = indexes(of: gained, at: slot) }
    }
  }

  func didChange(_ key: String, _ complete: (inout ObservedChange) -> Void) {
    var whole = extras.pendingChanges.removeValue(forKey: key) ?? ObservedChange()
    whole.moment = .after
    complete(&whole)
    for observation in extras.observations.of(key) {
      guard observation.keys.count > 1 else {
        observation.deliver(whole)
        continue
      }
      observation.follow(from: self)
      let (old, new) = (observation.valueBefore, value(forKeyPath: observation.keyPath))
      observation.valueBefore = nil
      observation.deliver(ObservedChange(old: old, new: new))
    }
  }

  /// Objects that a relationship gains or loses, in a collection of the relationship's kind.
  private func boxed(_ objects: [NSManagedObject], at slot: Int) -> Any {
    layout.slots[slot].isOrdered ? objects as NSArray : NSSet(array: objects)
  }

  private func indexes(of objects: [NSManagedObject], at slot: Int) -> IndexSet? {
    guard layout.slots[slot].isOrdered else { return nil }
    return IndexSet(objects.compactMap(collection(at: slot).index(of:)))
  }
}
