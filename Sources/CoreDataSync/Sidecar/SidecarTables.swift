import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore

/// The tables of a sidecar.
///
/// ```
/// fact       single values: tokens, cursors, the clock
/// object     identities, and the objects of the store that they have
/// cell       all cells, those that were not confirmed among them; for a value or a member, since which of the store's
///            transactions the store shows it; for a reference, the one it showed before; for all learned cells, that
///            the store does not show them yet
/// shownValue  the store's values of attributes in place of learned ones, until it shows those
/// told       values of this device that the server has confirmed, until a page shows the cells in their places
/// claim      unique values, and the objects that claim them
/// inbox      cells that came and were not applied
/// pending    identities of objects that a save is about to insert
/// portion    the objects of a save, if it is not for all that wait
/// gone       objects that were made and deleted between two readings, until the server was asked whether it knows them,
///            and their addresses
/// goneAddress  addresses of objects that nobody else knew, to recognise them in a store that is put back, and in case
///              others bring them to the server later
/// goneDot    the latest occurrences that members may have had that were put in and taken out between two readings
/// dirty      objects that the store may show differently from the cells
/// aside      cells whose payload the server lacks, as they came, and by the keys that they have here
/// held       cells that the store refuses, and why; and values of its own that other devices cannot get
/// conflict   values that lost against others, and were not seen by their writers
/// drained    the store's transactions that were read, to know the store again
/// ```
enum SidecarTables {
  /// Relationships had other numbers in version 1, and payloads were not compressed in version 2.
  static let version: Int64 = 3
  /// The version of the oldest file that can be read as it is.
  static let oldestReadable: Int64 = 2

  static func make(in connection: Connection) throws {
    for statement in statements { try connection.run(statement) }
    for column in additions where try !has(column, in: connection) {
      try connection.run(
        "ALTER TABLE \(name: column.table) ADD COLUMN \(name: column.name) \(column.type)"
      )
    }
  }

  /// Which program has written a file, by its number; nil for a file that is being made.
  static func version(in connection: Connection) throws -> Int64? {
    let table = try connection.integer("SELECT 1 FROM sqlite_master WHERE name = 'fact'")
    if table == nil { return nil }
    return try connection.integer("SELECT value FROM fact WHERE name = 'version'")
  }

  /// Whether no table is missing, and none lacks a column.
  static func areCurrent(in connection: Connection) throws -> Bool {
    try names.allSatisfy { name in
      try connection.integer("SELECT 1 FROM sqlite_master WHERE name = \(.text(name))") != nil
    } && additions.allSatisfy { try has($0, in: connection) }
  }

  /// Columns that tables of earlier programs lack; that they do not say it is the same as not knowing it.
  private static let additions: [(table: String, name: String, type: SQLFragment)] = [
    ("cell", "since", "INTEGER"), ("cell", "formerTarget", "BLOB"),
    ("cell", "formerSince", "INTEGER"), ("gone", "address", "TEXT"), ("gone", "since", "INTEGER"),
    ("gone", "until", "INTEGER"),
  ]

  private static func has(
    _ column: (table: String, name: String, type: SQLFragment),
    in connection: Connection
  ) throws -> Bool {
    let known = try connection.integer(
      """
      SELECT 1 FROM pragma_table_info(\(.text(column.table))) WHERE name = \(.text(column.name))
      """
    )
    return known != nil
  }

  /// Compresses the payloads of the cells in a file of version 2.
  static func compress(in connection: Connection) throws {
    var last: CellKey?
    repeat {
      let page = try connection.statement(
        """
        SELECT object, field, payload FROM cell WHERE (object, field) > \
        (\(.blob(last?.object.bytes ?? [])), \(.blob(last?.field.bytes ?? []))) \
        AND (length(payload) >= \(.integer(KeptPayload.shortest)) OR payload >= x'10' AND payload < x'11') \
        ORDER BY object, field LIMIT 16
        """ as SQLFragment
      )
      defer { page.reset() }
      var payloads: [(key: CellKey, payload: [UInt8])] = []
      while try page.step() { payloads.append((try page.key(0), Array(page.blobBytes(2)))) }
      for (key, payload) in payloads {
        try connection.run(
          """
          UPDATE cell SET payload = \(.blob(KeptPayload.bytes(of: payload))) \
          WHERE object = \(.blob(key.object.bytes)) AND field = \(.blob(key.field.bytes))
          """
        )
      }
      last = payloads.last?.key
    } while last != nil
  }

  /// Makes a sidecar begin again: its store is then read as for the first time.
  static func makeAnew(in connection: Connection) throws {
    for name in names { try connection.run("DROP TABLE IF EXISTS \(name: name)") }
    try make(in: connection)
  }

