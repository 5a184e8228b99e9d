import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

// MARK: - Reading cells

extension Sidecar: CellSource {
  func cells(of object: SyncID) throws -> ObjectCells? {
    let statement = try connection.statement(
      """
      SELECT field, epoch, moment, writer, base, payload FROM cell \
      WHERE object = \(.blob(object.bytes))
      """ as SQLFragment
    )
    defer { statement.reset() }
    var cells: ObjectCells?
    while try statement.step() {
      let field = try CellKey.Field(bytes: Array(statement.blobBytes(0)))
      var all = cells ?? ObjectCells()
      all.replace(field, by: Cell(statement, 1))
      cells = all
    }
    return cells
  }

  func referrers(of object: SyncID) throws -> Set<SyncID> {
    try identities("SELECT DISTINCT object FROM cell WHERE target = \(.blob(object.bytes))")
  }

  func holders(of claim: UniqueClaim) throws -> Set<SyncID> {
    try identities("SELECT object FROM claim WHERE claim = \(.blob(claim.bytes))")
  }

  private func identities(_ query: SQLFragment) throws -> Set<SyncID> {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var all: Set<SyncID> = []
    while try statement.step() { all.insert(try SyncID(bytes: Array(statement.blobBytes(0)))) }
    return all
  }
}

// MARK: - Writing cells

extension Sidecar {
  /// Keeps cells in place of those with their keys, and notes which of them have to be sent.
  func put(_ changes: [CellKey: Cell], isUnsent: (CellKey) -> Bool) throws {
    for (key, cell) in changes { try put(KeyedCell(key, cell), isUnsent: isUnsent(key)) }
  }

  func put(_ keyed: KeyedCell, isUnsent: Bool) throws {
    let cell = keyed.cell
    let target = keyed.key.field.target ?? CellValue.reference(in: cell.payload)
    try connection.run(
      """
      INSERT INTO cell (object, field, epoch, moment, writer, base, payload, target, isUnsent) \
      VALUES (\(.blob(keyed.key.object.bytes)), \(.blob(keyed.key.field.bytes)), \
      \(.integer(Int64(cell.epoch))), \(.bits(cell.stamp.moment)), \(.bits(cell.stamp.writer)), \
      \(.bits(cell.base)), \(.blob(cell.payload)), \(target.map { .blob($0.bytes) } ?? .null), \
      \(.integer(isUnsent ? 1 : 0))) \
      ON CONFLICT (object, field) DO UPDATE SET epoch = excluded.epoch, moment = excluded.moment, \
      writer = excluded.writer, base = excluded.base, payload = excluded.payload, \
      target = excluded.target, isUnsent = excluded.isUnsent
      """
    )
  }

  /// Writes down again what unique values objects claim.
  func setClaims(
    of ids: some Sequence<SyncID>,
    _ source: any CellSource,
    _ schema: SyncSchema
  ) throws {
    for id in ids {
      guard let cells = try source.cells(of: id), let rules = schema[cells.entity],
        !rules.constraints.isEmpty
      else { continue }
      try connection.run("DELETE FROM claim WHERE object = \(.blob(id.bytes))")
      for claim in rules.claims(of: cells) {
        try connection.run(
          """
          INSERT INTO claim (claim, object) VALUES (\(.blob(claim.bytes)), \(.blob(id.bytes))) \
          ON CONFLICT DO NOTHING
          """
        )
      }
    }
  }

  func forgetCells() throws {
    try connection.run("DELETE FROM cell")
    try connection.run("DELETE FROM claim")
  }
}

// MARK: - What was not confirmed

extension Sidecar {
  /// The earliest cells that the server has not confirmed; none after the one with which they reach so many bytes.
  func unsentCells(limit: Int, bytes: Int = .max) throws -> [KeyedCell] {
    try keyedCells(
      """
      SELECT object, field, epoch, moment, writer, base, payload FROM cell WHERE isUnsent \
      ORDER BY moment, writer, object, field LIMIT \(.integer(Int64(limit)))
      """,
      bytes: bytes
    )
  }

  /// Those among them that are of objects whose identity stands for a content: a UUID of version 8.
  func unsentNaturalCells() throws -> [KeyedCell] {
    try keyedCells(
      """
      SELECT object, field, epoch, moment, writer, base, payload FROM cell WHERE isUnsent \
      AND substr(hex(object), 13, 1) = '8' ORDER BY moment, writer, object, field
      """
    )
  }

  var unsentCount: Int {
    get throws { Int(try connection.integer("SELECT COUNT(*) FROM cell WHERE isUnsent") ?? 0) }
  }

  /// How many saves these cells are of.
  var unsentSaveCount: Int {
    get throws {
      let saves: SQLFragment = "SELECT DISTINCT moment, writer FROM cell WHERE isUnsent"
      return Int(try connection.integer("SELECT COUNT(*) FROM (\(saves))") ?? 0)
    }
  }

