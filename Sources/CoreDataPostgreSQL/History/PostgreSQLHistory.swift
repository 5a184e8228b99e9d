import CoreData
import CoreDataSQL

/// The tables of a history, for the zones that keep one.
///
/// ```
/// z_history      for each zone the numbers of its last transaction and of its last change
/// "ATRANSACTION" one row for each save: its time and its origin
/// "ACHANGE"      one row for each row that the save has written: how it changed
/// ```
///
/// Writers lock the zone's row and keep it until the commit: so that numbers are given in the order of the commits, and
/// a reader that has seen one misses none before it. So that writers wait for each other as little as possible:
///
/// - Saves lock it last, behind the rows that they write; they are beside each other until then (``enter(flushing:)``).
///   Batches, and saves that keep values of deleted objects, need the number first. They are alone (``enterAlone``),
///   because somebody who has the number and wants a row, and somebody who has the row and wants a number, would wait for
///   each other.
/// - Saves commit without waiting for the disk, let go of the row, and then wait for the disk together with others
///   (``flush``). A reader waits, too: a transaction whose number it has seen cannot be lost.
enum PostgreSQLHistory {
  static let marker = "z_history"

  static let statements = [
    """
    CREATE TABLE z_history (z_zone TEXT COLLATE "C" PRIMARY KEY, z_last BIGINT NOT NULL, \
    z_last_change BIGINT NOT NULL)
    """,
    """
    CREATE TABLE "ATRANSACTION" (z_zone TEXT COLLATE "C" NOT NULL, "Z_PK" BIGINT NOT NULL, \
    "ZTIMESTAMP" DOUBLE PRECISION NOT NULL, \(texts), PRIMARY KEY (z_zone, "Z_PK"))
    """,
    """
    CREATE TABLE "ACHANGE" (z_zone TEXT COLLATE "C" NOT NULL, "Z_PK" BIGINT NOT NULL, \
    "ZCHANGETYPE" INTEGER NOT NULL, "ZENTITY" INTEGER NOT NULL, "ZENTITYPK" BIGINT NOT NULL, \
    "ZTRANSACTIONID" BIGINT NOT NULL, "ZCOLUMNS" BYTEA, \
    PRIMARY KEY (z_zone, "ZTRANSACTIONID", "Z_PK"))
    """,
  ]

  private static var texts: String {
    HistoryOrigin.Field.allCases.map { "\"\($0.column)\" TEXT COLLATE \"C\"" }
      .joined(separator: ", ")
  }

  /// The statement that makes room for values of deleted objects.
  static func widening(to count: Int) -> String? {
    if count == 0 { return nil }
    let columns = (0..<count).map {
      "ADD COLUMN IF NOT EXISTS \"\(HistoryTables.tombstone($0))\" TEXT COLLATE \"C\""
    }
    return "ALTER TABLE \"ACHANGE\" \(columns.joined(separator: ", "))"
  }

  static func tables(tombstoneCount: Int) -> HistoryTables {
    HistoryTables(shape: .ownTexts, tombstoneCount: tombstoneCount)
  }

  /// Gives the zone a history, if it does not have one.
  static let beginning = """
    INSERT INTO z_history (z_zone, z_last, z_last_change) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING
    """

  static let lastTransaction: SQLFragment = "SELECT z_last FROM z_history WHERE z_zone = $1"

  /// Begins to write beside others who do the same.
  static func enter(flushing: Bool) -> String {
    "SELECT pg_advisory_xact_lock_shared(\(entrance))\(flushing ? asynchronous : "")"
  }

  /// Waits until nobody else writes to this zone, and makes others wait.
  static func enterAlone(flushing: Bool) -> [String] {
    [
      "SELECT pg_advisory_xact_lock(\(entrance))\(flushing ? asynchronous : "")",
      "SELECT z_last FROM z_history WHERE z_zone = $1 FOR UPDATE",
    ]
  }

  private static let entrance = """
    hashtextextended('coredata_history/' || current_schema() || '/' || $1, 0)
    """
  /// The transaction will be flushed after its commit.
  private static let asynchronous = ", set_config('synchronous_commit', 'off', true)"

  /// Waits until all that was committed before is as durable as the user's settings want it; outside of a transaction.
  ///
  /// Nobody reads the message. It makes the statement a transaction with something to write, and the server cannot
  /// write its end without writing everything before it; one wait of the disk is for all who wait at that time.
  static let flush = "SELECT pg_logical_emit_message(true, 'coredata', '')"

  /// The same for readers, who find everything on the disk as a rule; a standby has only what is on the disk of its
  /// primary.
  static let flushIfNeeded = """
    SELECT CASE WHEN NOT pg_is_in_recovery() THEN CASE WHEN pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn() \
    THEN pg_logical_emit_message(true, 'coredata', '') END END
    """
}

extension SavePlan {
  /// The changes of the rows that exist afterwards.
  var writtenInHistory: [HistoryChange] { Array(updatedInHistory) + Array(insertedInHistory) }
}

extension [HistoryChange] {
  /// The changes with the values that the end of a save has computed: a row whose derived attribute has another value
  /// counts as updated, because views that show it are out of date.
  func including(_ computed: [ReportedRow], _ schema: StoreSchema) -> [HistoryChange] {
    var changes = self
    var places: [ChangedRow: Int] = [:]
    for (index, change) in enumerated() {
      places[ChangedRow(root: change.layout.rootNumber, number: change.primaryKey)] = index
    }
    for row in computed {
      guard let layout = schema.model[stored: row.entity] else { continue }
      let slots = SlotSet([layout.slot(named: row.property)].compactMap { $0 })
      let place = ChangedRow(root: layout.rootNumber, number: row.primaryKey)
      if let index = places[place] {
        if changes[index].kind == .update { changes[index].slots.formUnion(slots) }
      } else {
        places[place] = changes.count
        changes.append(HistoryChange(.update, layout, row.primaryKey, changed: slots))
      }
    }
    return changes
  }
}
