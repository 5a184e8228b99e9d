import Foundation

/// The results of a request, which follow the changes of a context.
///
/// ```
/// fetch ─▶ Arrangement ◀─ ResultsGate ◀─ events of the context
///               ╰▶ ResultsChange ─▶ report, readers
/// ```
///
/// An event is worked in by its objects alone; nothing is fetched, unless the request has a limit or an offset.
/// Events that cannot change the results stay before the gate. Parts of the order or of a section that come from
/// *another* object (`folder.name`) are judged when the object itself is touched, as Apple's
/// controller does: a folder's new name moves no note.
final class LiveResults: ContextListener {
  /// Not kept alive: the followed results may outlive it, and are informed.
  private(set) weak var context: NSManagedObjectContext?
  private(set) var rule: ResultsRule? {
    didSet { gate.follow(rule) }
  }
  private(set) var arrangement: Arrangement?
  /// How often the arrangement has changed.
  private(set) var revision = 0
  /// Hears of each change, and says whether anybody was interested.
  var report: ((ResultsChange) -> Bool)?
  /// Whether an event is worked in when it comes.
  var isFollowed: () -> Bool = { true }
  /// Whether it is not known yet that anybody is interested, so that a change may be taken back.
  var mayLoseInterest = false
  /// Whether the results are fetched again when the context has forgotten its objects.
  var survivesReset = false
  var readers = SnapshotReaders()

  /// The context asks it before it announces an event; it knows the objects of the arrangement.
  private let gate = ResultsGate()
  /// The identities that were reported for objects that were not saved then.
  private var temporary: Told = [:] {
    didSet { gate.awaitsIdentities = !temporary.isEmpty }
  }
  /// Whether events went by that were not worked in.
  private var hasMissedEvents = false {
    didSet { gate.isBehind = hasMissedEvents }
  }

  private typealias Told = [ObjectIdentifier: (object: NSManagedObject, id: NSManagedObjectID)]

  init(_ context: NSManagedObjectContext) {
    self.context = context
    context.listeners.add(self, behind: gate)
  }

  deinit {
    readers.end(with: nil)
  }
}

// MARK: - Fetching

extension LiveResults {
  /// Takes the fetched results; reports nothing.
  func adopt(_ arrangement: Arrangement, by rule: ResultsRule) {
    self.rule = rule
    self.arrangement = arrangement
    revision += 1
    gate.setMembers(nil)
    hasMissedEvents = false
    noteTemporary()
  }

  /// Fetches again and reports the differences; one statement.
  func refetch(by rule: ResultsRule, touched: Set<NSManagedObject> = []) throws {
    guard let context, let old = arrangement else { return }
    let new = try Arrangement(context.fetch(rule.request), by: rule)
    let change = ResultsChange(from: old, to: new, touched: touched)
    let known = temporary
    adopt(new, by: rule)
    tell(change, known)
  }

  /// Notes the objects of the arrangement that are not saved.
  private func noteTemporary() {
    temporary = [:]
    for object in context?.tracker.inserted.objects ?? [] where isMember(object) { note(object) }
  }

  private func note(_ object: NSManagedObject) {
    guard object.key.isTemporary else { return }
    temporary[ObjectIdentifier(object)] = (object, object.objectID)
  }

  private func isMember(_ object: NSManagedObject) -> Bool {
    members.contains(object)
  }

  /// The objects of the arrangement, gathered when they are first needed.
  private var members: ObjectAddresses {
    if let members = gate.members { return members }
    var all = ObjectAddresses(capacity: arrangement?.count ?? 0)
    for section in arrangement?.sections ?? [] {
      for object in section.objects { all.insert(object) }
    }
    gate.setMembers(all)
    return all
  }
}

// MARK: - Following

extension LiveResults {
  func contextDidChange(_ changes: ContextChanges) {
    guard rule != nil, arrangement != nil else { return }
    guard isFollowed() else {
      hasMissedEvents = true
      return
    }
    reportRenamed()
    work(in: changes.objects)
  }

  func contextDidSave(_ changes: ContextChanges) {
    guard let rule, arrangement != nil else { return }
    guard isFollowed() else {
      if rule.hasDerivedValues { hasMissedEvents = true }
      return
    }
    reportRenamed()
    // The store has computed values that the event did not have.
    if rule.hasDerivedValues { work(in: changes.objects) }
  }

  func contextDidInvalidate(_ objects: [NSManagedObject]) {
    guard let rule, arrangement != nil else { return }
    guard isFollowed() else {
      hasMissedEvents = true
      return
    }
    var touched = TouchedObjects()
    touched.departing = objects.filter(isMember)
    if !touched.isEmpty { work(in: touched, by: rule) }
  }

