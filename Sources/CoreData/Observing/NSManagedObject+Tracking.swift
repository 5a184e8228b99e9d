import CoreDataCRuntime
public import Observation

/// Observation of properties with `withObservationTracking`:
///
/// ```swift
/// withObservationTracking { label.text = note.title } onChange: { … }
/// ```
///
/// The second closure is called once, before the next change of a property that the first one has
/// read, or at the end of an event in which a refresh, a merge or a rollback has replaced the object's
/// values. A change of a relationship through its inverse is noticed, too. Objects of contexts of the
/// main queue are tracked; for others set ``NSManagedObjectContext/allowsObservationTracking``.
extension NSManagedObject: Observable {}

extension NSManagedObjectContext {
  /// A Boolean value that indicates whether `withObservationTracking` notices when properties of
  /// the context's objects are read.
  ///
  /// The default is `true` for contexts of the main queue and `false` for others. Tracking makes
  /// each read some nanoseconds slower.
  public var allowsObservationTracking: Bool {
    get { watch.contains(.trackable) }
    set {
      if newValue { watch.insert(.trackable) } else { watch.remove(.trackable) }
      for object in identityMap.objects {
        if newValue {
          object.record.pointee.watch.insert(.trackable)
        } else {
          object.record.pointee.watch.remove(.trackable)
        }
      }
    }
  }
}

// MARK: - Reading

extension NSManagedObject {
  func trackRead(of slot: Int) {
    guard TrackingProbe.isTracking(reads: self) else { return }
    let registrar = extras.registrar ?? ObservationRegistrar()
    extras.registrar = registrar
    record.pointee.watch.insert(.observed)
    registrar.access(self, keyPath: \NSManagedObject.[tracked: slot])
  }
}

/// Finds out whether `withObservationTracking` is at work on this thread.
///
/// The standard library does not say, and a registrar for every object that is only read would cost
/// more than reading. But a registrar that is told of a read puts its key path into a set exactly
/// then, for which the key path, and so the index in it, is hashed.
private enum TrackingProbe {
  private static let registrar = ObservationRegistrar()
  private static let path = Path()

  static func isTracking(reads object: NSManagedObject) -> Bool {
    // A note can be left over from the end of a closure's tracking: then one read is told in vain.
    registrar.access(object, keyPath: path.keyPath)
    return coredata_take_tracking_note()
  }

  /// Safety: key paths are immutable.
  private struct Path: @unchecked Sendable {
    let keyPath = \NSManagedObject.[probe: Index()]
  }

  struct Index: Hashable {
    func hash(into hasher: inout Hasher) {
      coredata_note_tracking()
    }
  }
}

extension NSManagedObject {
  /// Names a slot for the registrar.
  fileprivate subscript(tracked slot: Int) -> Void { () }

  fileprivate subscript(probe index: TrackingProbe.Index) -> Void { () }
}

// MARK: - Telling

extension NSManagedObject {
  func tellTrackers(before slot: Int) {
    record.pointee.extras?.registrar?.willSet(self, keyPath: \NSManagedObject.[tracked: slot])
  }

  func tellTrackers(after slot: Int) {
    record.pointee.extras?.registrar?.didSet(self, keyPath: \NSManagedObject.[tracked: slot])
  }

  /// Any property may have another value than it had.
  func tellTrackersOfNewValues() {
    guard record.pointee.extras?.registrar != nil else { return }
    for slot in 0..<layout.propertyCount {
      tellTrackers(before: slot)
      tellTrackers(after: slot)
    }
  }
}
