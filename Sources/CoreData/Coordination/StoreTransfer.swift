import Foundation

/// Takes everything that is in one store over into another, which is empty.
///
/// ```
/// rows of the source ─▶ loose objects ─▶ rows with the target's keys ─▶ one save
/// history            ───────────────────────────────────────────────▶
/// ```
///
/// The source is read at one moment if it can hold one. No object comes to life and no rule is applied: everything
/// that was saved once is saved as it is, except for keys of missing objects, which lead to nothing before and after.
/// Costs a statement for each object and relationship that is kept in pairs, and the memory for all objects.
/// ``StoreExport`` does without that, if a database becomes a file and stays what it is.
struct StoreTransfer {
  private let source: NSPersistentStore
  private let target: NSPersistentStore
  private let model: ModelLayout
  /// The source's backend, at one moment if it can hold one.
  private let backend: any RowStore
  /// Whether the target becomes the same store at another place, with the source's UUID and its history.
  private let isWhole: Bool

  /// The result of the transfer.
  struct Outcome {
    let moved: [ObjectKey: Moved]
    /// The keys that were left out, for they lead to objects that are not there: how many of which
    /// relationship.
    let danglingKeys: [String: Int]
  }

  /// The new key and entity of an object.
  struct Moved {
    let key: ObjectKey
    let entity: Int32
    let snapshot: Snapshot?
  }

  init(
    from source: NSPersistentStore,
    to target: NSPersistentStore,
    in model: ModelLayout,
    isWhole: Bool
  ) throws {
    self.source = source
    self.target = target
    self.model = model
    self.isWhole = isWhole
    let pinned = try (source.backend as? any PinnableStore)?.pinned(
      from: .primary,
      for: "a copy of the store"
    )
    backend = pinned ?? source.backend
  }

  /// Saves all objects in the target, and gives the new key of each.
  func perform(asking coordinator: NSPersistentStoreCoordinator) throws -> Outcome {
    let objects = try looseObjects()
    let history = try isWhole && target.history != nil ? heldHistory() : nil
    let transaction = try target.backend.beginSave()
    do {
      if let own = transaction as? any ObjectTransaction {
        try transaction.setMetadata(target.metadata)
        return try bring(objects, into: own, coordinator)
      }
      let keys = try keys(for: objects, history?.excerpt, in: transaction)
      if isWhole, keys.areKept { target.identifier = source.identifier }
      try transaction.setMetadata(target.metadata)
      let numbers = keys.numbers
      if let (excerpt, last) = history {
        let carried = CarriedHistory(excerpt, lastTransaction: last, numbers)
        (transaction as? any CarryingTransaction)?.carry(carried)
      }
      let (renumbered, dangling) = self.renumbered(objects, numbers)
      let rows = try RowAssembly.rows(of: renumbered, in: model) { try transaction.keepInFile($0) }
      _ = try transaction.perform(rows.insertion(in: model))
      try transaction.commit()
      target.hasUnsavedMetadata = false
      return Outcome(moved: moved(objects, renumbered, rows), danglingKeys: dangling)
    } catch let error as OvertakenSave {
      transaction.rollback()
      throw error.cause
    } catch {
      transaction.rollback()
      throw error
    }
  }
}

// MARK: - Reading

extension StoreTransfer {
  private var roots: [EntityLayout] { model.entities.filter { $0.number == $0.rootNumber } }

  private func looseObjects() throws -> [LooseObject] {
    var objects: [LooseObject] = []
    for root in roots {
      for row in try backend.rows(for: FetchPlan(root)) {
        // Rows of stores of one's own come without values.
        var whole: Row? = row
        if row.snapshot == nil {
          whole = try backend.row(row.primaryKey, for: RowPlan(row.layout))
        }
        guard let whole else { continue }
        let object = try LooseObject(whole, externalData: source.externalData, members: members)
        if let object { objects.append(object) }
      }
    }
    return objects
  }

  /// The members of a relationship; none if the other end is exported too.
  private func members(
    of owner: Int64,
    in layout: EntityLayout,
    at slot: Int
  ) throws -> [Int64] {
    if let end = layout.slots[slot].end, let inverse = end.inverse, !end.isOrdered,
      model[number: end.destination]?.kinds[inverse] == .toOne
    {
      return []
    }
    return try backend.members(of: owner, for: MemberPlan(layout, at: slot)).map(\.primaryKey)
  }

  /// The source's notes of all writes, from the same moment as the rows; `nil` if it does not have a history.
  private func heldHistory() throws -> (excerpt: HistoryExcerpt, last: Int64)? {
    guard let history = backend as? any HistoricStore, history.hasHistory else { return nil }
    let excerpt = try history.excerpt(HistoryPlan(), of: source, withChanges: true)
    return (excerpt, try history.lastTransactionNumber() ?? 0)
  }
}