  func contextDidReset() {
    let rule = rule
    // The objects have left the context; the results stay as they are until the next fetch.
    (self.rule, temporary) = (nil, [:])
    gate.setMembers(nil)
    guard survivesReset, let context, let rule else { return }
    do {
      adopt(try Arrangement(context.fetch(rule.request), by: rule), by: rule)
      offerAnew()
    } catch {
      readers.end(with: error)
    }
  }

  func contextDidEnd() {
    readers.end(with: nil)
  }

  private func work(in objects: ChangedObjects) {
    guard let rule else { return }
    let touched = judge(objects, by: rule)
    let mayMoveResults = rule.hasOffset && objects.includeAny(of: rule.layout)
    if touched.isEmpty, !mayMoveResults { return }
    work(in: touched, by: rule)
  }

  private func work(in touched: TouchedObjects, by rule: ResultsRule) {
    if rule.hasRange || hasMissedEvents {
      // An error leaves the results as they are; the next event tries again.
      hasMissedEvents = (try? refetch(by: rule, touched: Set(touched.staying))) == nil
      return
    }
    let before = mayLoseInterest ? arrangement : nil
    guard let change = arrangement?.rearrange(touched, by: rule) else { return }
    revision += 1
    for object in touched.arriving { gate.add(object) }
    for object in touched.departing { gate.remove(object) }
    let known = temporary
    for object in touched.arriving { note(object) }
    for object in touched.departing { temporary[ObjectIdentifier(object)] = nil }
    let isInteresting = tell(change, known)
    if !isInteresting, let before { takeBack(to: before) }
    if isInteresting { mayLoseInterest = false }
  }

  /// Finds the effect of an event's objects on the results, by their values now.
  private func judge(_ objects: ChangedObjects, by rule: ResultsRule) -> TouchedObjects {
    var touched = TouchedObjects()
    for object in candidates(among: objects, by: rule) where rule.concerns(object) {
      switch (isMember(object), rule.admits(object)) {
      case (true, true): touched.staying.append(object)
      case (true, false): touched.departing.append(object)
      case (false, true): touched.arriving.append(object)
      case (false, false): continue
      }
    }
    touched.arriving.sort { one, other in
      let (key, second) = (one.key, other.key)
      // In the order of the stores' numbers: new objects come last.
      if key.isTemporary != second.isTemporary { return second.isTemporary }
      return key.number < second.number
    }
    return touched
  }

  /// The objects that are among the results or may come among them; of others the predicate is not asked.
  private func candidates(
    among objects: ChangedObjects,
    by rule: ResultsRule
  ) -> [NSManagedObject] {
    guard let demand = rule.demand else { return objects.of(rule.layout) }
    return objects.among(members) + objects.having(demand).filter { !isMember($0) }
  }

  /// The change was not reported to anybody: the results stay as they were from now on.
  private func takeBack(to before: Arrangement) {
    arrangement = before
    gate.setMembers(nil)
    hasMissedEvents = true
    revision += 1
  }

  /// Reports objects whose identity has changed since they were reported: the save made it permanent.
  private func reportRenamed() {
    let renamed = temporary.values.filter { $0.object.objectID != $0.id }
    guard !renamed.isEmpty, let arrangement else { return }
    let places = arrangement.places(of: renamed.map(\.object))
    var change = ResultsChange(startsBefore: arrangement.starts, startsAfter: arrangement.starts)
    for (object, id) in renamed {
      let place = places[ObjectIdentifier(object)]
      change.renamed.append(
        (id, ResultsChange.ObjectChange(object: object, type: .move, old: place, new: place))
      )
    }
    let known = temporary
    for (object, _) in renamed { temporary[ObjectIdentifier(object)] = nil }
    revision += 1
    tell(change, known)
  }

  /// Gives readers what is here, without a difference from before.
  func offerAnew() {
    guard !readers.isEmpty, let arrangement else { return }
    revision += 1
    readers.offer(FetchedResultsSnapshot(arrangement, revision: revision, after: nil))
  }

  /// Tells report and readers; gives whether anybody was interested.
  @discardableResult
  private func tell(_ change: ResultsChange, _ known: Told) -> Bool {
    var change = change
    change.known = known.mapValues(\.id)
    if change.isEmpty { return true }
    if !readers.isEmpty, let arrangement {
      readers.offer(FetchedResultsSnapshot(arrangement, revision: revision, after: change))
    }
    return report?(change) ?? true
  }
}
