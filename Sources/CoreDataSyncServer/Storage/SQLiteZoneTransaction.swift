import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import CoreDataSyncCrypto

/// One zone of a file, within a transaction.
struct SQLiteZoneTransaction: SQLZoneTransaction {
  static let prefix = ""
  static let byteCounter: SQLFragment = "length"

  let connection: Connection
  let zone: Int64
  private let putting: Statement

  init(_ name: String, _ connection: Connection) throws {
    self.connection = connection
    putting = try connection.statement(Self.put)
    if let known = try connection.integer("SELECT id FROM zone WHERE name = \(.text(name))") {
      zone = known
      return
    }
    try connection.run("INSERT INTO zone (name, head, floor) VALUES (\(.text(name)), 0, 0)")
    zone = try connection.integer("SELECT id FROM zone WHERE name = \(.text(name))") ?? 0
  }
}

// MARK: - The zone

extension SQLiteZoneTransaction {
  func state() throws -> ZoneState {
    var state = ZoneState()
    let row = try connection.statement(
      "SELECT head, floor FROM zone WHERE id = \(.integer(zone))" as SQLFragment
    )
    defer { row.reset() }
    if try row.step() {
      state.head = UInt64(row.integer(0))
      state.floor = UInt64(row.integer(1))
    }
    state.eras = try eras()
    return state
  }

  func setState(_ state: ZoneState) throws {
    try connection.run(
      """
      UPDATE zone SET head = \(.bits(state.head)), floor = \(.bits(state.floor)) \
      WHERE id = \(.integer(zone))
      """
    )
    try addLast(of: state.eras)
  }
}

extension SQLiteZoneTransaction {
  /// Between two runs somebody may have put an older file in the place of this one.
  func era(ofRun run: UInt64, in state: ZoneState) -> UInt64 { run }
}

// MARK: - Encryption

extension SQLiteZoneTransaction {
  func seal() throws -> [UInt8]? {
    let statement = try connection.statement(
      "SELECT content FROM seal WHERE zone = \(.integer(zone))" as SQLFragment
    )
    defer { statement.reset() }
    return try statement.step() ? Array(statement.blobBytes(0)) : nil
  }

  func setSeal(_ seal: [UInt8]) throws {
    try connection.run(
      "INSERT INTO seal (zone, content) VALUES (\(.integer(zone)), \(.blob(seal)))"
    )
  }
}

// MARK: - Cells

extension SQLiteZoneTransaction {
  func put(_ cells: [KeyedCell], after number: UInt64, isMeasured: Bool) throws -> KeptCells {
    var kept = KeptCells()
    for keyed in cells {
      let known = isMeasured ? try size(of: keyed.key) ?? 0 : 0
      guard try put(keyed, as: number + kept.count + 1) else {
        // A cell that is later than any other only because something has changed it would stay for ever.
        _ = try cell(at: keyed.key)
        continue
      }
      kept.count += 1
      if isMeasured { kept.growth += keyed.size - known }
    }
    return kept
  }

  /// Keeps a cell as the change of that number, unless the one with its key is the same or later.
  private func put(_ keyed: KeyedCell, as number: UInt64) throws -> Bool {
    let (key, cell) = (keyed.key, keyed.cell)
    putting.bind(zone, at: 1)
    key.object.lendBytes { putting.bindBlob(copied: $0, at: 2) }
    key.field.lendBytes { putting.bindBlob(copied: $0, at: 3) }
    putting.bind(Int64(bitPattern: number), at: 4)
    cell.lendOrder { putting.bindBlob(copied: $0, at: 5) }
    putting.bind(Int64(bitPattern: cell.base), at: 6)
    putting.bind(keyed.isDeath ? 1 as Int64 : 0, at: 8)
    putting.bind(Int64(keyed.checksum), at: 10)
    if let target = key.field.target {
      target.lendBytes { putting.bindBlob(copied: $0, at: 9) }
    } else {
      putting.bindNull(at: 9)
    }
    try cell.payload.withUnsafeBytes { payload in
      putting.bindBlob(inPlace: payload, at: 7)
      // The bytes are not there any more when this returns.
      defer { putting.bindNull(at: 7) }
      try putting.run()
    }
    return connection.changeCount > 0
  }

  /// SQLite compares bytes as `Cell.loses(to:)` compares what they are made of.
  private static let put: SQLFragment = """
    INSERT INTO cell (zone, object, field, number, rank, base, payload, isDead, target, checksum) \
    VALUES (\((0..<10).map { _ in SQLFragment.parameter }.joined(separator: ", "))) \
    ON CONFLICT (zone, object, field) DO UPDATE SET number = excluded.number, \
    rank = excluded.rank, base = excluded.base, payload = excluded.payload, \
    isDead = excluded.isDead, checksum = excluded.checksum \
    WHERE (cell.rank, cell.payload) < (excluded.rank, excluded.payload)
    """

