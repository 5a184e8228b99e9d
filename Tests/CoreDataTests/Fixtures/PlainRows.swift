import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

/// One entity's rows as plain SQL gives them, in the words in which a test compares them.
///
/// ```
/// Note/3 title = 'First'
/// Note/3 folder = Folder/1
/// Note/3 tags = 2, 5
/// ```
struct PlainRows {
  let connection: Connection
  let tables: TableMap

  /// Every property of every row of an entity, its subentities' rows left out.
  func lines(of layout: EntityLayout) throws -> [String] {
    let map = try #require(tables[layout.name])
    let keys = try integers(
      "SELECT Z_PK FROM \(name: map.tableName) WHERE Z_ENT = \(.integer(Int64(map.number)))"
    )
    return try keys.flatMap { key in
      try layout.slots.prefix(layout.propertyCount).compactMap { slot in
        guard let text = try text(of: slot, in: map, key: key) else { return nil }
        return "\(layout.name)/\(key) \(slot.name) = \(text)"
      }
    }
  }

  private func text(of slot: Slot, in map: EntityMap, key: Int64) throws -> String? {
    switch map[slot.name] {
    case .attribute(let column):
      let value = try value(
        "SELECT \(column: column) FROM \(name: map.tableName) WHERE Z_PK = \(.integer(key))"
      )
      return Self.text(of: value, as: slot.kind)
    case .toOne(let column, let entityColumn, _):
      return try target(column, entityColumn, of: slot, in: map, key: key)
    case .toManyInverse(let foreign), .toManyForeignKey(let foreign):
      let order: SQLFragment =
        foreign.orderColumn.map { " ORDER BY \(column: $0)" } ?? " ORDER BY Z_PK"
      return try members(
        """
        SELECT Z_PK FROM \(name: foreign.table) \
        WHERE \(column: foreign.column) = \(.integer(key))\(order)
        """
      )
    case .join(let side):
      let order: SQLFragment =
        side.orderColumn.map { " ORDER BY \(column: $0)" }
        ?? " ORDER BY \(column: side.otherColumn)"
      return try members(
        """
        SELECT \(column: side.otherColumn) FROM \(name: side.table) \
        WHERE \(column: side.ownColumn) = \(.integer(key))\(order)
        """
      )
    case .none?, .composite, nil:
      return nil
    }
  }

  private func target(
    _ column: String,
    _ entityColumn: String?,
    of slot: Slot,
    in map: EntityMap,
    key: Int64
  ) throws -> String {
    let number = try connection.integer(
      "SELECT \(column: column) FROM \(name: map.tableName) WHERE Z_PK = \(.integer(key))"
    )
    guard let number else { return "nil" }
    let destination = try #require(tables[number: Int(slot.end?.destination ?? 0)])
    // The row itself names its entity; the column beside the key only repeats it.
    let entity = try connection.integer(
      "SELECT Z_ENT FROM \(name: destination.tableName) WHERE Z_PK = \(.integer(number))"
    )
    let name = entity.flatMap { tables[number: Int($0)]?.name } ?? "nothing"
    return "\(name)/\(number)"
  }

  private func members(_ query: SQLFragment) throws -> String {
    try integers(query).map(String.init).joined(separator: ", ")
  }

  private func integers(_ query: SQLFragment) throws -> [Int64] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var integers: [Int64] = []
    while try statement.step() { integers.append(statement.integer(0)) }
    return integers
  }

  private func value(_ query: SQLFragment) throws -> SQLValue {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    #expect(try statement.step())
    return statement.value(0)
  }
}

// MARK: - Words

extension PlainRows {
  /// A column's value in words.
  ///
  /// Numbers print as doubles if the attribute is not a whole number.
  private static func text(of value: SQLValue, as kind: SlotKind) -> String {
    switch (value, kind) {
    case (.null, _): "nil"
    case (.integer(let integer), .decimal): decimal(Double(integer))
    case (.real(let real), .decimal): decimal(real)
    case (.integer(let integer), .real), (.integer(let integer), .date): "\(Double(integer))"
    case (.blob(let bytes), .transformable): "\(bytes.count) bytes"
    case (.blob(let bytes), .externalData): "\(SQLValue.blob(Array(bytes.dropFirst())))"
    case (.integer, _), (.real, _), (.text, _), (.blob, _): value.description
    }
  }

  /// Fifteen digits: as many as a decimal number keeps in a column that holds doubles.
  static func decimal(_ value: Double) -> String { String(format: "%.15g", value) }
}
