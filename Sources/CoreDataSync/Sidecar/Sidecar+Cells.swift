import CoreDataSQL
import CoreDataSQLite
package import CoreDataSyncCore

// MARK: - Reading cells

extension Sidecar: CellSource {
  package func cells(of object: SyncID) throws -> ObjectCells? {
    let statement = statements.cells
    statement.bind(object, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    var cells = ObjectCells()
    repeat {
      cells.replace(try CellKey.Field(row: statement.blobBytes(0)), by: try statement.cell(1))
    } while try statement.step()
    return cells
  }

  package func referrers(of object: SyncID) throws -> Set<SyncID> {
    statements.referrers.bind(object, at: 1)
    return try statements.referrers.identities()
  }

  package func holders(of claim: UniqueClaim) throws -> Set<SyncID> {
    try connection.statement("SELECT object FROM claim WHERE claim = \(.blob(claim.bytes))")
      .identities()
  }
}

// MARK: - Writing cells

extension Sidecar {
  /// Keeps cells in place of those with their keys, and notes which of them have to be sent, and since which
  /// transaction the store shows them.
  ///
  /// In the order of their keys, so that those of one object come to one place of the file.
  func put(
    _ changes: [CellKey: Cell],
    since number: (Cell) -> Int64?,
    isUnsent: (CellKey) -> Bool
  ) throws {
    for (key, cell) in changes.sorted(by: { $0.key < $1.key }) {
      try put(KeyedCell(key, cell), since: number(cell), isUnsent: isUnsent(key))
    }
  }

  func put(_ keyed: KeyedCell, since number: Int64? = nil, isUnsent: Bool) throws {
    let statement = statements.put
    statement.bindNull(at: 8)
    statement.bindNull(at: 10)
    if let target = keyed.key.field.target ?? CellValue.reference(in: keyed.cell.payload) {
      statement.bind(target, at: 8)
      if let number { statement.bind(number, at: 10) }
    } else if let number, number == Self.never || keyed.key.field.isValue {
      // Of lives and places it is only known whether the store shows them.
      statement.bind(number, at: 10)
    }
    statement.bind(isUnsent ? 1 as Int64 : 0, at: 9)
    try statement.lending(keyed) { try statement.run() }
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

  /// Forgets all cells but those that are about to be put, and all claims.
  func forgetCells(butFor kept: [CellKey: Cell]) throws {
    let statement = try connection.statement("SELECT object, field FROM cell" as SQLFragment)
    var gone: [CellKey] = []
    do {
      defer { statement.reset() }
      while try statement.step() {
        let key = try statement.key(0)
        if kept[key] == nil { gone.append(key) }
      }
    }
    for key in gone { try remove(key) }
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

  /// The cells among them that no server has confirmed yet: values that one has lost are with others as they are.
  func neverTakenCells() throws -> [KeyedCell] {
    try keyedCells(
      """
      SELECT object, field, epoch, moment, writer, base, payload FROM cell \
      WHERE isUnsent AND isUnsent = 1 ORDER BY moment, writer, object, field
      """
    )
  }

  func isUnsent(_ key: CellKey) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM cell WHERE object = \(.blob(key.object.bytes)) AND field = \(.blob(key.field.bytes)) AND isUnsent
      """
    ) != nil
  }

  /// Whether a cell is a value that no server has confirmed.
  func isUntold(_ keyed: KeyedCell) throws -> Bool {
    guard keyed.key.field.isValue else { return false }
    let statement = statements.isUntold
    statement.bind(keyed.key.object, at: 1)
    keyed.key.field.lendBytes { statement.bindBlob(copied: $0, at: 2) }
    statement.bind(Int64(bitPattern: keyed.cell.stamp.moment), at: 3)
    statement.bind(Int64(bitPattern: keyed.cell.stamp.writer), at: 4)
    defer { statement.reset() }
    return try statement.step()
  }

  /// The unsent cells of objects whose identity represents a content: a UUID of version 8.
  func unsentNaturalCells() throws -> [KeyedCell] {
    try keyedCells(
      """
      SELECT object, field, epoch, moment, writer, base, payload FROM cell WHERE isUnsent \
      AND substr(hex(object), 13, 1) = '8' ORDER BY moment, writer, object, field
      """
    )
  }

  package var unsentCount: Int {
    get throws { Int(try connection.integer("SELECT COUNT(*) FROM cell WHERE isUnsent") ?? 0) }
  }

  /// Whether more cells of a save wait than so many.
  func hasUnsent(moreThan count: Int, of stamp: Stamp) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM cell WHERE isUnsent AND moment = \(.bits(stamp.moment)) \
      AND writer = \(.bits(stamp.writer)) LIMIT 1 OFFSET \(.integer(Int64(count)))
      """
    ) != nil
  }

