import CoreDataModel
import CoreDataModelChanges
import CoreDataSQL
import Foundation

/// The future content of every column of an entity's rows.
///
///     Note   ZTITLE ← ZNAME   ZSTARS ← 3   ZFOLDER ← ZFOLDER   Z1_FOLDER ← Z1_FOLDER, renumbered
struct RowForm {
  private let tables: MatchedTables
  private let links: LinkPlan
  private let layout: ModelLayout

  /// An attribute as rows have it now.
  private typealias Former = (attribute: AttributeSchema, mapping: PropertyMapping)

  init(_ tables: MatchedTables, _ links: LinkPlan, _ layout: ModelLayout) {
    self.tables = tables
    self.links = links
    self.layout = layout
  }

  /// The cells of an entity's rows, by column; a column that is not among them holds nothing.
  ///
  /// Throws for a default that cannot be stored.
  func cells(of move: EntityMove) throws -> [String: ColumnContent] {
    let defaults = try DefaultValues(of: move.destination, in: layout, tables.destination)
    var cells = links.cells[move.destination.number] ?? [:]
    for match in move.match.properties {
      guard case .attribute(let new) = match.destination.property,
        let mapping = move.destination[new.name]
      else { continue }
      var old: Former?
      if let source = match.source, case .attribute(let attribute) = source.property,
        !attribute.isTransient, let place = move.source[source.name], place != .none
      {
        old = (attribute, place)
      }
      fill(&cells, new, mapping, from: old, defaults)
    }
    return cells
  }

  private func fill(
    _ cells: inout [String: ColumnContent],
    _ new: AttributeSchema,
    _ mapping: PropertyMapping,
    from old: Former?,
    _ defaults: DefaultValues
  ) {
    switch mapping {
    case .attribute(let column):
      var before: (AttributeSchema, String)?
      if let old, case .attribute(let place) = old.mapping { before = (old.attribute, place) }
      cells[column] = cell(new, from: before, defaults[column])
    case .composite(let elements):
      let names = old.map { new.namesOfElements(in: $0.attribute) } ?? [:]
      for element in new.elements {
        guard let place = elements[element.name] else { continue }
        var former: Former?
        if let old, let name = names[element.name] { former = Self.element(name, of: old) }
        fill(&cells, element, place, from: former, defaults)
      }
    case .none, .toOne, .toManyInverse, .toManyForeignKey, .join:
      break
    }
  }

  private static func element(_ name: String, of composite: Former) -> Former? {
    guard case .composite(let places) = composite.mapping, let mapping = places[name],
      let attribute = composite.attribute.elements.first(where: { $0.name == name })
    else { return nil }
    return (attribute, mapping)
  }

  private func cell(
    _ new: AttributeSchema,
    from old: (attribute: AttributeSchema, column: String)?,
    _ standard: SQLValue?
  ) -> ColumnContent {
    // Derived values are computed when all rows are there.
    guard let old, old.attribute.type == new.type else {
      let isDerived = new.derivationExpression != nil
      return isDerived ? .null : standard.map { .value($0) } ?? .null
    }
    var cell = ColumnContent.column(old.column)
    if old.attribute.isMarked != new.isMarked {
      cell = new.isMarked ? .marked(cell) : .unmarked(cell)
    }
    let becomesRequired = old.attribute.isOptional && !new.isOptional
    if becomesRequired, new.derivationExpression == nil, let standard {
      cell = .filled(cell, standard)
    }
    return cell
  }
}

extension AttributeSchema {
  /// Whether each value begins with a byte that says where it is.
  var isMarked: Bool { type == .binaryData && allowsExternalBinaryDataStorage }
}

// MARK: - What rows hold now

extension MatchedTables {
  /// The columns in which rows of a source entity may hold something.
  func columns(of entity: EntityMap) -> Set<String> {
    var columns = Set(entity.properties.values.flatMap(\.ownColumns))
    for other in source.entities {
      for (name, mapping) in other.properties {
        guard case .toManyForeignKey(let key) = mapping,
          case .relationship(let relationship)? =
            comparison.source.property(name, of: other.name),
          let destination = source[relationship.destinationName],
          destination.numbers.contains(entity.number)
        else { continue }
        columns.formUnion([key.column, key.orderColumn].compactMap(\.self))
      }
    }
    return columns
  }
}

extension PropertyMapping {
  /// The columns in the rows of the entity that has the property.
  var ownColumns: [String] {
    switch self {
    case .attribute(let column): [column]
    case .composite(let elements): elements.values.flatMap(\.ownColumns)
    case .toOne(let column, let entityColumn, let orderColumn):
      [column, entityColumn, orderColumn].compactMap(\.self)
    case .none, .toManyInverse, .toManyForeignKey, .join: []
    }
  }
}

// MARK: - Defaults

/// The default values of an entity as its columns hold them.
struct DefaultValues {
  private var values: [String: SQLValue] = [:]

  init(of entity: EntityMap, in model: ModelLayout, _ tables: TableMap) throws {
    guard let layout = model[entity.name] else { return }
    var writer = SnapshotWriter()
    writer.begin(slotCount: layout.slots.count, version: 0)
    for slot in 0..<layout.propertyCount where layout.slots[slot].attribute != nil {
      try writer.set(slot, to: layout.defaults[slot], in: layout)
    }
    let snapshot = writer.finish()
    for column in StoredColumns(layout, in: tables).columns where snapshot.hasValue(column.slot) {
      values[column.name] = snapshot.value(of: column)
    }
  }

  subscript(column: String) -> SQLValue? { values[column] }
}

extension Snapshot {
  /// A value as its column has it.
  fileprivate func value(of column: StoredColumn) -> SQLValue? {
    switch column.kind {
    case .integer, .boolean, .toOne: .integer(integer(column.slot))
    case .real, .date: .real(real(column.slot))
    case .text, .uri: .text(text(column.slot))
    case .uuid, .data, .externalData, .transformable: .blob([UInt8](bytes(column.slot)))
    case .decimal: .text("\(bytes(column.slot).loadUnaligned(as: Decimal.self))")
    case .composite, .object, .toMany, .orderedToMany, .fetched: nil
    }
  }
}
