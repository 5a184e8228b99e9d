import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

/// The statements that run for every cell, each compiled once and bound without making its text again.
///
/// None of them is left between two of its rows while another use of it begins.
final class SidecarStatements {
  let cells: Statement
  let referrers: Statement
  let put: Statement
  let confirm: Statement
  let isUntold: Statement
  let receive: Statement
  let identity: Statement
  let address: Statement
  let dirty: Statement

  init(_ connection: Connection) throws {
    cells = try connection.statement(Self.cells)
    referrers = try connection.statement(Self.referrers)
    put = try connection.statement(Self.put)
    confirm = try connection.statement(Self.confirm)
    isUntold = try connection.statement(Self.isUntold)
    receive = try connection.statement(Self.receive)
    identity = try connection.statement(Self.identity)
    address = try connection.statement(Self.address)
    dirty = try connection.statement(Self.dirty)
  }

  private static let cells: SQLFragment =
    "SELECT field, epoch, moment, writer, base, payload FROM cell WHERE object = \(.parameter)"

  private static let referrers: SQLFragment =
    "SELECT DISTINCT object FROM cell WHERE target = \(.parameter)"

  private static let put: SQLFragment = """
    INSERT INTO cell (object, field, epoch, moment, writer, base, payload, target, isUnsent, since) \
    VALUES (\(parameters(10))) \
    ON CONFLICT (object, field) DO UPDATE SET epoch = excluded.epoch, moment = excluded.moment, \
    writer = excluded.writer, base = excluded.base, payload = excluded.payload, \
    target = excluded.target, isUnsent = excluded.isUnsent, \
    since = iif(moment = excluded.moment AND writer = excluded.writer \
    OR \(saysTheSame) AND since IS NOT \(never), since, \
    coalesce(excluded.since, nullif(since, \(never)))), \
    formerTarget = iif(\(staysBefore), formerTarget, target), \
    formerSince = iif(\(staysBefore), formerSince, coalesce(since, 0))
    """

  /// Whether a member is there, or not, as before, or a value the same; the payload is that of a member that was removed.
  private static let saysTheSame: SQLFragment = """
    (target IS excluded.target AND iif(target IS NULL, payload = excluded.payload, \
    (payload = x'0100') = (excluded.payload = x'0100')))
    """

  /// Whether the store has shown before what it did: it has never shown what is replaced, or that led nowhere.
  private static let staysBefore: SQLFragment =
    "(\(saysTheSame) OR since IS \(never) OR target IS NULL AND excluded.target IS NULL)"

  private static let never: SQLFragment = "9223372036854775807"

  private static let confirm: SQLFragment = """
    UPDATE cell SET isUnsent = 0 WHERE object = \(.parameter) AND field = \(.parameter) \
    AND moment = \(.parameter) AND writer = \(.parameter)
    """

  private static let isUntold: SQLFragment = """
    SELECT 1 FROM cell WHERE object = \(.parameter) AND field = \(.parameter) \
    AND moment = \(.parameter) AND writer = \(.parameter) AND isUnsent = 1
    """

  private static let receive: SQLFragment = """
    INSERT INTO inbox (object, field, epoch, moment, writer, base, payload) VALUES (\(parameters(7)))
    """

  private static let identity: SQLFragment = "SELECT id FROM object WHERE address = \(.parameter)"

  private static let address: SQLFragment = "SELECT address FROM object WHERE id = \(.parameter)"

  private static let dirty: SQLFragment =
    "INSERT INTO dirty (id) VALUES (\(.parameter)) ON CONFLICT (id) DO NOTHING"

  private static func parameters(_ count: Int) -> SQLFragment {
    (0..<count).map { _ in SQLFragment.parameter }.joined(separator: ", ")
  }
}

// MARK: - Binding

extension Statement {
  func bind(_ id: SyncID, at index: Int32) {
    id.lendBytes { bindBlob(copied: $0, at: index) }
  }

  /// Binds object, field, epoch, moment, writer, base and payload, in this order from the first place on.
  ///
  /// The payload is not copied: the statement has to run within `use`.
  func lending(_ keyed: KeyedCell, _ use: () throws -> Void) throws {
    let (key, cell) = (keyed.key, keyed.cell)
    bind(key.object, at: 1)
    key.field.lendBytes { bindBlob(copied: $0, at: 2) }
    bind(Int64(cell.epoch), at: 3)
    bind(Int64(bitPattern: cell.stamp.moment), at: 4)
    bind(Int64(bitPattern: cell.stamp.writer), at: 5)
    bind(Int64(bitPattern: cell.base), at: 6)
    try KeptPayload.bytes(of: cell.payload).withUnsafeBytes { payload in
      bindBlob(inPlace: payload, at: 7)
      // The bytes are not there any more when this returns.
      defer { bindNull(at: 7) }
      try use()
    }
  }
}

// MARK: - Reading

extension Statement {
  /// The identity in a column.
  func identity(_ column: Int32) throws -> SyncID { try SyncID(row: blobBytes(column)) }

  /// The key in two columns.
  func key(_ column: Int32) throws -> CellKey {
    CellKey(try identity(column), try CellKey.Field(row: blobBytes(column + 1)))
  }

  /// The cell in five columns: epoch, moment, writer, base and payload.
  func cell(_ column: Int32) throws -> Cell {
    Cell(
      epoch: UInt16(truncatingIfNeeded: integer(column)),
      stamp: Stamp(
        moment: UInt64(bitPattern: integer(column + 1)),
        writer: UInt64(bitPattern: integer(column + 2))
      ),
      base: UInt64(bitPattern: integer(column + 3)),
      payload: try payload(column + 4)
    )
  }

  /// The payload in a column.
  func payload(_ column: Int32) throws -> [UInt8] {
    try KeptPayload.payload(of: blobBytes(column))
  }

  /// All identities in the first column; the statement is ready to run again afterwards.
  func identities() throws -> Set<SyncID> {
    defer { reset() }
    var all: Set<SyncID> = []
    while try step() { all.insert(try identity(0)) }
    return all
  }
}
