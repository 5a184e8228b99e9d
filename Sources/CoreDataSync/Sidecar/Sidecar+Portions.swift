import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

// MARK: - Parts of the inbox

extension Sidecar {
  /// Whether more than so many cells are in the inbox.
  func hasInboxCells(_ count: Int) throws -> Bool {
    try connection.integer("SELECT 1 FROM inbox LIMIT 1 OFFSET \(.integer(Int64(count)))") != nil
  }

  /// Whether a snapshot would take the place of something: of cells that the server has confirmed, or has received
  /// without saying so, or of an object that was brought back here.
  ///
  /// Otherwise it is merged with the known cells, with the same result.
  var hasWhatSnapshotsReplace: Bool {
    get throws {
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM watermark) OR EXISTS (SELECT 1 FROM cell \
        WHERE NOT isUnsent OR field = x'00' AND epoch > 1)
        """
      ) != 0
    }
  }

  /// Whether an object of the inbox can be applied before the others: of one with a natural identity, as
  /// `SyncID.isNatural` says, it has to be known, when all is merged, what waits here.
  private static let canComeFirst: SQLFragment = """
    NOT (substr(hex(inbox.object), 13, 1) = '8' \
    AND EXISTS (SELECT 1 FROM cell WHERE cell.object = inbox.object AND cell.isUnsent))
    """

  /// Objects of an entity that live, as the inbox says, and of which it does not say that they were ever deleted.
  func inboxLives(of entity: String, limit: Int) throws -> [SyncID] {
    try orderedIdentities(
      """
      SELECT DISTINCT object FROM inbox WHERE field = x'00' \
      AND payload = \(.blob(KeptPayload.bytes(of: CellValue.entity(entity).payload))) \
      AND NOT EXISTS (SELECT 1 FROM inbox AS life WHERE life.object = inbox.object \
      AND life.field = x'00' AND life.epoch % 2 = 0) AND \(Self.canComeFirst) \
      ORDER BY object LIMIT \(.integer(Int64(limit)))
      """
    )
  }

  /// Objects of which the inbox does not say whether they live.
  func inboxObjectsWithoutLife(limit: Int) throws -> [SyncID] {
    try orderedIdentities(
      """
      SELECT DISTINCT object FROM inbox WHERE NOT EXISTS (SELECT 1 FROM inbox AS life \
      WHERE life.object = inbox.object AND life.field = x'00') AND \(Self.canComeFirst) \
      ORDER BY object LIMIT \(.integer(Int64(limit)))
      """
    )
  }

  /// The inbox's cells of these objects, as they came.
  func inbox(of ids: [SyncID]) throws -> [KeyedCell] {
    try ids.flatMap { id in
      try keyedCells(
        """
        SELECT object, field, epoch, moment, writer, base, payload FROM inbox \
        WHERE object = \(.blob(id.bytes)) ORDER BY place
        """
      )
    }
  }

  func removeFromInbox(_ ids: [SyncID]) throws {
    for id in ids { try connection.run("DELETE FROM inbox WHERE object = \(.blob(id.bytes))") }
  }

  func orderedIdentities(_ query: SQLFragment) throws -> [SyncID] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var all: [SyncID] = []
    while try statement.step() { all.append(try statement.identity(0)) }
    return all
  }
}

// MARK: - Parts of the dirty objects

extension Sidecar {
  func dirty(limit: Int) throws -> [SyncID] {
    try orderedIdentities("SELECT id FROM dirty ORDER BY id LIMIT \(.integer(Int64(limit)))")
  }

  /// Tells of the objects that live and are dirty, and that the store does not have, in the order of their identities,
  /// with their entities.
  func forEachLackedLife(_ tell: (SyncID, _ entity: String) throws -> Void) throws {
    let statement = try connection.statement(
      """
      SELECT dirty.id, cell.payload FROM dirty \
      JOIN cell ON cell.object = dirty.id AND cell.field = x'00' \
      LEFT JOIN object ON object.id = dirty.id \
      WHERE cell.epoch % 2 = 1 AND object.address IS NULL ORDER BY dirty.id
      """ as SQLFragment
    )
    defer { statement.reset() }
    while try statement.step() {
      guard case .entity(let entity)? = CellValue(payload: try statement.payload(1)),
        entity != DeviceTag.entity
      else { continue }
      try tell(try statement.identity(0), entity)
    }
  }

  func forgetDirty(_ ids: some Sequence<SyncID>) throws {
    for id in ids { try connection.run("DELETE FROM dirty WHERE id = \(.blob(id.bytes))") }
  }
}

// MARK: - The portion of a save that was begun

extension Sidecar {
  private static let kind = "portion"

  /// Notes what the save is about that begins.
  func set(_ portion: InboxPortion) throws {
    for id in portion.objects ?? [] {
      try connection.run("INSERT INTO portion (id) VALUES (\(.blob(id.bytes)))")
    }
    switch portion {
    case .everything: try setNumber(nil, Self.kind)
    case .inbox: try setNumber(1, Self.kind)
    case .dirty: try setNumber(2, Self.kind)
    }
  }

  /// The portion of the save that has begun.
  var portion: InboxPortion {
    get throws {
      let kind = try number(Self.kind)
      let ids = try orderedIdentities("SELECT id FROM portion ORDER BY id")
      return kind == 1 ? .inbox(ids) : kind == 2 ? .dirty(ids) : .everything
    }
  }

  func forgetPortion() throws {
    try connection.run("DELETE FROM portion")
    try setNumber(nil, Self.kind)
  }
}
