import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

// MARK: - How much a zone keeps, and may keep

extension SQLiteZoneTransaction {
  func limit() throws -> Int? { try number(in: "bound") }
  func setLimit(_ bytes: Int?) throws { try set(bytes, in: "bound") }
  func size() throws -> Int? { try number(in: "size") }
  func setSize(_ bytes: Int?) throws { try set(bytes, in: "size") }

  private func number(in table: String) throws -> Int? {
    try connection.integer("SELECT bytes FROM \(name: table) WHERE zone = \(.integer(zone))")
      .map { Int($0) }
  }

  private func set(_ bytes: Int?, in table: String) throws {
    guard let bytes else {
      return try connection.run("DELETE FROM \(name: table) WHERE zone = \(.integer(zone))")
    }
    try connection.run(
      """
      INSERT INTO \(name: table) (zone, bytes) VALUES (\(.integer(zone)), \(.integer(Int64(bytes)))) \
      ON CONFLICT (zone) DO UPDATE SET bytes = excluded.bytes
      """
    )
  }

  /// The bytes of the cell with a key; `nil` if there is none.
  func size(of key: CellKey) throws -> Int? {
    let sizing = try connection.statement(Self.sizing)
    defer { sizing.reset() }
    sizing.bind(zone, at: 1)
    key.object.lendBytes { sizing.bindBlob(copied: $0, at: 2) }
    key.field.lendBytes { sizing.bindBlob(copied: $0, at: 3) }
    return try sizing.step() ? KeyedCell.sizeWithoutPayload + Int(sizing.integer(0)) : nil
  }

  private static let sizing: SQLFragment = """
    SELECT length(payload) FROM cell \
    WHERE zone = \(.parameter) AND object = \(.parameter) AND field = \(.parameter)
    """
}
