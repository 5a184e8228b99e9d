/// What lets an event through to live results, or keeps it from them.
///
/// ```
/// a note in f changes ─▶ folder == f   open     it is among the results, or may come among them
///                     ─▶ folder == g   shut
///                     ─▶ stars > 3     open     any note may meet the predicate
/// ```
///
/// The context asks the gate, so that an event costs results that it does not touch a few lookups, and no
/// evaluation of their predicate. Used on the context's queue only.
final class ResultsGate {
  /// The objects of the results; nil while nobody knows them.
  var members: ObjectAddresses?
  /// Whether objects of the results are to be told of again, with the identity that a save gives them.
  var awaitsIdentities = false {
    didSet { admitsSaves = awaitsIdentities || hasDerivedValues }
  }
  /// Whether a save may change the results, of whose event they have heard.
  private(set) var admitsSaves = false
  private var layout: EntityLayout?
  private var demand: DemandedValue?
  private var isSettled = true
  private var hasDerivedValues = false

  /// Lets through what may change the results of a rule; nothing without a rule.
  func follow(_ rule: ResultsRule?) {
    layout = rule?.layout
    demand = rule?.demand
    isSettled = demand == nil
    hasDerivedValues = rule?.hasDerivedValues ?? false
    admitsSaves = awaitsIdentities || hasDerivedValues
  }

  /// Whether an event may change the results.
  func admits(_ objects: ChangedObjects) -> Bool {
    if awaitsIdentities { return true }
    if !isSettled { isSettled = demand?.settle() ?? true }
    if let demand, let members {
      return objects.mayInclude(demand) || objects.includeAny(of: members)
    }
    guard let layout else { return false }
    return objects.includeAny(of: layout)
  }
}
