import Foundation

// MARK: - Observers

extension NSManagedObject: KeyValueObserver {}

extension NSManagedObject {
  /// Tells an object of each change of a key path, until it is removed.
  ///
  /// The observer is kept alive by somebody else. Observers are told on the context's queue, during
  /// the change.
  public func addObserver(
    _ observer: any KeyValueObserver,
    forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    let observation = Observation(
      keyPath,
      options,
      observer: ObjectIdentifier(observer),
      context: context
    ) { [weak observer, unowned self] change in
      observer?.observeValue(
        forKeyPath: keyPath,
        of: self,
        change: change.dictionary(options),
        context: context
      )
    }
    addObservation(observation)
  }

  /// Stops telling an observer of a key path.
  public func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
    removeObservations { $0.observer == ObjectIdentifier(observer) && $0.keyPath == keyPath }
  }

  /// Stops telling an observer of a key path that it registered for with this context pointer.
  public func removeObserver(
    _ observer: any KeyValueObserver,
    forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    removeObservations {
      $0.observer == ObjectIdentifier(observer) && $0.keyPath == keyPath && $0.context == context
    }
  }
}

/// Managed objects, as their own type, so that a key path can start at a subclass.
public protocol KeyValueObservable: NSManagedObject {}

extension NSManagedObject: KeyValueObservable {}

extension KeyValueObservable {
  /// Calls the closure after each change of a property, as long as the result is kept.
  ///
  /// ```swift
  /// let observation = note.observe(\.title, options: [.old, .new]) { note, change in … }
  /// ```
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    guard let name = type(of: self).name(of: keyPath) else {
      stop("the key path observed on \(type(of: self)) reads no property of the model")
    }
    let observation = Observation(name, options) { [unowned self] change in
      let typed = NSKeyValueObservedChange<Value>(
        kind: change.kind,
        newValue: options.contains(.new) && change.hasNew ? Self.typed(change.new) : nil,
        oldValue: options.contains(.old) && change.hasOld ? Self.typed(change.old) : nil,
        indexes: change.indexes,
        isPrior: change.moment == .prior
      )
      changeHandler(self, typed)
    }
    addObservation(observation)
    return NSKeyValueObservation(observation, of: self)
  }

  /// A boxed value as the property's type; nil is a value where the property is optional.
  private static func typed<Value>(_ value: Any?) -> Value? {
    if let value { return value as? Value }
    return (Value.self as? any ExpressibleByNilLiteral.Type).flatMap {
      $0.init(nilLiteral: ()) as? Value
    }
  }
}

// MARK: - Registering

extension NSManagedObject {
  func addObservation(_ observation: Observation) {
    if observation.keys.isEmpty { return }
    extras.observations.add(observation)
    record.pointee.watch.insert(.observed)
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
      record.pointee.watch.remove(.observed)
    }
  }

  private func removeObservations(where matches: (Observation) -> Bool) {
    for observation in extras.observations.all where matches(observation) {
      removeObservation(observation)
    }
  }

  var extras: ObjectExtras {
    if let extras = record.pointee.extras { return extras }
    let extras = ObjectExtras()
    record.pointee.extras = extras
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