  private static let names = [
    "fact", "object", "cell", "shownValue", "told", "claim", "inbox", "watermark", "pending",
    "portion", "gone", "goneAddress", "goneDot", "dirty", "aside", "held", "conflict",
    "drained",
  ]

  private static let statements: [SQLFragment] = [
    "CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    """
    CREATE TABLE IF NOT EXISTS object (
      id BLOB PRIMARY KEY, address TEXT UNIQUE, since INTEGER NOT NULL,
      formerAddress TEXT, formerSince INTEGER, formerUntil INTEGER) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS cell (
      object BLOB NOT NULL, field BLOB NOT NULL, epoch INTEGER NOT NULL, moment INTEGER NOT NULL,
      writer INTEGER NOT NULL, base INTEGER NOT NULL, payload BLOB NOT NULL, target BLOB,
      isUnsent INTEGER NOT NULL, since INTEGER, formerTarget BLOB, formerSince INTEGER,
      PRIMARY KEY (object, field)) WITHOUT ROWID
    """,
    "CREATE INDEX IF NOT EXISTS cell_target ON cell (target) WHERE target IS NOT NULL",
    "CREATE INDEX IF NOT EXISTS cell_unsent ON cell (moment, writer) WHERE isUnsent",
    """
    CREATE TABLE IF NOT EXISTS shownValue (
      object BLOB NOT NULL, field BLOB NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (object, field))
      WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS told (
      object BLOB NOT NULL, field BLOB NOT NULL, moment INTEGER NOT NULL, writer INTEGER NOT NULL,
      PRIMARY KEY (object, field)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS claim (
      claim BLOB NOT NULL, object BLOB NOT NULL, PRIMARY KEY (claim, object)) WITHOUT ROWID
    """,
    "CREATE INDEX IF NOT EXISTS claim_object ON claim (object)",
    """
    CREATE TABLE IF NOT EXISTS inbox (
      place INTEGER PRIMARY KEY, object BLOB NOT NULL, field BLOB NOT NULL, epoch INTEGER NOT NULL,
      moment INTEGER NOT NULL, writer INTEGER NOT NULL, base INTEGER NOT NULL, payload BLOB NOT NULL)
    """,
    "CREATE INDEX IF NOT EXISTS inbox_object ON inbox (object)",
    "CREATE INDEX IF NOT EXISTS inbox_life ON inbox (payload, object) WHERE field = x'00'",
    "CREATE TABLE IF NOT EXISTS watermark (writer INTEGER PRIMARY KEY, moment INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS pending (id BLOB PRIMARY KEY, address TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS portion (id BLOB PRIMARY KEY) WITHOUT ROWID",
    """
    CREATE TABLE IF NOT EXISTS gone (
      id BLOB PRIMARY KEY, isAsked INTEGER NOT NULL, address TEXT, since INTEGER, until INTEGER)
      WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS goneAddress (
      address TEXT PRIMARY KEY, id BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL)
      WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS goneDot (
      moment INTEGER NOT NULL, writer INTEGER NOT NULL, isAsked INTEGER NOT NULL,
      PRIMARY KEY (moment, writer)) WITHOUT ROWID
    """,
    "CREATE TABLE IF NOT EXISTS dirty (id BLOB PRIMARY KEY) WITHOUT ROWID",
    """
    CREATE TABLE IF NOT EXISTS aside (
      object BLOB NOT NULL, field BLOB NOT NULL, givenObject BLOB NOT NULL, givenField BLOB NOT NULL,
      epoch INTEGER NOT NULL, moment INTEGER NOT NULL, writer INTEGER NOT NULL, base INTEGER NOT NULL,
      payload BLOB NOT NULL, turn INTEGER NOT NULL, PRIMARY KEY (object, field)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS held (
      object BLOB NOT NULL, property INTEGER NOT NULL, sentence TEXT NOT NULL, time INTEGER NOT NULL,
      isOwn INTEGER NOT NULL, PRIMARY KEY (object, property)) WITHOUT ROWID
    """,
    """
    CREATE TABLE IF NOT EXISTS conflict (
      id INTEGER PRIMARY KEY AUTOINCREMENT, object BLOB NOT NULL, field BLOB NOT NULL, epoch INTEGER NOT NULL,
      moment INTEGER NOT NULL, writer INTEGER NOT NULL, payload BLOB NOT NULL,
      time INTEGER NOT NULL, UNIQUE (object, field, moment, writer))
    """,
    "CREATE TABLE IF NOT EXISTS drained (number INTEGER PRIMARY KEY, time REAL NOT NULL)",
  ]
}
