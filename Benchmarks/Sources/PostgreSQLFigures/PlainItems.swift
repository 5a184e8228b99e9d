/// An item as a program without the framework would have it.
final class PlainItem {
  var number: Int64 = 0
  var version: Int64 = 1
  var date = 0.0
  var d1 = 0.0
  var d2 = 0.0
  var flag = false
  var i1: Int64 = 0
  var i2: Int32 = 0
  var i3: Int16 = 0
  var name: String?
  var note: String?
  var title: String?

  init() {}

  init(_ number: Int) {
    self.number = Int64(number)
    date = Double(number)
    d1 = Double(number) / 3
    d2 = Double(number) / 7
    flag = number % 2 == 0
    i1 = Int64(number * 31 % 100)
    i2 = Int32(number)
    i3 = Int16(truncatingIfNeeded: number)
    name = "item \(number)"
    note = "a note that is about fifty bytes long, number \(number)"
    title = "the title of item \(number)"
  }

  var weight: Int {
    Int(i1) &+ Int(i2) &+ Int(i3) &+ (flag ? 1 : 0) &+ Int(d1 + d2) &+ Int(date)
      &+ (name?.utf8.count ?? 0) &+ (note?.utf8.count ?? 0) &+ (title?.utf8.count ?? 0)
  }
}

/// The rows of one zone, written and read by the statements with which the framework writes and reads them.
///
/// The framework's additional questions are its own affair, and in its figures alone: before each read and each
/// transaction, in the same trip, whether the tables are still those of the model; and after a save in which life of
/// the server its transaction got its number.
struct PlainItems {
  private let server: PlainServer
  private let zone: PlainValue

  private static let runLength = 5_000
  private static let columns = """
    "Z_PK", "Z_OPT", "ZFLAG", "ZI1", "ZI2", "ZI3", "ZDATE", "ZD1", "ZD2", "ZNAME", "ZNOTE", "ZTITLE"
    """
  private static let begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
  /// The transaction's number, which tells later whether a COMMIT without an answer has happened.
  private static let transaction = "SELECT CAST(pg_current_xact_id() AS TEXT)"

  private let keepsHistory: Bool

  init(_ server: PlainServer, zone: String, keepsHistory: Bool = false) {
    self.server = server
    self.keepsHistory = keepsHistory
    self.zone = .text(zone)
  }
}

// MARK: - Writing

extension PlainItems {
  func insert(_ items: [PlainItem]) {
    let steps = runs(items).map { (sql: Self.insertion, values: [zone] + values(of: $0)) }
    transact(steps)
  }

  /// Gives each item another number, as long as nobody else has written it.
  func update(_ items: [PlainItem]) {
    let steps = runs(items).map { run in
      let values = [
        zone, .integers(run.map(\.number)), .integers(run.map(\.version)),
        .integers(run.map { $0.version + 1 }), .integers(run.map { Int64($0.i2) + 1_000 }),
      ]
      return (sql: Self.updating, values: values)
    }
    let written = transact(steps)
    precondition(written == items.count, "somebody else has written the items")
  }

  /// Two trips: all statements, then the commit.
  @discardableResult
  private func transact(_ steps: [(sql: String, values: [PlainValue])]) -> Int {
    let history = keepsHistory ? Self.history.map { (sql: $0, values: [zone]) } : []
    let all = [(Self.begin, [])] + steps + history + [(Self.transaction, [])]
    let counts = server.pipeline(all)
    server.run("COMMIT")
    return counts[1...steps.count].reduce(0, +)
  }

  private func runs(_ items: [PlainItem]) -> [ArraySlice<PlainItem>] {
    stride(from: 0, to: items.count, by: Self.runLength).map { start in
      items[start..<min(start + Self.runLength, items.count)]
    }
  }

