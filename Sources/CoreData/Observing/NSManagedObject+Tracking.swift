import CoreDataCRuntime
package import Observation

extension NSManagedObjectContext {
  /// A Boolean value that indicates whether `withObservationTracking` notices when properties of
  /// the context's objects are read.
  ///
  /// ```swift
  /// withObservationTracking { label.text = note.title } onChange: { … }
  /// ```
  ///
  /// The closure `onChange` is called once: before the next change of an attribute or relationship that was read, whether
  /// it is set directly or by its inverse, or at the end of an event in which a refresh, a merge or a rollback has given
  /// the object other values.
  ///
  /// The default is `true` for contexts of the main queue and `false` for others. With `true`, each read takes some
  /// nanoseconds more.
  public var allowsObservationTracking: Bool {
    get { watch.contains(.trackable) }
    set {
      if newValue { watch.insert(.trackable) } else { watch.remove(.trackable) }
      for object in identityMap.objects {
        if newValue {
          object.watch.insert(.trackable)
        } else {
          object.watch.remove(.trackable)
        }
      }
    }
  }
}

// MARK: - Reading

extension NSManagedObject {
  /// Tells `withObservationTracking` of a read, if it is at work.
  @usableFromInline
  @inline(never)
  final func trackRead(of slot: Int) {
    if TrackingProbe.isTracking { noteTrackedRead(of: slot) }
  }

  /// The registrar of the object's observers, made when it is first needed.
  package final var ownRegistrar: ObservationRegistrar {
    let registrar = extras.registrar ?? ObservationRegistrar()
    extras.registrar = registrar
    return registrar
  }

  @inline(never)
  private func noteTrackedRead(of slot: Int) {
    let registrar = ownRegistrar
    watch.insert(.observed)
    registrar.access(TrackedSlots(), keyPath: \.[tracked: slot])
  }
}

/// Finds out whether `withObservationTracking` is at work on this thread.
///
/// The standard library does not offer a way to ask, and a registrar for every object that is only read would cost
/// more than reading. But a registrar that hears of a read puts its key path into a set exactly then, for which the
/// key path, and so the index in it, is hashed.
///
/// It has memory of its own for the whole time of the process, and is asked in place: nothing is copied and no
/// reference counted at each read.
struct TrackingProbe: ~Copyable {
  private let registrar = ObservationRegistrar()
  private let keyPath = Unmanaged.passRetained(\TrackedSlots.[probe: Index()])

  static var isTracking: Bool {
    let place = coredata_get_tracking_probe() ?? make()
    place.assumingMemoryBound(to: TrackingProbe.self).pointee.ask()
    // A note can be left over from the end of a closure's tracking: then one read is told in vain.
    return coredata_take_tracking_note()
  }

  private borrowing func ask() {
    keyPath._withUnsafeGuaranteedRef { registrar.access(TrackedSlots(), keyPath: $0) }
  }

  @inline(never)
  private static func make() -> UnsafeRawPointer {
    let probe = UnsafeMutablePointer<TrackingProbe>.allocate(capacity: 1)
    probe.initialize(to: TrackingProbe())
    return coredata_set_tracking_probe(probe) ?? UnsafeRawPointer(probe)
  }

  struct Index: Hashable {
    func hash(into hasher: inout Hasher) {
      coredata_note_tracking()
    }
  }
}

/// The slots whose reads a registrar hears of: each object has a registrar of its own, so the object need not be
/// named.
///
/// The objects themselves are not `Observable`, as on Apple's systems: a class of the program's may be.
private struct TrackedSlots: Observable {
  /// Names a slot for the registrar.
  subscript(tracked slot: Int) -> Void { () }

  subscript(probe index: TrackingProbe.Index) -> Void { () }
}

// MARK: - Telling

extension NSManagedObject {
  func tellTrackers(before slot: Int) {
    existingExtras?.registrar?.willSet(TrackedSlots(), keyPath: \.[tracked: slot])
  }

  func tellTrackers(after slot: Int) {
    existingExtras?.registrar?.didSet(TrackedSlots(), keyPath: \.[tracked: slot])
  }

  /// Any property may have another value than it had.
  func tellTrackersOfNewValues() {
    tellTrackers(ofNewValuesAt: 0..<layout.propertyCount)
  }

  func tellTrackers(ofNewValuesAt slots: some Sequence<Int>) {
    guard existingExtras?.registrar != nil else { return }
    for slot in slots {
      tellTrackers(before: slot)
      tellTrackers(after: slot)
    }
  }

  /// Notes properties whose values are replaced by stored ones, for the end of the event.
  func noteReplaced(_ slots: SlotSet) {
    guard let extras = existingExtras, extras.registrar != nil else { return }
    extras.replaced.formUnion(slots)
  }

  func tellTrackersOfReplacedValues() {
    guard let extras = existingExtras else { return }
    let slots = extras.replaced
    extras.replaced = SlotSet()
    tellTrackers(ofNewValuesAt: slots)
  }
}
