/// Lets events through to live results, or keeps them out.
///
/// ```
/// a note in f changes ─▶ folder == f   open     it is among the results, or may come among them
///                     ─▶ folder == g   shut
///                     ─▶ stars > 3     open     any note may meet the predicate
/// ```
///
/// The context asks the gate, so that an event costs results that it does not touch a few lookups, and no
/// evaluation of their predicate; or it does not even ask, if the gate sleeps in a ``GateIndex``. Used on the
/// context's queue only.
final class ResultsGate {
  /// The objects of the results; nil while nobody knows them.
  private(set) var members: ObjectAddresses?
  /// Whether objects of the results must be reported again, with the identity that a save gives them.
  var awaitsIdentities = false {
    didSet { noteSaves() }
  }
  /// Whether results went by events, so that what they show says nothing of the values of their objects.
  var isBehind = false {
    didSet { if isBehind { wake() } }
  }
  /// Whether a save may change the results, of whose event they have heard.
  private(set) var admitsSaves = false
  private(set) var demand: DemandedValue?
  private var layout: EntityLayout?
  private var isSettled = true
  private var hasDerivedValues = false
  /// Where the gate sleeps; gone with the context.
  private weak var column: GateColumn?

  /// Lets through what may change the results of a rule; nothing without a rule.
  func follow(_ rule: ResultsRule?) {
    wake()
    layout = rule?.layout
    demand = rule?.demand
    isSettled = demand == nil
    hasDerivedValues = rule?.hasDerivedValues ?? false
    noteSaves()
  }

  private func noteSaves() {
    admitsSaves = awaitsIdentities || hasDerivedValues
    if admitsSaves { wake() }
  }

  /// Whether an event may change the results.
  func admits(_ objects: ChangedObjects) -> Bool {
    if awaitsIdentities { return true }
    settle()
    if let demand, let members {
      return objects.mayInclude(demand) || objects.includeAny(of: members)
    }
    guard let layout else { return false }
    return objects.includeAny(of: layout)
  }

  private func settle() {
    if !isSettled { isSettled = demand?.settle() ?? true }
  }
}

// MARK: - The objects of the results

extension ResultsGate {
  /// Takes note of all of them, or of nobody knowing them.
  func setMembers(_ all: ObjectAddresses?) {
    wake()
    members = all
  }

  func add(_ object: NSManagedObject) {
    members?.insert(object)
    if let column, let fingerprint = demand?.fingerprint { column.note(object, fingerprint) }
  }

  func remove(_ object: NSManagedObject) {
    members?.remove(object)
  }
}

// MARK: - Sleeping

extension ResultsGate {
  var isAsleep: Bool { column != nil }

  /// Whether an event can only mean something that has an object with the demanded value, or one of the results.
  var canSleep: Bool {
    guard demand != nil, members != nil, !admitsSaves, !isBehind, !isAsleep else { return false }
    settle()
    return isSettled
  }

  func sleep(in column: GateColumn) {
    self.column = column
  }

  /// Wants to be asked at each event again.
  private func wake() {
    guard let column else { return }
    self.column = nil
    if let fingerprint = demand?.fingerprint { column.release(self, fingerprint) }
  }
}
