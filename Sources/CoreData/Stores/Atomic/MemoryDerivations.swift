import CoreDataModel
import CoreDataPredicates
import Foundation

/// Computes the derived attributes of a store in memory, after the rows of a save are in place.
///
/// Apple's framework refuses a model with derived attributes in such a store; here both kinds of stores give the same
/// values. If a save touches the source of a value, all rows of the entity are looked at: memory does not have
/// indexes, and a fetch there does the same.
struct MemoryDerivations {
  private let model: ModelLayout
  private let store: StoreNumber
  private let plan: SavePlan

  init(_ model: ModelLayout, of store: StoreNumber, after plan: SavePlan) {
    self.model = model
    self.store = store
    self.plan = plan
  }

  /// The rows whose values changed; they are in their places already.
  func refresh(_ rows: inout MemoryRows) throws -> [Row] {
    let entities = model.entities.filter(\.needsStoreToDerive)
    if entities.isEmpty { return [] }
    let now = Date().timeIntervalSinceReferenceDate
    var changed = try stamp(&rows, now)
    // A value may be derived from one that is derived; a chain longer than this is a circle.
    for _ in 0..<8 {
      let further = try computed(in: rows, entities)
      if further.isEmpty { break }
      for row in further { rows.replace(row) }
      changed += further
    }
    return changed
  }

  /// `now()`, for the rows that the save writes.
  private func stamp(_ rows: inout MemoryRows, _ now: TimeInterval) throws -> [Row] {
    let written =
      plan.inserts.map { ($0.layout, $0.primaryKey) }
      + plan.updates.filter { $0.expectedVersion != nil }.map { ($0.layout, $0.primaryKey) }
    var changed: [Row] = []
    for (layout, number) in written {
      let times = layout.derivations.filter(\.isTime).map { ($0.slot, SlotValue.real(now)) }
      guard !times.isEmpty, let row = rows[layout.rootNumber, number],
        let stamped = try row.setting(times)
      else { continue }
      rows.replace(stamped)
      changed.append(stamped)
    }
    return changed
  }

  private func computed(in rows: MemoryRows, _ entities: [EntityLayout]) throws -> [Row] {
    let reading = MemoryReading(rows, of: store)
    return try entities.filter(isConcerned).flatMap { layout in
      try rows.all(root: layout.rootNumber).filter { $0.layout === layout }
        .compactMap { row in
          try row.setting(try values(of: StoredObject(row, in: reading), layout))
        }
    }
  }

  private func values(
    of object: StoredObject,
    _ layout: EntityLayout
  ) throws -> [(Int, SlotValue)] {
    try layout.derivations.compactMap { derivation in
      guard case .related(let expression, _) = derivation.source else { return nil }
      do {
        let value = try expression.value(with: object)
        return (derivation.slot, SlotValue(computed: value, kind: layout.kinds[derivation.slot]))
      } catch {
        let name = "\(layout.name).\(layout.slots[derivation.slot].name)"
        throw StoreFailure(.underivable(name, "\(error)"), path: "memory").error()
      }
    }
  }

  /// Whether the save touches an entity that the derived values of this one come from.
  private func isConcerned(_ layout: EntityLayout) -> Bool {
    var sources = [layout]
    for case .related(_, let hops) in layout.derivations.map(\.source) {
      sources += hops.compactMap { hop in
        guard let start = model[number: hop.entity], let end = start.slots[hop.slot].end else {
          return nil
        }
        return model[number: end.destination]
      }
    }
    return sources.contains { source in
      plan.inserts.contains { $0.layout.isKind(of: source) }
        || plan.updates.contains { $0.layout.isKind(of: source) }
        || plan.deletes.contains { $0.layout.isKind(of: source) }
    }
  }
}

extension DerivedSlot {
  fileprivate var isTime: Bool { if case .now = source { true } else { false } }
}

extension Row {
  /// The row with some values replaced; nil when it has them already.
  fileprivate func setting(_ values: [(Int, SlotValue)]) throws -> Row? {
    guard let snapshot else { return nil }
    let set = try snapshot.setting(values, in: layout)
    let slots = values.map(\.0)
    guard slots.contains(where: { !snapshot.hasSameValue(as: set, at: $0, in: layout) }) else {
      return nil
    }
    return Row(primaryKey: primaryKey, layout: layout, snapshot: set)
  }
}

extension SlotValue {
  /// A computed value, as a slot of a kind keeps it; null if it does not fit.
  ///
  /// A whole number takes the whole part, as a column of a database gives it back.
  init(computed value: Any?, kind: SlotKind) {
    let constant = Constant(value)
    self =
      switch (kind, constant.kind) {
      case (.integer, .integer(let value)), (.boolean, .integer(let value)): .integer(value)
      case (.integer, .real(let value)):
        Int64(exactly: value.rounded(.towardZero))
          .map(SlotValue.integer) ?? .null
      case (.integer, .decimal(let value)): .integer(NSDecimalNumber(decimal: value).int64Value)
      case (.real, .integer(let value)): .real(Double(value))
      case (.real, .real(let value)): .real(value)
      case (.real, .decimal(let value)): .real(NSDecimalNumber(decimal: value).doubleValue)
      case (.decimal, .integer(let value)): .object(NSDecimalNumber(decimal: Decimal(value)))
      case (.decimal, .real(let value)): .object(NSDecimalNumber(decimal: Decimal(value)))
      case (.decimal, .decimal(let value)): .object(NSDecimalNumber(decimal: value))
      case (.date, .date(let date)): .real(date.timeIntervalSinceReferenceDate)
      case (.text, .text(let text)): .text(text)
      case (.uri, .url(let url)): .url(url)
      case (.uuid, .uuid(let uuid)): .uuid(uuid)
      case (.data, .data(let data)): .data(data)
      case (.integer, _), (.boolean, _), (.real, _), (.decimal, _), (.date, _), (.text, _),
        (.uri, _), (.uuid, _), (.data, _):
        .null
      case (.externalData, _), (.transformable, _), (.composite, _), (.object, _), (.toOne, _),
        (.toMany, _), (.orderedToMany, _), (.fetched, _):
        .null
      }
  }
}