  /// The number of cells that the program has changed: the device's name goes along with them.
  var pendingCount: Int {
    get throws {
      guard let device = try device else { return try unsentCount }
      let own: SQLFragment = "isUnsent AND object <> \(.blob(device.object.bytes))"
      return Int(try connection.integer("SELECT COUNT(*) FROM cell WHERE \(own)") ?? 0)
    }
  }

  /// How many saves these cells are of.
  var unsentSaveCount: Int {
    get throws {
      let saves: SQLFragment = "SELECT DISTINCT moment, writer FROM cell WHERE isUnsent"
      return Int(try connection.integer("SELECT COUNT(*) FROM (\(saves))") ?? 0)
    }
  }

  /// Notes that the server has been given these cells.
  func confirm(_ cells: [KeyedCell]) throws {
    let statement = statements.confirm
    try noteTold(cells)
    for keyed in cells {
      statement.bind(keyed.key.object, at: 1)
      keyed.key.field.lendBytes { statement.bindBlob(copied: $0, at: 2) }
      statement.bind(Int64(bitPattern: keyed.cell.stamp.moment), at: 3)
      statement.bind(Int64(bitPattern: keyed.cell.stamp.writer), at: 4)
      try statement.run()
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
      let keyed = KeyedCell(try statement.key(0), try statement.cell(2))
      try tell(keyed, statement.integer(7) != 0)
    }
  }

  func keyedCells(_ query: SQLFragment, bytes limit: Int = .max) throws -> [KeyedCell] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var all: [KeyedCell] = []
    var size = 0
    while size < limit, try statement.step() {
      let keyed = KeyedCell(try statement.key(0), try statement.cell(2))
      size += keyed.size
      all.append(keyed)
    }
    return all
  }
}

// MARK: - The inbox

extension Sidecar {
  func addToInbox(_ cells: [KeyedCell]) throws {
    let statement = statements.receive
    for keyed in cells { try statement.lending(keyed) { try statement.run() } }
  }

  func inbox() throws -> [KeyedCell] {
    try keyedCells(
      "SELECT object, field, epoch, moment, writer, base, payload FROM inbox ORDER BY place"
    )
  }

  package var isAnythingInInbox: Bool {
    get throws { try connection.integer("SELECT 1 FROM inbox LIMIT 1") != nil }
  }

  func emptyInbox() throws {
    try connection.run("DELETE FROM inbox")
    try connection.run("DELETE FROM watermark")
    try connection.run("PRAGMA incremental_vacuum")
  }

  /// Marks for sending all that the inbox does not have as it is known here, and the server once had.
  func sendWhatInboxLacks() throws {
    try connection.run(
      """
      UPDATE cell SET isUnsent = 2 WHERE NOT isUnsent AND NOT EXISTS (SELECT 1 FROM inbox \
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

extension CellKey.Field {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }
}

// MARK: - Rows

extension SQLValue {
  /// A number of 64 bits, as SQLite keeps them.
  static func bits(_ number: UInt64) -> SQLValue { .integer(Int64(bitPattern: number)) }
}
