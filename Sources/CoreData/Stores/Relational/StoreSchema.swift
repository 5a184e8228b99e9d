import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Synchronization

/// A model as one database has it: tables, columns and decoders, found by entity.
///
/// Safety: immutable.
final class StoreSchema: @unchecked Sendable {
  let model: ModelLayout
  let tables: TableMap
  let queries: RowQueries
  private let columnsByNumber: [StoredColumns]

  init(_ model: ModelLayout, tables: TableMap, keyOf: @escaping (Any) -> CompiledKey?) {
    self.model = model
    self.tables = tables
    queries = RowQueries(tables: tables, model: model, keyOf: keyOf)
    columnsByNumber = model.entities.map { StoredColumns($0, in: tables) }
  }

  func columns(of layout: EntityLayout) -> StoredColumns { columnsByNumber[Int(layout.number) - 1] }

  /// A decoder for rows of an entity and everything below it.
  func decoder(for layout: EntityLayout) -> RowDecoder {
    let entities = layout.numbers.map { columnsByNumber[Int($0) - 1] }
    return RowDecoder(entities, in: model)
  }

  func mapping(of slot: Int, in layout: EntityLayout) -> PropertyMapping? {
    queries.map(layout)[layout.slots[slot].name]
  }

  /// The join tables that pairs of an entity's objects stand in.
  func joins(of layout: EntityLayout) -> [JoinSide] {
    layout.slots.prefix(layout.propertyCount).compactMap { slot in
      if case .join(let side) = queries.map(layout)[slot.name] { side } else { nil }
    }
  }

  func row(
    _ number: Int64,
    of layout: EntityLayout,
    on connection: Connection
  ) throws(SQLiteError) -> Row? {
    let decoder = decoder(for: layout)
    let fragment = queries.row(of: layout, columns: decoder.columnNames)
    let statement = try connection.statement(fragment)
    defer { statement.reset() }
    statement.bind(number, at: 1)
    return try statement.step() ? decoder.row(statement) : nil
  }
}
