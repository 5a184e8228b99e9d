import CoreDataSQL
import Foundation

/// Reads rows of an entity and everything below it.
///
/// The first columns are `Z_PK`, `Z_ENT` and `Z_OPT`; then come the columns of all the entities, and
/// each row takes those of its own.
package struct RowDecoder {
  /// The columns to select, in the order in which they are read.
  let columnNames: [String]
  /// Of which types these columns are in the model's tables.
  package let columnTypes: [ColumnType?]
  /// One for each entity, whose numbers follow each other.
  private let plans: [Plan]
  /// The steps of all plans, one plan after the other.
  private let steps: [Step]
  private let firstNumber: Int64

  /// The steps for each row of an entity; contains no references that would have to be counted.
  private struct Plan {
    unowned(unsafe) let layout: EntityLayout
    let slotCount: Int
    let first: Int
    let end: Int
  }

  private struct Step {
    let column: Int32
    let slot: Int
    let kind: SlotKind
  }

  static let keyColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  init(_ entities: ArraySlice<StoredColumns>) {
    var places: [String: Int32] = [:]
    var names = Self.keyColumns
    var types = names.map { _ in ColumnType.integer as ColumnType? }
    var steps: [Step] = []
    plans = entities.map { entity in
      let first = steps.count
      for column in entity.columns {
        let place = places[column.name] ?? Int32(names.count)
        if places.updateValue(place, forKey: column.name) == nil {
          names.append(column.name)
          types.append(column.kind.columnType)
        }
        steps.append(Step(column: place, slot: column.slot, kind: column.kind))
      }
      return Plan(
        layout: entity.layout,
        slotCount: entity.layout.slots.count,
        first: first,
        end: steps.count
      )
    }
    self.steps = steps
    columnNames = names
    columnTypes = types
    firstNumber = entities.first.map { Int64($0.layout.number) } ?? 0
  }

  /// The row that the statement is at, if it is known and as it was.
  func row<Statement: SQLStatement>(
    _ statement: Statement,
    among known: KnownRows,
    at place: Int
  ) -> Row? {
    let index = statement.integer(1) &- firstNumber
    guard index >= 0, index < plans.count else { return nil }
    let layout = plans[Int(index)].layout
    let number = statement.integer(0)
    return known.snapshot(of: layout, number, version: statement.integer(2), at: place)
      .map { Row(primaryKey: number, layout: layout, snapshot: $0) }
  }

  /// The row that the statement is at; nil for an entity that the model does not have.
  package func row<Statement: SQLStatement>(
    _ statement: Statement,
    into writer: inout SnapshotWriter
  ) -> Row? {
    let index = statement.integer(1) &- firstNumber
    guard index >= 0, index < plans.count else { return nil }
    let plan = plans[Int(index)]
    writer.begin(slotCount: plan.slotCount, version: statement.integer(2))
    for place in plan.first..<plan.end { read(steps[place], from: statement, into: &writer) }
    return Row(primaryKey: statement.integer(0), layout: plan.layout, snapshot: writer.finish())
  }

  /// Adds a column's value, if it has one.
  ///
  /// Databases give 0, and no bytes, for NULL, so that few values have to be asked whether they are one.
  private func read<Statement: SQLStatement>(
    _ step: Step,
    from statement: Statement,
    into writer: inout SnapshotWriter
  ) {
    switch step.kind {
    case .integer, .boolean:
      let integer = statement.integer(step.column)
      if integer != 0 || !statement.isNull(step.column) { writer.set(step.slot, to: integer) }
    case .toOne:
      // A negative key leads nowhere; in a snapshot it would name an object that was never saved.
      let key = statement.integer(step.column)
      if key != 0 || !statement.isNull(step.column) {
        writer.set(step.slot, to: key < 0 ? .max : key)
      }
    case .real, .date:
      let real = statement.real(step.column)
      if real != 0 || !statement.isNull(step.column) { writer.set(step.slot, to: real) }
    case .text, .uri:
      let text = statement.textBytes(step.column)
      if text.baseAddress != nil || !statement.isNull(step.column) {
        writer.set(step.slot, to: text)
      }
    case .data, .externalData, .transformable:
      // Empty bytes have a null address too.
      let bytes = statement.blobBytes(step.column)
      if bytes.baseAddress != nil || !statement.isNull(step.column) {
        writer.set(step.slot, to: bytes)
      }
    case .uuid:
      let bytes = statement.blobBytes(step.column)
      if bytes.count == 16 { writer.set(step.slot, to: bytes) }
    case .decimal:
      guard !statement.isNull(step.column),
        let decimal = Decimal(string: statement.text(step.column))
      else { return }
      withUnsafeBytes(of: decimal) { writer.set(step.slot, to: $0) }
    case .composite, .object, .toMany, .orderedToMany, .fetched:
      break
    }
  }
}

extension SlotKind {
  /// The type of the column that keeps such values; `nil` if no column does.
  fileprivate var columnType: ColumnType? {
    switch self {
    case .integer, .boolean, .toOne: .integer
    case .real: .float
    case .date: .timestamp
    case .decimal: .decimal
    case .text, .uri: .text
    case .uuid, .data, .externalData, .transformable: .blob
    case .composite, .object, .toMany, .orderedToMany, .fetched: nil
    }
  }
}
