/// Gates that demand a value, by that value, so that an event asks those alone to which its objects lead.
///
/// ```
/// folder   f ─▶ gates of folder == f …     a note in f changes         ─▶ these
///          g ─▶ gates of folder == g …     a note goes from f to g     ─▶ these and those of f: it may be among their results
/// ```
///
/// Used on the context's queue only. A gate is here as long as it stays as it is; a change wakes it
/// (``ResultsGate/isAsleep``), and it is asked at each event until it is put to sleep again.
final class GateIndex {
  private var columns: [GateColumn] = []
  /// Gates that have left, and are not yet among those that are asked.
  private var risen: [ListenerPlace] = []
  /// How many gates sleep, those whose results are gone among them until they are looked for.
  private(set) var count = 0
  /// So many at once are looked through for those whose results are gone.
  private var sweepCount = 64

  var isEmpty: Bool { count == 0 }

  /// Takes a gate that can sleep.
  func insert(_ place: ListenerPlace) {
    guard let gate = place.gate, let demand = gate.demand else { return }
    let column =
      columns.first { $0.layout === demand.layout && $0.slot == demand.slot }
      ?? makeColumn(demand)
    column.insert(place, gate)
    count += 1
    if count > sweepCount { sweep() }
  }

  private func makeColumn(_ demand: DemandedValue) -> GateColumn {
    let column = GateColumn(demand.layout, demand.slot, in: self)
    columns.append(column)
    return column
  }

  /// The gates that an event may open, in their order.
  func places(touchedBy objects: ChangedObjects) -> [ListenerPlace] {
    var found: [ListenerPlace] = []
    for column in columns { found += column.places(touchedBy: objects) }
    if found.count > 1 { found.sort { $0.number < $1.number } }
    return found
  }

  fileprivate func rise(_ place: ListenerPlace) {
    risen.append(place)
    count -= 1
  }

  func takeRisen() -> [ListenerPlace] {
    if risen.isEmpty { return [] }
    defer { risen = [] }
    return risen
  }

  /// Forgets gates whose results are gone.
  private func sweep() {
    count = columns.reduce(0) { $0 + $1.sweep() }
    sweepCount = max(64, count * 2)
  }
}

/// The gates that demand a value of one property.
final class GateColumn {
  unowned(unsafe) let layout: EntityLayout
  let slot: Int
  private unowned let index: GateIndex
  private var places: [Int: [ListenerPlace]] = [:]
  /// For each object that is, or was, among the results of a gate: the demand of that gate.
  ///
  /// An object that leaves stays here until the index is rebuilt; until then a gate may be asked in vain.
  private var demandedOf: [UInt: Int] = [:]
  /// The demands of further gates that have the object.
  ///
  /// They differ only if results show something that is no longer true.
  private var moreDemandedOf: [UInt: Set<Int>] = [:]
  private var gatherCount = 1_000

  fileprivate init(_ layout: EntityLayout, _ slot: Int, in index: GateIndex) {
    self.layout = layout
    self.slot = slot
    self.index = index
  }

  // MARK: Coming and going

  fileprivate func insert(_ place: ListenerPlace, _ gate: ResultsGate) {
    guard let fingerprint = gate.demand?.fingerprint, let members = gate.members else { return }
    places[fingerprint, default: []].append(place)
    gate.sleep(in: self)
    for address in members.all { note(address, fingerprint) }
    if demandedOf.count + moreDemandedOf.count > gatherCount { gather() }
  }

  /// A gate that changes, or has to hear of more.
  func release(_ gate: ResultsGate, _ fingerprint: Int) {
    guard let place = places[fingerprint]?.first(where: { $0.gate === gate }) else { return }
    places[fingerprint]?.removeAll { $0 === place }
    if places[fingerprint]?.isEmpty ?? false { places[fingerprint] = nil }
    index.rise(place)
  }

  /// An object has come among the results of a gate.
  func note(_ object: NSManagedObject, _ fingerprint: Int) {
    note(ObjectAddresses.address(of: object), fingerprint)
    if demandedOf.count + moreDemandedOf.count > gatherCount { gather() }
  }

  private func note(_ address: UInt, _ fingerprint: Int) {
    guard let known = demandedOf[address] else {
      demandedOf[address] = fingerprint
      return
    }
    if known != fingerprint { moreDemandedOf[address, default: []].insert(fingerprint) }
  }

  /// Forgets what is true of no gate any more.
  private func gather() {
    (demandedOf, moreDemandedOf) = ([:], [:])
    for (fingerprint, places) in places {
      for place in places {
        guard let members = place.gate?.members else { continue }
        for address in members.all { note(address, fingerprint) }
      }
    }
    gatherCount = max(1_000, 2 * (demandedOf.count + moreDemandedOf.count))
  }

  fileprivate func sweep() -> Int {
    for (fingerprint, all) in places {
      let left = all.filter { $0.listener != nil }
      if left.count < all.count { places[fingerprint] = left.isEmpty ? nil : left }
    }
    gather()
    return places.values.reduce(0) { $0 + $1.count }
  }

  // MARK: Asking

  fileprivate func places(touchedBy objects: ChangedObjects) -> [ListenerPlace] {
    if places.isEmpty || !objects.includeAny(of: layout) { return [] }
    guard var touched = objects.fingerprints(layout, slot) else {
      return places.values.flatMap { $0 }
    }
    for object in objects.of(layout) {
      let address = ObjectAddresses.address(of: object)
      guard let fingerprint = demandedOf[address] else { continue }
      touched.insert(fingerprint)
      if let more = moreDemandedOf[address] { touched.formUnion(more) }
    }
    return touched.flatMap { places[$0] ?? [] }
  }
}