  func cells(at keys: [CellKey]) throws -> [KeyedCell] { try keys.compactMap { try cell(at: $0) } }

  /// The cell with a key; `nil` if the zone does not have it.
  private func cell(at key: CellKey) throws -> KeyedCell? {
    let finding = try connection.statement(Self.find)
    defer { finding.reset() }
    finding.bind(zone, at: 1)
    key.object.lendBytes { finding.bindBlob(copied: $0, at: 2) }
    key.field.lendBytes { finding.bindBlob(copied: $0, at: 3) }
    return try finding.step() ? Self.cell(of: finding).keyed : nil
  }

  private static let find: SQLFragment = """
    SELECT \(columns) FROM cell \
    WHERE zone = \(.parameter) AND object = \(.parameter) AND field = \(.parameter)
    """

  func cells(after number: UInt64, limit: Int, bytes: Int) throws -> [NumberedCell] {
    let statement = try connection.statement(
      """
      SELECT \(Self.columns) FROM cell \
      WHERE zone = \(.integer(zone)) AND number > \(.bits(number)) \
      ORDER BY number LIMIT \(.integer(Int64(limit)))
      """ as SQLFragment
    )
    defer { statement.reset() }
    var cells: [NumberedCell] = []
    var size = 0
    while size < bytes, try statement.step() {
      let cell = try Self.cell(of: statement)
      cells.append(cell)
      size += cell.keyed.size
    }
    return cells
  }
}

// MARK: - Writers and replicas

extension SQLiteZoneTransaction {
  func watermarks(of writers: [UInt64]) throws -> [UInt64: Stamp] {
    var stamps: [UInt64: Stamp] = [:]
    for writer in writers {
      let moment = try connection.integer(
        "SELECT moment FROM writer WHERE zone = \(.integer(zone)) AND writer = \(.bits(writer))"
      )
      stamps[writer] = moment.map { Stamp(moment: UInt64(bitPattern: $0), writer: writer) }
    }
    return stamps
  }

  func raiseWatermarks(_ stamps: [Stamp]) throws {
    for stamp in stamps {
      try connection.run(
        """
        INSERT INTO writer (zone, writer, moment) \
        VALUES (\(.integer(zone)), \(.bits(stamp.writer)), \(.bits(stamp.moment))) \
        ON CONFLICT (zone, writer) DO UPDATE SET moment = excluded.moment \
        WHERE moment < excluded.moment
        """
      )
    }
  }
}

// MARK: - Forgetting

extension SQLiteZoneTransaction {
  func purge(upTo number: UInt64) throws -> Int {
    try connection.run(
      "CREATE TEMP TABLE IF NOT EXISTS gone (object BLOB PRIMARY KEY) WITHOUT ROWID"
    )
    try connection.run("DELETE FROM gone")
    try connection.run(
      """
      INSERT INTO gone SELECT life.object FROM cell AS life \
      WHERE life.zone = \(.integer(zone)) AND life.isDead AND life.field = x'00' \
      AND life.number <= \(.bits(number)) \
      AND NOT EXISTS (SELECT 1 FROM cell WHERE zone = life.zone AND object = life.object \
      AND number > \(.bits(number))) \
      AND NOT EXISTS (SELECT 1 FROM cell WHERE zone = life.zone AND target = life.object \
      AND (number > \(.bits(number)) OR substr(field, 1, 1) = x'02' AND NOT isDead))
      """
    )
    // The third byte of an identity begins with its version; of version 8 the life stays.
    try connection.run(
      """
      DELETE FROM cell WHERE zone = \(.integer(zone)) AND object IN (SELECT object FROM gone) \
      AND NOT (field = x'00' AND substr(hex(object), 13, 1) = '8')
      """
    )
    let ofObjects = connection.changeCount
    try connection.run(
      """
      DELETE FROM cell WHERE zone = \(.integer(zone)) AND isDead \
      AND substr(field, 1, 1) IN (x'02', x'04') AND number <= \(.bits(number))
      """
    )
    return ofObjects + connection.changeCount
  }
}

// MARK: - Assets

extension SQLiteZoneTransaction {
  func setUnusedAssets(_ assets: [ContentHash: UInt64]) throws {
    try connection.run("DELETE FROM unused WHERE zone = \(.integer(zone))")
    for (hash, since) in assets {
      try connection.run(
        """
        INSERT INTO unused (zone, hash, since) \
        VALUES (\(.integer(zone)), \(.blob(hash.bytes)), \(.bits(since)))
        """
      )
    }
  }
}

// MARK: - Statements

extension SQLiteZoneTransaction {
  func rows(_ fragment: SQLFragment) throws -> Statement { try connection.statement(fragment) }

  func integer(_ fragment: SQLFragment) throws -> Int64? { try connection.integer(fragment) }

  func run(_ fragment: SQLFragment) throws -> Int {
    try connection.run(fragment)
    return connection.changeCount
  }
}

extension Statement: ZoneRows {}
