import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

// MARK: - The time since which the store shows cells

extension Sidecar {
  /// In place of a transaction's number: the store does not show it, because it is an older one.
  static let never = Int64.max

  /// The transaction since which the store shows a cell, as far as its ends are there; `nil` if it is not known.
  func since(_ key: CellKey) throws -> Int64? {
    try connection.integer(
      """
      SELECT since FROM cell WHERE object = \(.blob(key.object.bytes)) \
      AND field = \(.blob(key.field.bytes))
      """
    )
  }

  /// Whether the store shows, because it is an older one, the former state of a cell instead of the present one: that a
  /// member is there.
  func isFormerShown(_ key: CellKey, to target: SyncID) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM cell WHERE object = \(.blob(key.object.bytes)) \
      AND field = \(.blob(key.field.bytes)) AND since = \(.integer(Self.never)) \
      AND formerSince IS NOT NULL AND formerTarget = \(.blob(target.bytes))
      """
    ) != nil
  }

  /// The former target of a reference, which the store shows in place of the cell's; `nil` if there was none.
  func formerShown(_ key: CellKey) throws -> SyncID? {
    let statement = try connection.statement(
      """
      SELECT formerTarget FROM cell WHERE object = \(.blob(key.object.bytes)) \
      AND field = \(.blob(key.field.bytes)) AND since = \(.integer(Self.never)) \
      AND formerSince IS NOT NULL AND formerTarget IS NOT NULL
      """ as SQLFragment
    )
    defer { statement.reset() }
    return try statement.step() ? try statement.identity(0) : nil
  }

  /// The value that the store shows for an attribute in place of the learned one; `nil` if none was noted.
  func shownValue(_ key: CellKey) throws -> [UInt8]? {
    let statement = try connection.statement(
      """
      SELECT payload FROM shownValue WHERE object = \(.blob(key.object.bytes)) \
      AND field = \(.blob(key.field.bytes))
      """ as SQLFragment
    )
    defer { statement.reset() }
    return try statement.step() ? try statement.payload(0) : nil
  }

  /// Notes what the store shows of an attribute, before something else is learned.
  func noteShownValue(_ payload: [UInt8], _ key: CellKey) throws {
    // The known cell was learned as well, and the store does not show it.
    if try since(key) == Self.never { return }
    try connection.run(
      """
      INSERT INTO shownValue (object, field, payload) VALUES (\(.blob(key.object.bytes)), \
      \(.blob(key.field.bytes)), \(.blob(KeptPayload.bytes(of: payload)))) \
      ON CONFLICT (object, field) DO UPDATE SET payload = excluded.payload
      """
    )
  }

  /// Notes that the store does not show any more what a cell said before.
  func forgetFormer(_ key: CellKey) throws {
    try connection.run(
      """
      UPDATE cell SET formerSince = NULL \
      WHERE object = \(.blob(key.object.bytes)) AND field = \(.blob(key.field.bytes)) \
      AND since = \(.integer(Self.never))
      """
    )
  }

  /// The transaction since which the store has an object; nil for one that it does not have.
  func since(_ id: SyncID) throws -> Int64? {
    try connection.integer(
      "SELECT since FROM object WHERE id = \(.blob(id.bytes)) AND address IS NOT NULL"
    )
  }

  /// Notes that the store is as it was at that transaction; `nil` if nobody knows it any more.
  func forgetShown(since number: Int64?) throws {
    guard let number else {
      return try connection.run("UPDATE cell SET since = NULL WHERE since IS NOT NULL")
    }
    try connection.run(
      """
      UPDATE cell SET since = \(.integer(Self.never)), \
      formerSince = iif(formerSince > \(.integer(number)), NULL, formerSince) \
      WHERE since > \(.integer(number))
      """
    )
  }

  /// Notes that the store does not show what a cell says, nor what it said before.
  func noteUnshown(_ key: CellKey) throws {
    try connection.run(
      """
      UPDATE cell SET since = \(.integer(Self.never)), formerSince = NULL \
      WHERE object = \(.blob(key.object.bytes)) AND field = \(.blob(key.field.bytes))
      """
    )
  }

  /// Notes that the store shows again what it did not, of these objects; nil for a transaction that nobody knows.
  func noteShown(_ ids: some Sequence<SyncID>, since number: Int64?) throws {
    for id in ids {
      try connection.run(
        """
        UPDATE cell SET since = \(number.map { .integer($0) } ?? .null) \
        WHERE object = \(.blob(id.bytes)) AND since = \(.integer(Self.never))
        """
      )
      try connection.run("DELETE FROM shownValue WHERE object = \(.blob(id.bytes))")
    }
  }

  /// Notes that the store shows a cell; `nil` for an unknown transaction.
  func noteShown(_ key: CellKey, since number: Int64?) throws {
    try connection.run(
      """
      UPDATE cell SET since = \(number.map { .integer($0) } ?? .null) \
      WHERE object = \(.blob(key.object.bytes)) AND field = \(.blob(key.field.bytes)) \
      AND since = \(.integer(Self.never))
      """
    )
  }

  /// Notes that the store shows all that is known; nil for a transaction that nobody knows.
  func noteAllShown(since number: Int64?) throws {
    try connection.run(
      """
      UPDATE cell SET since = \(number.map { .integer($0) } ?? .null) \
      WHERE since = \(.integer(Self.never))
      """
    )
    try connection.run("DELETE FROM shownValue")
    try setNumber(nil, "isStale")
    try setNumber(nil, "hasLearned")
  }

  /// Whether the store is an older one, which has not been given yet what it lacks.
  var isStale: Bool {
    get throws { try number("isStale") == 1 }
  }

  /// Whether something was learned that the store does not show yet.
  var hasLearned: Bool {
    get throws { try number("hasLearned") == 1 }
  }
}
