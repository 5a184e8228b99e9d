import CoreDataPredicates
import Foundation
import Synchronization

// MARK: - Merging

extension NSManagedObjectContext {
  func mergeChanges(of notification: Notification) {
    let sender = notification.object as? NSManagedObjectContext
    if sender === self { return }
    var changes = MergedChanges(notification.userInfo ?? [:], for: requiredCoordinator)
    changes.comesFromElsewhere =
      sender?.persistentStoreCoordinator !== persistentStoreCoordinator
    merge(changes)
  }

  /// Merges changes that were made elsewhere, for example by a batch request or by another process,
  /// into several contexts.
  ///
  /// ```swift
  /// let changes = [NSUpdatedObjectsKey: updatedObjectIDs]
  /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [viewContext])
  /// ```
  ///
  /// The changed rows are read again from the stores, with one SQL statement for each kind of object in
  /// each context that has no parent. If a store cannot be read, values stay as they are. Parents merge
  /// before their children, including parents that are not in the list, because a child sees only what its
  /// parent contains. You can call the method on any thread; it waits for the queues of the contexts.
  ///
  /// - Parameters:
  ///   - changeNotificationData: A dictionary with the keys of a context's notifications, such as
  ///     `NSInsertedObjectsKey`, and arrays or sets of `NSManagedObjectID`s, or of the URLs that
  ///     represent them. Other values stop the program. Identities of stores that a context does not
  ///     have are ignored.
  ///   - contexts: The contexts into which to merge the changes.
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
    into contexts: [NSManagedObjectContext]
  ) {
    var seen: Set<ObjectIdentifier> = []
    for context in contexts.flatMap({ $0.lineage.reversed() })
    where seen.insert(ObjectIdentifier(context)).inserted {
      context.queue.sync {
        var changes = MergedChanges(changeNotificationData, for: context.requiredCoordinator)
        changes.comesFromElsewhere = true
        context.merge(changes)
      }
    }
  }
}

// MARK: - By itself

extension NSManagedObjectContext {
  /// A Boolean value that indicates whether the context merges what is saved to its coordinator or
  /// parent.
  ///
  /// For a context with a parent, this covers saves of the parent and saves of other children to
  /// the parent. Each save is merged as by ``mergeChanges(fromContextDidSave:)``, asynchronously on
  /// the context's queue and in the order of the saves. You can set the property on any thread. The
  /// default is `false`.
  public var automaticallyMergesChangesFromParent: Bool {
    get { following.isOn.load(ordering: .acquiring) }
    set {
      following.isOn.store(newValue, ordering: .releasing)
      if newValue { followParent() } else { audienceToJoin?.remove(self) }
    }
  }

  /// The audience that hears of the saves that this context would merge.
  var audienceToJoin: MergeAudience? {
    kinship.parent?.children.audience ?? kinship.coordinator?.audience
  }

  func followParent() {
    if automaticallyMergesChangesFromParent { audienceToJoin?.add(self) }
  }

  func mergeLater(_ changes: MergedChanges) {
    let map = identityMap
    following.underway.add(1, ordering: .acquiringAndReleasing)
    queue.async {
      guard let context = map.context else { return }
      if context.automaticallyMergesChangesFromParent { context.merge(changes) }
      let left = context.following.underway.subtract(1, ordering: .acquiringAndReleasing).newValue
      if left == 0 { context.merges.rows.forgetLater() }
    }
  }
}

// MARK: - The work

extension NSManagedObjectContext {
  /// Takes over changes, informs observers, and passes the changes on to children that merge by themselves.
  func merge(_ changes: MergedChanges) {
    followRenamings()
    advanceGeneration()
    let refreshed = registered(changes.updated).map(\.objectID)
    // Undo does not take back the changes of others here.
    withoutRecording {
      forgetDeparted()
      merging(changes.carried) { merges.departed = take(changes) }
      announceDepartures()
    }
    tellChildren(changes)
    var userInfo = changes.userInfo
    if !refreshed.isEmpty { userInfo[NSRefreshedObjectIDsKey] = Set(refreshed) }
    NotificationCenter.default.post(
      name: .NSManagedObjectContextDidMergeChangesObjectIDs,
      object: self,
      userInfo: userInfo
    )
  }

  /// Makes the objects as they are stored now, and gives those that are gone.
  private func take(_ changes: MergedChanges) -> [NSManagedObject] {
    let known = registered(changes.updated)
    if kinship.parent == nil { bringRowsUpToDate(for: known, changes) }
    for object in registered(changes.invalidated) { renew(object, mergeChanges: false) }
    for object in known { renew(object) }
    takeIn(changes.inserted)
    let gone = registered(changes.deleted).filter { !$0.willBeInserted }
    for object in gone { markGone(object) }
    for object in gone { MergedDeletion(object, in: self).perform() }
    for object in gone { object.leaveTargets() }
    if changes.comesFromElsewhere && !gone.isEmpty
      || gone.contains(where: \.layout.isOneWayDestination)
    {
      // References to them are not reported: not by a batch, nor by relationships without an inverse.
      let gone = Set(gone)
      for object in identityMap.objects { object.forgetMembers(among: gone) }
    }
    return gone
  }

