import CoreDataSQL
import CoreDataSQLite
package import CoreDataSyncCore

// MARK: - Identities and the store's objects

extension Sidecar {
  package func identity(at address: String) throws -> SyncID? {
    let statement = statements.identity
    statement.bind(.text(address), at: 1)
    defer { statement.reset() }
    return try statement.step() ? try statement.identity(0) : nil
  }

  func address(of id: SyncID) throws -> String? {
    let statement = statements.address
    statement.bind(id, at: 1)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  /// Notes which object of the store has an identity; nil for none.
  ///
  /// The address that it had before stays known, for a store that is restored from before that time.
  func setAddress(_ address: String?, of id: SyncID, since number: Int64) throws {
    if let address {
      try connection.run(
        "UPDATE object SET address = NULL WHERE address = \(.text(address)) AND id <> \(.blob(id.bytes))"
      )
    }
    try connection.run(
      """
      INSERT INTO object (id, address, since) VALUES (\(.blob(id.bytes)), \
      \(address.map { .text($0) } ?? .null), \(.integer(number))) \
      ON CONFLICT (id) DO UPDATE SET \
      formerAddress = coalesce(object.address, formerAddress), \
      formerSince = iif(object.address IS NULL, formerSince, object.since), \
      formerUntil = iif(object.address IS NULL, formerUntil, excluded.since), \
      address = excluded.address, since = excluded.since \
      WHERE address IS NOT excluded.address
      """
    )
  }

  /// Tells of all objects that the store has, as far as is known.
  func forEachAddress(_ tell: (SyncID, String) throws -> Void) throws {
    let statement = try connection.statement(
      "SELECT id, address FROM object WHERE address IS NOT NULL ORDER BY id" as SQLFragment
    )
    defer { statement.reset() }
    while try statement.step() { try tell(try statement.identity(0), statement.text(1)) }
  }

  func forgetAddresses(since number: Int64) throws {
    try connection.run(
      "UPDATE object SET address = NULL WHERE since > \(.integer(number))"
    )
  }

  /// Gives back the addresses that objects had at that transaction, and lost after it.
  func recallAddresses(at number: Int64) throws {
    try connection.run(
      """
      UPDATE OR IGNORE object SET address = formerAddress, since = formerSince \
      WHERE address IS NULL AND formerSince <= \(.integer(number)) \
      AND formerUntil > \(.integer(number))
      """
    )
  }
}

// MARK: - Objects that wait

extension Sidecar {
  package func identities(in table: IdentityTable) throws -> Set<SyncID> {
    let statement = try connection.statement(
      "SELECT \(column: table.column) FROM \(name: table.rawValue)" as SQLFragment
    )
    return try statement.identities()
  }

  package enum IdentityTable: String {
    case dirty
    case cell

    fileprivate var column: String { self == .cell ? "object" : "id" }
  }

  func markDirty(_ ids: some Sequence<SyncID>) throws {
    for id in ids {
      statements.dirty.bind(id, at: 1)
      try statements.dirty.run()
    }
  }

  func pendingAddresses() throws -> [SyncID: String] {
    let statement = try connection.statement("SELECT id, address FROM pending" as SQLFragment)
    defer { statement.reset() }
    var all: [SyncID: String] = [:]
    while try statement.step() {
      all[try statement.identity(0)] = statement.text(1)
    }
    return all
  }

  func addPending(_ id: SyncID, _ address: String) throws {
    try connection.run(
      "INSERT INTO pending (id, address) VALUES (\(.blob(id.bytes)), \(.text(address)))"
    )
  }
}

// MARK: - What came and went unseen

extension Sidecar {
  /// Notes that an object was made and deleted since the last reading, its address, and the transactions.
  func noteGone(_ id: SyncID, from address: String, since: Int64, until: Int64) throws {
    try connection.run(
      """
      INSERT INTO gone (id, isAsked, address, since, until) VALUES (\(.blob(id.bytes)), 0, \
      \(.text(address)), \(.integer(since)), \(.integer(until))) \
      ON CONFLICT (id) DO UPDATE SET isAsked = 0, address = excluded.address, \
      since = excluded.since, until = excluded.until
      """
    )
  }