// MARK: - New keys

extension StoreTransfer {
  private typealias Numbers = [ObjectKey: Int64]

  private func key(of object: LooseObject) -> ObjectKey {
    ObjectKey(store: source.number, root: object.layout.rootNumber, number: object.number)
  }

  /// The new numbers of objects.
  private struct Keys {
    var numbers: Numbers = [:]
    /// Whether every object has the number that it had.
    var areKept = true
  }

  /// Objects keep their numbers where the target gives numbers from 1 for each tree of entities.
  ///
  /// Objects that only the history knows have numbers too. The numbers of a whole store go on from the source's, so
  /// that none means another object than before.
  private func keys(
    for objects: [LooseObject],
    _ history: HistoryExcerpt?,
    in transaction: any SaveTransaction
  ) throws -> Keys {
    var keys = Keys()
    for (root, named) in namedKeys(objects, history) {
      var last = named.map(\.number).max() ?? 0
      if isWhole, let counted = backend as? any CountedStore {
        last = max(last, try counted.lastKey(of: root))
      }
      if last == 0, named.isEmpty { continue }
      let mayKeep =
        !transaction.sharesKeys && named.allSatisfy { $0.number > 0 } && last < 1 << 62
      let count = mayKeep ? Int(last) : named.count
      let carrying = isWhole ? transaction as? any CarryingTransaction : nil
      let first =
        try carrying?.takeKeys(root: root.number, count: count)
        ?? transaction.reserveKeys(root: root.number, count: count)
      let keeps = mayKeep && first == 1
      keys.areKept = keys.areKept && keeps
      for (place, key) in named.enumerated() {
        keys.numbers[key] = keeps ? key.number : first + Int64(place)
      }
    }
    return keys
  }

  /// The keys of objects that are there or were, each once, by trees of entities.
  private func namedKeys(
    _ objects: [LooseObject],
    _ history: HistoryExcerpt?
  ) -> [(root: EntityLayout, keys: [ObjectKey])] {
    var named: [Int32: [ObjectKey]] = [:]
    for object in objects { named[object.layout.rootNumber, default: []].append(key(of: object)) }
    if let history {
      var seen = Set(objects.map(key))
      for index in history.changes.indices {
        let key = history.key(ofChange: index)
        if seen.insert(key).inserted { named[key.root, default: []].append(key) }
      }
    }
    return roots.map { ($0, named[$0.number] ?? []) }
  }

  private func renumbered(
    _ objects: [LooseObject],
    _ numbers: Numbers
  ) -> (objects: [LooseObject], dangling: [String: Int]) {
    var dangling: [String: Int] = [:]
    let renumbered = objects.map { object in
      var copy = LooseObject(numbers[key(of: object)] ?? object.number, of: object.layout)
      copy.values = object.values
      for link in object.links {
        guard let end = object.layout.slots[link.slot].end,
          let destination = model[number: end.destination]
        else { continue }
        let members = link.members.compactMap { member in
          numbers[ObjectKey(store: source.number, root: destination.rootNumber, number: member)]
        }
        if members.count < link.members.count {
          let name = "\(object.layout.name).\(object.layout.slots[link.slot].name)"
          dangling[name, default: 0] += link.members.count - members.count
        }
        if members.isEmpty, !link.members.isEmpty { continue }
        copy.links.append(LooseObject.Link(slot: link.slot, members: members))
      }
      return copy
    }
    return (renumbered, dangling)
  }

  private func moved(
    _ objects: [LooseObject],
    _ renumbered: [LooseObject],
    _ rows: MemoryRows
  ) -> [ObjectKey: Moved] {
    var moved: [ObjectKey: Moved] = [:]
    for (old, new) in zip(objects, renumbered) {
      let root = new.layout.rootNumber
      moved[key(of: old)] = Moved(
        key: ObjectKey(store: target.number, root: root, number: new.number),
        entity: new.layout.number,
        snapshot: rows[root, new.number]?.snapshot
      )
    }
    return moved
  }
}

// MARK: - Into stores of one's own

