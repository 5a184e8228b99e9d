import Foundation

/// Counts the rows that a context has read one by one since its last fetch.
///
/// ```
/// for note in notes { print(note.folder?.name) }      Folder  20, by Note.folder
/// for note in notes { print(note.tags.count) }        Note.tags  20
/// ```
struct FaultTally {
  private var counts: [Kind: Int] = [:]

  private struct Kind: Hashable {
    let entity: Int32
    /// The relationship that was read; nil for the object itself.
    let slot: Int?
  }

  /// Notes one statement, and says how many of the kind there were.
  fileprivate mutating func count(_ layout: EntityLayout, _ slot: Int?) -> Int {
    let kind = Kind(entity: layout.number, slot: slot)
    counts[kind, default: 0] += 1
    return counts[kind, default: 0]
  }
}

extension NSManagedObjectContext {
  /// Notes that a fault's row was looked for in the cache.
  func meterCache(isHit: Bool, of layout: EntityLayout) {
    guard MeterHub.isOn else { return }
    MeterHub.ofProcess.record(.rowCache(isHit: isHit, entity: layout.name))
  }

  /// Notes that a statement was run for one object, or for the members of one relationship of it.
  func meterFault(_ key: ObjectKey, of layout: EntityLayout, at slot: Int? = nil) {
    guard MeterHub.isOn else { return }
    let hub = MeterHub.ofProcess
    hub.record(.fault(entity: layout.name, relationship: slot.map { layout.slots[$0].name }))
    let limits = hub.faultLimits
    guard !limits.isEmpty else { return }
    var tally = faultTally ?? FaultTally()
    let count = tally.count(layout, slot)
    faultTally = tally
    guard limits.contains(count) else { return }
    hub.record(
      slot.map { repeatedFaults(of: layout, at: $0, count) }
        ?? repeatedFaults(leadingTo: key, of: layout, count)
    )
  }

  private func repeatedFaults(
    of layout: EntityLayout,
    at slot: Int,
    _ count: Int
  ) -> RepeatedFaults {
    let relationship = layout.slots[slot].name
    return RepeatedFaults(
      entity: layout.name,
      relationships: ["\(layout.name).\(relationship)"],
      contextName: name,
      count: count,
      sentence: """
        The relationship \(layout.name).\(relationship) was read object by object, with \(count) statements so far. \
        Read it for all objects together: relationshipKeyPathsForPrefetching = ["\(relationship)"] in the request \
        for \(layout.name).
        """
    )
  }

  private func repeatedFaults(
    leadingTo key: ObjectKey,
    of layout: EntityLayout,
    _ count: Int
  ) -> RepeatedFaults {
    let ways = toOnes(leadingTo: key)
    let words = "\(count) objects of \(layout.name) were read one by one, with a statement for each"
    guard let way = ways.first else {
      return RepeatedFaults(
        entity: layout.name,
        relationships: [],
        contextName: name,
        count: count,
        sentence: """
          \(words). Fetch them together, with returnsObjectsAsFaults = false, or prefetch the relationship that \
          leads to them by relationshipKeyPathsForPrefetching.
          """
      )
    }
    let names = ways.map { "\($0.entity).\($0.name)" }
    return RepeatedFaults(
      entity: layout.name,
      relationships: names,
      contextName: name,
      count: count,
      sentence: """
        \(words), by \(names.joined(separator: " and ")). Read them together: \
        relationshipKeyPathsForPrefetching = ["\(way.name)"] in the request for \(way.entity).
        """
    )
  }

  /// The to-one relationships by which objects with values lead to an object; looked for once, when it is told.
  private func toOnes(leadingTo key: ObjectKey) -> [(entity: String, name: String)] {
    var found: [String: (entity: String, name: String)] = [:]
    for object in identityMap.objects where !object.isFault && object.key.store == key.store {
      let layout = object.layout
      for slot in 0..<layout.propertyCount where layout.kinds[slot] == .toOne {
        guard let end = layout.slots[slot].end,
          layout.model[number: end.destination]?.rootNumber == key.root,
          object.snapshot?.optionalInteger(slot) == key.number
        else { continue }
        found["\(layout.name).\(layout.slots[slot].name)"] = (layout.name, layout.slots[slot].name)
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }
}