  /// Those of them that are in the inbox.
  ///
  /// Some of them the server did not know when it was asked, because it was put back to a backup: another device has
  /// brought them since. Left out are those that are known here by now, and those that the store has again because it
  /// was put back, too.
  func goneInInbox() throws -> [SyncID] {
    let common = try number("putBackTo") ?? -1
    return try orderedIdentities(
      """
      SELECT id FROM gone WHERE EXISTS (SELECT 1 FROM inbox WHERE inbox.object = gone.id) \
      UNION SELECT id FROM goneAddress \
      WHERE EXISTS (SELECT 1 FROM inbox WHERE inbox.object = goneAddress.id) \
      AND NOT EXISTS (SELECT 1 FROM cell WHERE cell.object = goneAddress.id) \
      AND NOT (since <= \(.integer(common)) AND until > \(.integer(common))) \
      ORDER BY id
      """
    )
  }

  /// Notes that the server has sent all its cells of them.
  ///
  /// For the objects that the server knows, their former places are kept, for a store that is put back to when they
  /// were there. Objects that nobody knows come back with such a store.
  func noteAskedForGone() throws {
    try connection.run("UPDATE goneDot SET isAsked = 1 WHERE NOT isAsked")
    if try connection.integer("SELECT 1 FROM gone WHERE NOT isAsked LIMIT 1") == nil { return }
    try connection.run(
      """
      INSERT INTO object (id, since, formerAddress, formerSince, formerUntil) \
      SELECT id, until, address, since, until FROM gone WHERE NOT isAsked AND address IS NOT NULL \
      AND EXISTS (SELECT 1 FROM inbox WHERE inbox.object = gone.id AND epoch = 1) \
      ON CONFLICT (id) DO UPDATE SET formerAddress = excluded.formerAddress, \
      formerSince = excluded.formerSince, formerUntil = excluded.formerUntil \
      WHERE object.address IS NULL
      """
    )
    try connection.run("UPDATE gone SET isAsked = 1 WHERE NOT isAsked")
  }

  /// Forgets the objects that the server was asked for: its cells of them are applied.
  ///
  /// Two things stay, because another device may bring them later: the places of the objects that the server did not
  /// know, and the latest 10,000 occurrences.
  func forgetGone() throws {
    try connection.run(
      """
      INSERT INTO goneAddress (address, id, since, until) \
      SELECT address, id, since, until FROM gone WHERE isAsked AND address IS NOT NULL \
      AND NOT EXISTS (SELECT 1 FROM cell WHERE cell.object = gone.id) \
      ON CONFLICT (address) DO UPDATE SET id = excluded.id, since = excluded.since, \
      until = excluded.until
      """
    )
    try connection.run("DELETE FROM gone WHERE isAsked")
    try connection.run(
      """
      DELETE FROM goneDot WHERE isAsked AND moment < \
      (SELECT moment FROM goneDot ORDER BY moment DESC LIMIT 1 OFFSET 9999)
      """
    )
  }

  /// Takes back that objects went which a store has again that is put back to that transaction, if nobody was told yet:
  /// others may know them, from before the device was put back to a backup.
  func recallGone(at number: Int64) throws {
    let recalled: SQLFragment = """
      gone.address IS NOT NULL AND NOT gone.isAsked \
      AND gone.since <= \(.integer(number)) AND gone.until > \(.integer(number))
      """
    try connection.run(
      """
      DELETE FROM cell WHERE field = x'00' AND epoch = 2 AND isUnsent = 1 \
      AND object IN (SELECT id FROM gone WHERE \(recalled)) \
      AND NOT EXISTS (SELECT 1 FROM cell AS other WHERE other.object = cell.object \
      AND other.field <> x'00')
      """
    )
    // Of a deletion that was sent the others know.
    let isUntold: SQLFragment = "NOT EXISTS (SELECT 1 FROM cell WHERE cell.object = gone.id)"
    try connection.run(
      """
      INSERT INTO goneAddress (address, id, since, until) \
      SELECT address, id, since, until FROM gone WHERE \(recalled) AND \(isUntold) \
      ON CONFLICT (address) DO UPDATE SET id = excluded.id, since = excluded.since, \
      until = excluded.until
      """
    )
    try connection.run("DELETE FROM gone WHERE \(recalled) AND \(isUntold)")
  }

