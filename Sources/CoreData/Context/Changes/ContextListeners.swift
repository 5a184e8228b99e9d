import Synchronization

/// The listeners of a context, none of which it keeps alive; they come and go on any thread.
///
/// ```
/// an event ─▶ awake     streams; results whose gate has to be asked
///          ─▶ GateIndex ─▶ results that its objects lead to
/// ```
///
/// Results that demand a value sleep in the index as long as no event touches them, so that an event costs nothing for
/// those of which it means nothing, however many there are.
final class ContextListeners: Sendable {
  let places = Mutex(Places())
  /// Used on the context's queue only.
  let index = Handover(GateIndex())

  struct Places {
    /// In the order in which they came.
    var all: [Handover<ListenerPlace>] = []
    /// The listeners that hear of every event, or whose gate it asks.
    var awake: [Handover<ListenerPlace>] = []
    fileprivate var given = 0

    fileprivate mutating func removeAll(where isGone: (ListenerPlace) -> Bool) {
      all.removeAll { isGone($0.value) }
      awake.removeAll { isGone($0.value) }
    }
  }

  /// Adds a listener, which hears of everything, or of what its gate lets through.
  func add(_ listener: any ContextListener, behind gate: ResultsGate? = nil) {
    let listener = Handover((listener, gate))
    places.withLock { places in
      places.removeAll { $0.listener == nil }
      places.given += 1
      let (listener, gate) = listener.value
      let place = Handover(ListenerPlace(listener, gate, number: places.given))
      places.all.append(place)
      places.awake.append(place)
    }
  }

  func remove(_ listener: any ContextListener) {
    let gone = ObjectIdentifier(listener)
    places.withLock { places in
      places.removeAll { place in place.listener.map { ObjectIdentifier($0) == gone } ?? true }
    }
  }
}

/// The place of a listener among those of a context.
///
/// It is informed on the context's queue, and its gate is used only there.
final class ListenerPlace {
  weak let listener: (any ContextListener)?
  let gate: ResultsGate?
  /// Lower for a listener that was added earlier.
  let number: Int

  init(_ listener: any ContextListener, _ gate: ResultsGate?, number: Int) {
    self.listener = listener
    self.gate = gate
    self.number = number
  }
}

// MARK: - Telling

extension ContextListeners {
  /// Tells all of them.
  func tell(_ message: (any ContextListener) -> Void) {
    for place in places.withLock({ $0.all }) { place.value.listener.map(message) }
  }

  /// Informs the listeners that an event may concern.
  func tellOfEvent(_ changes: ContextChanges) {
    takeRisen()
    let awake = places.withLock { $0.awake }
    let touched = index.value.isEmpty ? [] : index.value.places(touchedBy: changes.objects)
    var next = touched.makeIterator()
    var sleeper = next.next()
    func tell(_ place: ListenerPlace) {
      if let gate = place.gate, !gate.admits(changes.objects) { return }
      place.listener?.contextDidChange(changes)
    }
    for place in awake {
      while let earlier = sleeper, earlier.number < place.value.number {
        tell(earlier)
        sleeper = next.next()
      }
      tell(place.value)
    }
    while let last = sleeper {
      tell(last)
      sleeper = next.next()
    }
    putToSleep(awake)
  }

  /// Informs the listeners that a save may concern; no gate in the index lets one through.
  func tellOfSave(_ changes: ContextChanges) {
    takeRisen()
    for place in places.withLock({ $0.awake }) where place.value.gate?.admitsSaves ?? true {
      place.value.listener?.contextDidSave(changes)
    }
  }

  /// Takes the gates that have left the index back among those that are asked.
  private func takeRisen() {
    let risen = index.value.takeRisen()
    if risen.isEmpty { return }
    let places = Handover(risen)
    self.places.withLock { all in
      all.awake += places.value.map { Handover($0) }
      all.awake.sort { $0.value.number < $1.value.number }
    }
  }

  private func putToSleep(_ awake: [Handover<ListenerPlace>]) {
    var isAnyAsleep = false
    for place in awake where place.value.gate?.canSleep ?? false {
      if place.value.listener == nil { continue }
      index.value.insert(place.value)
      isAnyAsleep = true
    }
    guard isAnyAsleep else { return }
    places.withLock { $0.awake.removeAll { $0.value.gate?.isAsleep ?? false } }
  }
}
