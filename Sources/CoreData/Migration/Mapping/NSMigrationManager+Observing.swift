import Foundation

// MARK: - Observers

/// Key-value observation of `migrationProgress` and `currentEntityMapping`, as in Apple's framework.
extension NSMigrationManager {
  /// Registers an observer that is notified of each change of a property.
  ///
  /// You can observe `migrationProgress` and `currentEntityMapping`; any other key stops the
  /// program. The observer is not retained. It is notified on the thread that migrates.
  ///
  /// - Parameters:
  ///   - observer: The object to notify.
  ///   - keyPath: The name of the property.
  ///   - options: The values that the notifications contain, and when notifications are sent.
  ///   - context: A pointer that is passed to the observer with each notification.
  public func addObserver(
    _ observer: any KeyValueObserver,
    forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    add(Observation(keyPath, options, of: self, by: observer, context))
  }

  /// Removes an observer of a property.
  ///
  /// - Parameters:
  ///   - observer: The observer to remove.
  ///   - keyPath: The name of the property for which it is registered.
  public func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
    remove { $0.isMade(by: observer, keyPath) }
  }

  /// Removes an observer of a property that was registered with a certain context pointer.
  ///
  /// - Parameters:
  ///   - observer: The observer to remove.
  ///   - keyPath: The name of the property for which it is registered.
  ///   - context: The pointer that was given at registration.
  public func removeObserver(
    _ observer: any KeyValueObserver,
    forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer?
  ) {
    remove { $0.isMade(by: observer, keyPath) && $0.context == context }
  }

  /// Observes a property with a closure.
  ///
  /// ```swift
  /// let observation = manager.observe(\.migrationProgress, options: .new) { _, change in
  ///   print(change.newValue ?? 0)
  /// }
  /// ```
  ///
  /// The closure is called on the thread that migrates.
  ///
  /// - Parameters:
  ///   - keyPath: `\.migrationProgress` or `\.currentEntityMapping`. Another property stops the
  ///     program.
  ///   - options: The values that the change contains, and when the closure is called.
  ///   - changeHandler: The closure to call with the manager and the change.
  /// - Returns: The observation. It ends when this object is deallocated or invalidated.
  public func observe<Value>(
    _ keyPath: KeyPath<NSMigrationManager, Value>,
    options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (NSMigrationManager, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    guard let name = Self.observableNames[keyPath] else {
      stop("of a migration manager, migrationProgress and currentEntityMapping can be observed")
    }
    let observation = Observation(name, options) { [unowned self] change in
      changeHandler(self, NSKeyValueObservedChange(change, options))
    }
    add(observation)
    return NSKeyValueObservation(observation) { [weak self] observation in
      self?.remove { $0 === observation }
    }
  }

  private static var observableNames: [AnyKeyPath: String] {
    [
      \NSMigrationManager.migrationProgress: "migrationProgress",
      \NSMigrationManager.currentEntityMapping: "currentEntityMapping",
    ]
  }

  private func add(_ observation: Observation) {
    require(
      Self.observableNames.values.contains(observation.keyPath),
      "of a migration manager, migrationProgress and currentEntityMapping can be observed, not "
        + observation.keyPath
    )
    observations.add(observation)
    guard observation.options.contains(.initial) else { return }
    let value: Any? =
      observation.keyPath == "migrationProgress" ? migrationProgress : work?.current?.mapping
    observation.deliver(ObservedChange(new: value, moment: .first))
  }

  private func remove(where matches: (Observation) -> Bool) {
    for observation in observations.all where matches(observation) {
      observations.remove(observation)
    }
  }

  func announceChange(of key: String, from old: Any?, to new: Any?, _ change: () -> Void) {
    let observing = observations.of(key)
    for observation in observing where observation.options.contains(.prior) {
      observation.deliver(ObservedChange(old: old, moment: .prior))
    }
    change()
    for observation in observing { observation.deliver(ObservedChange(old: old, new: new)) }
  }
}