  private func values(of run: ArraySlice<PlainItem>) -> [PlainValue] {
    [
      .integers(run.map(\.number)), .integers(run.map(\.version)),
      .integers(run.map { $0.flag ? 1 : 0 }), .integers(run.map(\.i1)),
      .integers(run.map { Int64($0.i2) }), .integers(run.map { Int64($0.i3) }),
      .reals(run.map(\.date)), .reals(run.map(\.d1)), .reals(run.map(\.d2)),
      .texts(run.map { $0.name ?? "" }), .texts(run.map { $0.note ?? "" }),
      .texts(run.map { $0.title ?? "" }),
    ]
  }

  /// Numbers for transactions that are in no order: nothing keeps the plain side's writers from each other.
  static let historySequence = "CREATE SEQUENCE IF NOT EXISTS plain_history"

  private static let history = [
    """
    INSERT INTO "ATRANSACTION" (z_zone, "Z_PK", "ZTIMESTAMP", "ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID") \
    SELECT $1, nextval('plain_history'), 1.5, NULL, 'figures', NULL, '1'
    """,
    """
    INSERT INTO "ACHANGE" (z_zone, "Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS") \
    SELECT $1, currval('plain_history'), 0, 1, 1, currval('plain_history'), NULL
    """,
  ]

  private static let insertion: String = {
    let names = (0..<12).map { "c\($0)" }
    return """
      INSERT INTO "ZITEM" (z_zone, "Z_ENT", \(columns)) \
      SELECT $1, 1, \(names.joined(separator: ", ")) \
      FROM unnest(\((2...13).map { "$\($0)" }.joined(separator: ", "))) \
      w (\(names.joined(separator: ", ")))
      """
  }()

  private static let updating = """
    UPDATE "ZITEM" t SET "Z_OPT" = w.c2, "ZI2" = w.c3 \
    FROM unnest($2, $3, $4, $5) w (c0, c1, c2, c3) \
    WHERE t.z_zone = $1 AND t."Z_PK" = w.c0 AND t."Z_OPT" = w.c1 RETURNING t."Z_PK"
    """
}

// MARK: - Reading

extension PlainItems {
  func all() -> [PlainItem] {
    items("SELECT \(Self.columns) FROM \"ZITEM\" WHERE z_zone = $1", [zone])
  }

  func few() -> [PlainItem] {
    items("SELECT \(Self.columns) FROM \"ZITEM\" WHERE z_zone = $1 AND \"ZI1\" < 10", [zone])
  }

  /// The keys of the first items, and then these, some at a time.
  func inBatches(of size: Int, limit: Int, _ read: (PlainItem) -> Void) {
    let rows = server.rows(
      "SELECT \"Z_PK\", \"Z_ENT\" FROM \"ZITEM\" WHERE z_zone = $1 LIMIT \(limit)",
      [zone]
    )
    let keys = (0..<rows.count).map { rows.integer($0, 0) }
    for start in stride(from: 0, to: keys.count, by: size) {
      let batch = Array(keys[start..<min(start + size, keys.count)])
      let found = items(
        "SELECT \(Self.columns) FROM \"ZITEM\" WHERE z_zone = $1 AND \"Z_PK\" = ANY($2)",
        [zone, .integers(batch)]
      )
      for item in found { read(item) }
    }
  }

  private func items(_ sql: String, _ values: [PlainValue]) -> [PlainItem] {
    let rows = server.rows(sql, values)
    return (0..<rows.count).map { row in
      let item = PlainItem()
      item.number = rows.integer(row, 0)
      item.version = rows.integer(row, 1)
      item.flag = rows.integer(row, 2) != 0
      item.i1 = rows.integer(row, 3)
      item.i2 = Int32(truncatingIfNeeded: rows.integer(row, 4))
      item.i3 = Int16(truncatingIfNeeded: rows.integer(row, 5))
      item.date = rows.real(row, 6)
      item.d1 = rows.real(row, 7)
      item.d2 = rows.real(row, 8)
      item.name = rows.text(row, 9)
      item.note = rows.text(row, 10)
      item.title = rows.text(row, 11)
      return item
    }
  }
}