  /// Ends the event, but for the objects that are gone, which stay among the deleted a while.
  private func announceDepartures() {
    scheduleEventEnd()
    tellOfEvent()
    merges.departed.removeAll { $0.life != .deleted }
    if merges.departed.isEmpty { return }
    // From now on, a request for one by its identity finds nothing.
    for object in merges.departed { identityMap.unregister(object, key: object.key) }
    scheduleEventEnd()
  }

  /// Lets go of objects whose deletion was merged in an event that is over.
  func forgetDeparted() {
    if merges.departed.isEmpty { return }
    let objects = merges.departed
    merges.departed = []
    for object in objects where object.life == .deleted { forget(object) }
  }

  private func registered(_ names: [ObjectName]) -> [NSManagedObject] {
    if names.isEmpty { return [] }
    return identityMap.objects(for: names.map { currentName($0.key) }).compactMap { $0 }
  }

  /// Gives a known object its new values, under its own changes.
  private func renew(_ object: NSManagedObject) {
    switch object.life {
    case .clean, .updated:
      renew(object, mergeChanges: true)
      object.yieldTargets()
    case .fault:
      // The row that waits may be the old one.
      let waiting = object.snapshot
      object.snapshot = nil
      object.rememberTargets(in: waiting)
      defer {
        if let carried = carriedRow(named: object.key)?.snapshot {
          object.snapshot = carried
        }
      }
      if !object.layout.returningToOnes.isEmpty, let newer = knownSnapshot(for: object) {
        object.followTargets(fromWaitingTo: newer)
        object.yieldTargets(of: newer)
      }
      noteRefreshed(object)
    case .deleted:
      merges.hidden.note(newerRowOf: object)
    case .inserted, .detached:
      break
    }
  }

  /// Makes faults for new objects, with their rows waiting.
  ///
  /// One that a child knows already, because it has pushed it itself or heard of it from a sibling,
  /// is only refreshed.
  private func takeIn(_ names: [ObjectName]) {
    if names.isEmpty { return }
    var known: Set<NSManagedObject> = []
    if kinship.parent != nil { known = Set(registered(names)) }
    for object in currentObjects(names) {
      if known.contains(object) {
        renew(object)
      } else if !object.hasChanges {
        if let row = object.snapshot {
          object.followTargets(from: nil, to: row)
          object.yieldTargets(of: row)
        }
        tracker.event.inserted.append(object)
      }
    }
  }

  /// The object's row is gone; nothing is left to save.
  private func markGone(_ object: NSManagedObject) {
    tracker.leave(object)
    pending.settle(object)
    object.life = .deleted
    object.trackerIndex = -1
    tracker.event.deleted.append(object)
  }
}

// MARK: - Rows

extension NSManagedObjectContext {
  /// Makes sure that the cache has the rows that objects will take.
  private func bringRowsUpToDate(for objects: [NSManagedObject], _ changes: MergedChanges) {
    var names = objects.map { ObjectName($0) }
    if changes.comesFromElsewhere {
      names += changes.inserted
      // Children may know what is not known here.
      if !children.audience.isEmpty { names += changes.updated }
    }
    readRows(named: names, evenIfCached: changes.comesFromElsewhere)
  }

  /// The objects with these names that exist.
  private func currentObjects(_ names: [ObjectName]) -> [NSManagedObject] {
    noteReadingOfRows()
    if let parent {
      let carried = names.compactMap { name -> (ObjectKey, Row)? in
        let key = currentName(name.key)
        return carriedRow(named: key).map { (key, $0) }
      }
      if carried.count == names.count {
        return objects(for: carried.map(\.1), named: carried.map(\.0))
      }
      // A parent that cannot be asked now leaves the objects for later.
      guard let passed = try? parent.queue.sync({ try parent.passedRows(named: names) }) else {
        return []
      }
      return objects(for: passed)
    }
    readRows(named: names, evenIfCached: false)
    var found = PassedRows()
    for name in names {
      // A store that cannot be read now has nothing to say of its rows.
      guard let store = persistentStoreCoordinator?.store(numbered: name.key.store),
        let cached = try? view(of: store)?.cache[name.key], let snapshot = cached.snapshot
      else { continue }
      found.keys.append(name.key)
      found.rows.append(Row(primaryKey: name.key.number, layout: cached.layout, snapshot: snapshot))
    }
    return objects(for: found)
  }

  /// Reads rows into the cache; those that are not there are noted as gone.
  private func readRows(named names: [ObjectName], evenIfCached: Bool) {
    for (number, names) in Dictionary(grouping: names, by: \.key.store) {
      // A store that cannot be read now leaves the values as they are.
      guard let store = persistentStoreCoordinator?.store(numbered: number),
        let view = try? view(of: store)
      else { continue }
      let missing = evenIfCached ? names : names.filter { view.cache[$0.key] == nil }
      for (root, names) in Dictionary(grouping: missing, by: \.key.root) {
        guard let layout = model[number: root] else { continue }
        var plan = FetchPlan(layout)
        plan.predicate = NSPredicate(format: "SELF IN %@", names.map(\.id)).tree
        // Rows that cannot be read now stay as they are known.
        try? view.renew(names, by: plan)
      }
    }
    if evenIfCached { persistentStoreCoordinator?.noteOldRows() }
  }
}