  /// Notes that the server has these cells.
  func confirm(_ cells: [KeyedCell]) throws {
    for keyed in cells {
      try connection.run(
        """
        UPDATE cell SET isUnsent = 0 WHERE object = \(.blob(keyed.key.object.bytes)) \
        AND field = \(.blob(keyed.key.field.bytes)) AND moment = \(.bits(keyed.cell.stamp.moment)) \
        AND writer = \(.bits(keyed.cell.stamp.writer))
        """
      )
    }
  }

  /// Tells of each cell, those of an object together, and whether it has to be sent.
  func forEachCell(_ tell: (KeyedCell, _ isUnsent: Bool) throws -> Void) throws {
    let statement = try connection.statement(
      """
      SELECT object, field, epoch, moment, writer, base, payload, isUnsent FROM cell \
      ORDER BY object, field
      """ as SQLFragment
    )
    defer { statement.reset() }
    while try statement.step() {
      let object = try SyncID(bytes: Array(statement.blobBytes(0)))
      let field = try CellKey.Field(bytes: Array(statement.blobBytes(1)))
      let keyed = KeyedCell(CellKey(object, field), Cell(statement, 2))
      try tell(keyed, statement.integer(7) != 0)
    }
  }

  func keyedCells(_ query: SQLFragment, bytes limit: Int = .max) throws -> [KeyedCell] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var all: [KeyedCell] = []
    var size = 0
    while size < limit, try statement.step() {
      let object = try SyncID(bytes: Array(statement.blobBytes(0)))
      let field = try CellKey.Field(bytes: Array(statement.blobBytes(1)))
      let keyed = KeyedCell(CellKey(object, field), Cell(statement, 2))
      size += keyed.size
      all.append(keyed)
    }
    return all
  }
}

// MARK: - The inbox

extension Sidecar {
  func addToInbox(_ cells: [KeyedCell]) throws {
    for keyed in cells {
      let cell = keyed.cell
      try connection.run(
        """
        INSERT INTO inbox (object, field, epoch, moment, writer, base, payload) VALUES (\
        \(.blob(keyed.key.object.bytes)), \(.blob(keyed.key.field.bytes)), \
        \(.integer(Int64(cell.epoch))), \(.bits(cell.stamp.moment)), \
        \(.bits(cell.stamp.writer)), \(.bits(cell.base)), \(.blob(cell.payload)))
        """
      )
    }
  }

  func inbox() throws -> [KeyedCell] {
    try keyedCells(
      "SELECT object, field, epoch, moment, writer, base, payload FROM inbox ORDER BY place"
    )
  }

  func emptyInbox() throws {
    try connection.run("DELETE FROM inbox")
    try connection.run("DELETE FROM watermark")
  }

  /// Marks for sending all that the inbox does not have as it is known here.
  func sendWhatInboxLacks() throws {
    try connection.run(
      """
      UPDATE cell SET isUnsent = 1 WHERE NOT EXISTS (SELECT 1 FROM inbox \
      WHERE inbox.object = cell.object AND inbox.field = cell.field \
      AND inbox.moment = cell.moment AND inbox.writer = cell.writer)
      """
    )
  }

  func watermarks() throws -> [UInt64: Stamp] {
    let statement = try connection.statement("SELECT writer, moment FROM watermark" as SQLFragment)
    defer { statement.reset() }
    var all: [UInt64: Stamp] = [:]
    while try statement.step() {
      let writer = UInt64(bitPattern: statement.integer(0))
      all[writer] = Stamp(moment: UInt64(bitPattern: statement.integer(1)), writer: writer)
    }
    return all
  }

  func setWatermarks(_ watermarks: some Sequence<Stamp>) throws {
    for stamp in watermarks {
      try connection.run(
        """
        INSERT INTO watermark (writer, moment) VALUES (\(.bits(stamp.writer)), \
        \(.bits(stamp.moment))) ON CONFLICT (writer) DO UPDATE SET moment = excluded.moment
        """
      )
    }
  }
}

// MARK: - Rows

extension SQLValue {
  /// A number of 64 bits, as SQLite keeps them.
  static func bits(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }
}

extension Cell {
  fileprivate init(_ statement: Statement, _ column: Int32) {
    self.init(
      epoch: UInt16(truncatingIfNeeded: statement.integer(column)),
      stamp: Stamp(
        moment: UInt64(bitPattern: statement.integer(column + 1)),
        writer: UInt64(bitPattern: statement.integer(column + 2))
      ),
      base: UInt64(bitPattern: statement.integer(column + 3)),
      payload: Array(statement.blobBytes(column + 4))
    )
  }
}