  /// The identity of an object that came and went unseen, in a store that was put back to when it was there.
  func goneIdentity(at address: String) throws -> SyncID? {
    guard let common = try number("putBackTo") else { return nil }
    return try orderedIdentities(
      """
      SELECT id FROM goneAddress WHERE address = \(.text(address)) \
      AND since <= \(.integer(common)) AND until > \(.integer(common))
      """
    ).first
  }

  /// Notes occurrences that members may have had that were put in and taken out since the last reading.
  func noteGone(_ dots: Set<Stamp>) throws {
    for dot in dots {
      try connection.run(
        """
        INSERT INTO goneDot (moment, writer, isAsked) VALUES (\(.bits(dot.moment)), \
        \(.bits(dot.writer)), 0) ON CONFLICT (moment, writer) DO UPDATE SET isAsked = 0
        """
      )
    }
  }

  var hasGoneDots: Bool {
    get throws { try connection.integer("SELECT 1 FROM goneDot LIMIT 1") != nil }
  }

  func isGone(_ dot: Stamp) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM goneDot \
      WHERE moment = \(.bits(dot.moment)) AND writer = \(.bits(dot.writer))
      """
    ) != nil
  }
}

// MARK: - What the store refuses

extension Sidecar {
  /// Objects that are held back as a whole, and properties of others.
  func heldBack() throws -> (objects: Set<SyncID>, properties: Set<HeldProperty>) {
    let statement = try connection.statement("SELECT object, property FROM held" as SQLFragment)
    defer { statement.reset() }
    var objects: Set<SyncID> = []
    var properties: Set<HeldProperty> = []
    while try statement.step() {
      let id = try statement.identity(0)
      let number = UInt64(bitPattern: statement.integer(1))
      if number == 0 {
        objects.insert(id)
      } else {
        properties.insert(HeldProperty(object: id, property: PropertyID(number: number)))
      }
    }
    return (objects, properties)
  }

  /// Holds back a property of an object, or the object.
  func hold(
    _ id: SyncID,
    _ property: PropertyID?,
    _ sentence: String,
    isOwn: Bool = false,
    at time: UInt64
  ) throws {
    try connection.run(
      """
      INSERT INTO held (object, property, sentence, time, isOwn) VALUES (\(.blob(id.bytes)), \
      \(.integer(Int64(bitPattern: property?.number ?? 0))), \(.text(sentence)), \
      \(.integer(Int64(time))), \(.integer(isOwn ? 1 : 0))) \
      ON CONFLICT (object, property) DO UPDATE SET isOwn = max(isOwn, excluded.isOwn)
      """
    )
  }

  /// Lets go what the store has refused of objects, so that it is tried again.
  func release(_ ids: some Sequence<SyncID>) throws {
    guard try connection.integer("SELECT 1 FROM held WHERE NOT isOwn LIMIT 1") != nil else {
      return
    }
    for id in ids {
      try connection.run("DELETE FROM held WHERE object = \(.blob(id.bytes)) AND NOT isOwn")
    }
  }

  /// Lets go values that may be replaced by others: those of the store's own, or those that came from elsewhere.
  func release(_ keys: some Sequence<CellKey>, areOwn: Bool) throws {
    let areOwn: SQLValue = .integer(areOwn ? 1 : 0)
    let known = try connection.integer("SELECT 1 FROM held WHERE isOwn = \(areOwn) LIMIT 1")
    if known == nil { return }
    for key in keys {
      guard case .value(let property) = key.field else { continue }
      try connection.run(
        """
        DELETE FROM held WHERE object = \(.blob(key.object.bytes)) \
        AND property = \(.bits(property.number)) AND isOwn = \(areOwn)
        """
      )
    }
  }
}

struct HeldProperty: Hashable {
  let object: SyncID
  let property: PropertyID
}
