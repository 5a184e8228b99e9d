import CoreDataModel

/// The columns of one entity's rows, each with the slot whose value it keeps.
struct StoredColumns {
  let layout: EntityLayout
  let columns: [StoredColumn]

  init(_ layout: EntityLayout, in tables: TableMap) {
    self.layout = layout
    guard let map = tables[number: Int(layout.number)] else {
      stop("the entity \(layout.name) has no table")
    }
    columns = layout.slots.enumerated().flatMap { index, slot in
      Self.columns(of: slot, at: index, map: map, tables: tables)
    }
  }

  private static func columns(
    of slot: Slot,
    at index: Int,
    map: EntityMap,
    tables: TableMap
  ) -> [StoredColumn] {
    if case .foreignKey(let entity, let relationship) = slot.hidden {
      return foreignColumns(entity: entity, slot: relationship, at: index, map, tables)
    }
    guard slot.hidden == nil, let mapping = map[slot.name] else { return [] }
    switch mapping {
    case .attribute(let column):
      return [StoredColumn(name: column, slot: index, kind: slot.kind)]
    case .toOne(let column, let entityColumn, let orderColumn):
      var columns = [StoredColumn(name: column, slot: index, kind: .integer)]
      if let entityColumn, let entity = slot.end?.entitySlot {
        columns.append(StoredColumn(name: entityColumn, slot: entity, kind: .integer))
      }
      if let orderColumn, let order = slot.end?.orderSlot {
        columns.append(StoredColumn(name: orderColumn, slot: order, kind: .integer))
      }
      return columns
    case .none, .composite, .toManyInverse, .toManyForeignKey, .join:
      return []
    }
  }

  /// The columns of a to-many relationship without an inverse, in its destination's rows.
  ///
  /// The hidden slots of one relationship follow each other: key, then entity, then order.
  private static func foreignColumns(
    entity: Int32,
    slot: Int,
    at index: Int,
    _ map: EntityMap,
    _ tables: TableMap
  ) -> [StoredColumn] {
    guard let source = tables[number: Int(entity)] else { return [] }
    let keys = source.properties.values.compactMap { mapping -> ForeignKey? in
      if case .toManyForeignKey(let key) = mapping, key.table == map.tableName { key } else { nil }
    }
    guard let key = keys.first(where: { $0.column == foreignColumn(entity, slot, source) }) else {
      return []
    }
    var next = index
    var columns = [StoredColumn(name: key.column, slot: index, kind: .integer)]
    for column in [key.entityColumn, key.orderColumn].compactMap({ $0 }) {
      next += 1
      columns.append(StoredColumn(name: column, slot: next, kind: .integer))
    }
    return columns
  }
}

/// A column, the slot it is for, and how its values are kept.
struct StoredColumn: Sendable {
  let name: String
  let slot: Int
  let kind: SlotKind
}
