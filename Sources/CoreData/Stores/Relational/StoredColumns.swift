import CoreDataModel

/// The columns of one entity's rows, each with the slot whose value it keeps.
package struct StoredColumns {
  let layout: EntityLayout
  package let columns: [StoredColumn]

  init(_ layout: EntityLayout, in tables: TableMap) {
    self.layout = layout
    guard let map = tables[number: Int(layout.number)] else {
      stop("the entity \(layout.name) has no table")
    }
    columns = layout.slots.enumerated().flatMap { index, slot in
      Self.columns(of: slot, at: index, in: layout, map: map, tables: tables)
    }
  }

  private init(_ layout: EntityLayout, columns: [StoredColumn]) {
    self.layout = layout
    self.columns = columns
  }

  /// The columns of some slots; the targets of relationships and the elements of composite attributes are known only
  /// with their hidden slots.
  func narrowed(to slots: SlotSet) -> StoredColumns {
    var wanted = slots
    for slot in slots where slot < layout.slots.count {
      if let entity = layout.slots[slot].end?.entitySlot { wanted.insert(entity) }
      for element in layout.slots[slot].elements { wanted.insert(element.slot) }
    }
    return StoredColumns(layout, columns: columns.filter { wanted.contains($0.slot) })
  }

  private static func columns(
    of slot: Slot,
    at index: Int,
    in layout: EntityLayout,
    map: EntityMap,
    tables: TableMap
  ) -> [StoredColumn] {
    if case .foreignKey(let entity, let relationship) = slot.hidden {
      return foreignColumns(of: layout.model[number: entity], relationship, at: index, tables)
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
    case .composite(let mappings):
      return slot.elements.compactMap { element in
        mappings.column(at: element.path).map {
          StoredColumn(name: $0, slot: element.slot, kind: layout.slots[element.slot].kind)
        }
      }
    case .none, .toManyInverse, .toManyForeignKey, .join:
      return []
    }
  }

  /// The columns of a to-many relationship without an inverse, in its destination's rows.
  ///
  /// The hidden slots of one relationship follow each other: the key, then the order.
  private static func foreignColumns(
    of source: EntityLayout?,
    _ relationship: Int,
    at index: Int,
    _ tables: TableMap
  ) -> [StoredColumn] {
    guard let source, let map = tables[number: Int(source.number)],
      case .toManyForeignKey(let key) = map[source.slots[relationship].name]
    else { return [] }
    let columns = [StoredColumn(name: key.column, slot: index, kind: .integer)]
    guard let order = key.orderColumn else { return columns }
    return columns + [StoredColumn(name: order, slot: index + 1, kind: .integer)]
  }
}

/// A column, the slot it is for, and how its values are kept.
package struct StoredColumn: Sendable {
  package let name: String
  package let slot: Int
  let kind: SlotKind
}

extension [String: PropertyMapping] {
  /// The column of an element of a composite attribute.
  func column(at path: [String]) -> String? {
    guard let name = path.first, let mapping = self[name] else { return nil }
    switch mapping {
    case .composite(let inner): return inner.column(at: Array(path.dropFirst()))
    case .attribute(let column): return column
    case .none, .toOne, .toManyInverse, .toManyForeignKey, .join: return nil
    }
  }
}