extension StoreTransfer {
  /// Authors of stores want objects to take the values from: they are made for this alone, and nobody
  /// hears of them.
  private func bring(
    _ objects: [LooseObject],
    into transaction: any ObjectTransaction,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws -> Outcome {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let made = objects.map { context.standIn(for: $0) }
      let byKey = Dictionary(zip(objects.map(key), made)) { first, _ in first }
      for (object, standIn) in zip(objects, made) { connect(standIn, object, byKey) }
      let keys = try transaction.reserveKeys(for: made)
      var numbers: Numbers = [:]
      for (object, number) in zip(objects, keys) { numbers[key(of: object)] = number }
      for (standIn, number) in zip(made, keys) {
        let root = standIn.layout.rootNumber
        standIn.rename(to: ObjectKey(store: target.number, root: root, number: number))
      }
      let (renumbered, dangling) = self.renumbered(objects, numbers)
      let rows = try RowAssembly.rows(of: renumbered, in: model)
      let plan = rows.insertion(in: model)
      let standIns = Dictionary(zip(made.map(\.key), made)) { first, _ in first }
      let inserted = plan.inserts.compactMap { row in
        standIns[
          ObjectKey(store: target.number, root: row.layout.rootNumber, number: row.primaryKey)
        ]
      }
      _ = try transaction.perform(ObjectPlan(plan, inserted: inserted))
      try transaction.commit()
      for object in made { context.forget(object) }
      return Outcome(moved: moved(objects, renumbered, rows), danglingKeys: dangling)
    }
  }

  private func connect(
    _ standIn: NSManagedObject,
    _ object: LooseObject,
    _ byKey: [ObjectKey: NSManagedObject]
  ) {
    for link in object.links {
      guard let end = object.layout.slots[link.slot].end,
        let destination = model[number: end.destination]
      else { continue }
      let members = link.members.compactMap { number in
        byKey[ObjectKey(store: source.number, root: destination.rootNumber, number: number)]
      }
      if object.layout.kinds[link.slot].isToMany {
        for member in members { standIn.collection(at: link.slot).insert(member) }
      } else if let target = members.first {
        standIn.overlay.set(.object(target), at: link.slot)
        adopt(standIn, in: target, inverse: end.inverse)
      }
    }
  }

  /// A one-to-many relationship without an order is told by its members alone.
  private func adopt(_ member: NSManagedObject, in owner: NSManagedObject, inverse: Int?) {
    guard let inverse, owner.layout.kinds[inverse] == .toMany else { return }
    owner.collection(at: inverse).insert(member)
  }
}

extension NSManagedObjectContext {
  /// An object with the attributes of a loose one, of which no observer and no method hears.
  fileprivate func standIn(for loose: LooseObject) -> NSManagedObject {
    let layout = loose.layout
    let object = layout.objectClass.init(entity: layout.description, insertInto: nil)
    object.takeTemporaryNumber()
    object.life = .inserted
    object.identityMap = identityMap
    identityMap.register(object, key: object.key)
    for (slot, value) in loose.values.enumerated() where layout.slots[slot].attribute != nil {
      if case .data(let data) = value, layout.kinds[slot] == .transformable {
        let made = Transformation(of: layout, at: slot).object(from: data)
        object.overlay.set(made.map(SlotValue.object) ?? .null, at: slot)
      } else {
        object.overlay.set(value, at: slot)
      }
    }
    return object
  }
}

// MARK: - A plan of everything

extension MemoryRows {
  /// The plan that makes an empty store have these rows.
  fileprivate func insertion(in model: ModelLayout) -> SavePlan {
    var plan = SavePlan()
    for root in model.entities where root.number == root.rootNumber {
      for row in all(root: root.number) {
        guard let snapshot = row.snapshot else { continue }
        plan.inserts.append(
          RowInsert(primaryKey: row.primaryKey, layout: row.layout, snapshot: snapshot)
        )
      }
    }
    for (relation, pairs) in pairs.sorted(by: { $0.key < $1.key }) {
      guard let layout = model[number: relation.entity], let end = layout.slots[relation.slot].end,
        let destination = model[number: end.destination]
      else { continue }
      for pair in pairs {
        plan.pairs.append(
          PairChange(
            layout: layout,
            slot: relation.slot,
            owner: pair.owner,
            member: pair.member,
            action: .link
          )
        )
        if let place = pair.memberPlace {
          plan.pairs.append(
            PairChange(
              layout: layout,
              slot: relation.slot,
              owner: pair.owner,
              member: pair.member,
              action: .place(place)
            )
          )
        }
        if let place = pair.ownerPlace, let inverse = end.inverse {
          plan.pairs.append(
            PairChange(
              layout: destination,
              slot: inverse,
              owner: pair.member,
              member: pair.owner,
              action: .place(place)
            )
          )
        }
      }
    }
    return plan
  }
}

extension MemoryRows.Relation: Comparable {
  static func < (one: Self, other: Self) -> Bool {
    (one.entity, one.slot) < (other.entity, other.slot)
  }
}
