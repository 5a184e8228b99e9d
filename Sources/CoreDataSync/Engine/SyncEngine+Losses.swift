import CoreData
import CoreDataSyncCore

// MARK: - Members that a set without an inverse has lost to another

extension SyncEngine {
  /// The sets that may have lost members without a trace in the history.
  ///
  /// A member of a to-many relationship without an inverse has one owner. When another set takes it, the history names that
  /// set, and not the one that has lost it. If the taker has given it up since, by another save or its deletion, it is
  /// in no set any more that is read. So the sets of all owners are compared then, each of which is fetched.
  func losses(in changes: LocalChanges) throws -> [LocalChanges.Loss] {
    var takers: [PropertyID: Int] = [:]
    for touch in changes.touches {
      guard let entity = model.entities[touch.id.entity.stableName] else { continue }
      for (name, property) in entity.setsWithoutInverse {
        let count = touch.countOfTransactions(of: name)
        guard count > 1 || count == 1 && touch.deleted != nil else { continue }
        let transaction = touch.deleted ?? touch.properties[name] ?? 0
        takers[property] = max(takers[property] ?? 0, transaction)
      }
    }
    if takers.isEmpty { return [] }
    var losses: [LocalChanges.Loss] = []
    // Most objects do not have such a set, which the first of each entity shows.
    var sets: [Substring: [(name: String, transaction: Int)]] = [:]
    try sidecar.forEachAddress { [door, model] _, address in
      let entity = address.entityPart
      if sets[entity]?.isEmpty == true { return }
      guard let id = door.objectID(at: address) else { return }
      let owned =
        sets[entity]
        ?? model.entities[id.entity.stableName]?.setsWithoutInverse.compactMap { name, property in
          takers[property].map { (name, $0) }
        } ?? []
      sets[entity] = owned
      losses += owned.map { .init(id: id, name: $0.name, transaction: $0.transaction) }
    }
    return losses
  }
}

extension String {
  /// The part of an address before the object's own part, as in `x-coredata://STORE/Note/p7`.
  fileprivate var entityPart: Substring { self[..<(lastIndex(of: "/") ?? endIndex)] }
}

extension SyncEntity {
  fileprivate var setsWithoutInverse: [(name: String, property: PropertyID)] {
    roles.compactMap { role in
      guard role.kind == .children, let name = role.name,
        description.relationshipsByName[name]?.inverseRelationship == nil
      else { return nil }
      return (name, role.property)
    }
  }
}
