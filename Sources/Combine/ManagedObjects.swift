public import CoreData

/// A managed object tells subscribers that one of its modelled properties changes.
extension NSManagedObject: ObservableObject {
  /// A publisher that sends when a modelled property of the object changes.
  ///
  /// A change by this context sends once for each property that is set, before the change; an undo and a rollback send
  /// for each property that gets another value. A refresh and a merge send when the object has the stored values, as
  /// Apple's do: a subscriber that reads the object then gets the new ones. `send()` tells the subscribers, too. The
  /// object observes itself while there is a subscriber.
  public var objectWillChange: ObservableObjectPublisher {
    companion {
      ObservableObjectPublisher { [weak self] downstream, sent in
        guard let self else { return }
        let outlet = Outlet(downstream, .dropped)
        let observations = entity.propertiesByName.values
          .filter { !($0 is NSFetchedPropertyDescription) }
          .map { property in
            Observed(of: self, property.name) { [unowned self] isPrior in
              if isPrior != isTakingStoredValues { outlet.send(()) }
            }
          }
        let others = sent.sink { outlet.send(()) }
        outlet.whenCancelled {
          for observation in observations { observation.end() }
          others.cancel()
        }
        downstream.receive(subscription: outlet)
      }
    }
  }
}

extension NSObjectProtocol where Self: NSManagedObject {
  /// Returns a publisher of the values of a property.
  ///
  /// ```swift
  /// note.publisher(for: \.title).sink { print($0 ?? "") }
  /// ```
  ///
  /// The values are sent on the context's queue, after each change. The publisher keeps the object.
  ///
  /// - Parameters:
  ///   - keyPath: A modelled property. Another one stops the program.
  ///   - options: With `.initial`, the present value is sent first; with `.prior`, the former value is sent before
  ///     each change too.
  /// - Returns: The publisher.
  public func publisher<Value>(
    for keyPath: KeyPath<Self, Value>,
    options: NSKeyValueObservingOptions = [.initial, .new]
  ) -> Publishers.Made<Value, Never> {
    Publishers.Made { [self] downstream in
      let outlet = Outlet(downstream, .dropped)
      let observation = observe(keyPath, options: options.intersection(.prior)) { object, _ in
        outlet.send(object[keyPath: keyPath])
      }
      // The closure keeps the object, which must outlive its observation.
      outlet.whenCancelled { withExtendedLifetime(self) { observation.invalidate() } }
      downstream.receive(subscription: outlet)
      if options.contains(.initial) { outlet.send(self[keyPath: keyPath]) }
    }
  }
}

/// An observer of a property of a managed object.
private final class Observed: KeyValueObserver {
  private let object: NSManagedObject
  private let key: String
  private let action: (_ isPrior: Bool) -> Void
  private let removal = Once()

  init(
    of object: NSManagedObject,
    _ key: String,
    _ action: @escaping (_ isPrior: Bool) -> Void
  ) {
    self.object = object
    self.key = key
    self.action = action
    object.addObserver(self, forKeyPath: key, options: .prior, context: nil)
    removal.set { [unowned self] in object.removeObserver(self, forKeyPath: key) }
  }

  func end() { removal.run() }

  func observeValue(
    forKeyPath keyPath: String?,
    of object: Any?,
    change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    action(change?[.notificationIsPriorKey] as? Bool == true)
  }
}
