import CoreDataModel

/// A store's history: its tables in this file, and what its columns mean in this model.
package final class StoreHistory: Sendable {
  package let tables: HistoryTables
  let dialect: any SQLDialect
  let model: ModelLayout
  /// Whether what is written goes into it; else it can be read and purged alone.
  package let isKept: Bool
  private let bits: [HistoryBits]
  private let schema: StoreSchema
  private let tombstones: [[Preserved]]
  private let tableNames: [String]

  /// An attribute whose value outlives its object in the history.
  package struct Preserved {
    let slot: Int
    package let column: String
  }

  package init(_ tables: HistoryTables, of schema: StoreSchema, isKept: Bool) {
    let queries = schema.queries
    self.schema = schema
    self.tables = tables
    self.isKept = isKept
    dialect = queries.dialect
    model = queries.model
    bits = model.entities.map(HistoryBits.init)
    tableNames = model.entities.map { queries.map($0).tableName }
    tombstones = model.entities.map { layout in
      let map = queries.map(layout)
      let preserved = layout.preservedSlots.compactMap { slot in
        map.column(of: layout.slots[slot].name).map { Preserved(slot: slot, column: $0) }
      }
      return Array(preserved.prefix(tables.tombstoneCount))
    }
  }

  package func bits(of layout: EntityLayout) -> HistoryBits {
    schema.surplus.bits(of: layout) ?? bits[Int(layout.number) - 1]
  }

  package func tableName(of layout: EntityLayout) -> String { tableNames[Int(layout.number) - 1] }

  /// The attributes that a deleted object's change keeps, in the order of their columns.
  package func tombstone(of layout: EntityLayout) -> [Preserved] {
    tombstones[Int(layout.number) - 1]
  }
}

extension ModelLayout {
  /// How many values of a deleted object a history keeps at most.
  package var preservedCount: Int { entities.map(\.preservedSlots.count).max() ?? 0 }
}

extension EntityLayout {
  /// The attributes that the model wants to be preserved, by name.
  ///
  /// Not those whose data may be in files: the files go with the object.
  fileprivate var preservedSlots: [Int] {
    slots.indices.prefix(propertyCount).filter { slot in
      let isPreserved = slots[slot].attribute?.preservesValueInHistoryOnDeletion ?? false
      return isPreserved && slots[slot].isPersistent && slots[slot].elements.isEmpty
        && slots[slot].kind != .externalData
    }.sorted { slots[$0].name.utf8.lexicographicallyPrecedes(slots[$1].name.utf8) }
  }
}
