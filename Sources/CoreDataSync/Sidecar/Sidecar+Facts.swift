import CoreData
import CoreDataSQL
import CoreDataSQLite
package import CoreDataSyncCore

/// How to apply the cells in the inbox.
package enum InboxMode: Int64 {
  /// They are merged into what is known.
  case changes = 0
  /// They replace the known cells, except those that were not confirmed.
  case snapshot = 1
  /// They are merged, and cells that they lack are sent again: the server was restored from a backup.
  case rewound = 2
}

// MARK: - What there is one of

extension Sidecar {
  var replica: SyncID? {
    get throws { try bytes("replica").map { try SyncID(bytes: $0) } }
  }

  /// The part that all stamps of this device share.
  var device: DeviceTag? {
    get throws { try replica.map { DeviceTag(ofReplica: $0) } }
  }

  /// How far changes were applied.
  package var cursor: Cursor {
    get throws { try cursor("cursor") ?? .start }
  }

  /// How far changes are in the inbox.
  package var received: Cursor {
    get throws { try cursor("received") ?? .start }
  }

  /// The latest that the server is known to have had, received or not.
  var seen: Cursor {
    get throws { try cursor("seen") ?? .start }
  }

  func noteSeen(_ cursor: Cursor) throws {
    if try seen.position < cursor.position { try set(cursor, "seen") }
  }

  /// The latest moment of the cells that came from the server, kept or not.
  var latestReceived: UInt64 {
    get throws { UInt64(bitPattern: try number("latestReceived") ?? 0) }
  }

  func noteReceived(_ cells: [KeyedCell]) throws {
    let known = try latestReceived
    var clock = HybridClock(last: known)
    for keyed in cells { clock.witness(keyed.cell.stamp.moment) }
    if clock.last > known { try setNumber(Int64(bitPattern: clock.last), "latestReceived") }
  }

  /// By how much the clock was thought to be wrong when the last stamps were given.
  var offsetOfStamps: Int64 {
    get throws { try number("offsetOfStamps") ?? 0 }
  }

  func noteOffsetOfStamps() throws {
    let offset = try clockOffset
    if try offset != offsetOfStamps { try setNumber(offset, "offsetOfStamps") }
  }

  /// The milliseconds of the latest stamp that a server had taken when it was noticed that it is a backup's; `nil` if
  /// it never was.
  var latestTaken: UInt64? {
    get throws { try number("latestTaken").map { UInt64(bitPattern: $0) } }
  }

  func noteLatestTaken() throws {
    let confirmed = try connection.integer("SELECT MAX(moment) FROM cell WHERE NOT isUnsent") ?? 0
    let latest = try max(UInt64(bitPattern: confirmed), latestReceived) >> 16
    let taken = try min(max(latest, latestTaken ?? 0), HybridClock.latest)
    try setNumber(Int64(bitPattern: taken), "latestTaken")
  }

  func cursor(_ name: String) throws -> Cursor? {
    try bytes(name).map { try Cursor(bytes: $0) }
  }

  func set(_ cursor: Cursor, _ name: String) throws {
    try set(.blob(cursor.bytes), name)
  }

  /// Whether the inbox has all that there was when its last page was made.
  var isInboxComplete: Bool {
    get throws { try number("isInboxComplete") == 1 }
  }

  package var mode: InboxMode {
    get throws { InboxMode(rawValue: try number("mode") ?? 0) ?? .changes }
  }

  package func set(_ mode: InboxMode) throws { try setNumber(mode.rawValue, "mode") }

  var clock: HybridClock {
    get throws { HybridClock(last: UInt64(bitPattern: try number("clock") ?? 0)) }
  }

  package func set(_ clock: HybridClock) throws {
    try setNumber(Int64(bitPattern: clock.last), "clock")
  }

  /// The last save that was sent in several messages; some of it may wait, although the server has heard of its stamp.
  var splitSave: Stamp? {
    get throws {
      guard let moment = try number("splitMoment"), let writer = try number("splitWriter") else {
        return nil
      }
      return Stamp(moment: UInt64(bitPattern: moment), writer: UInt64(bitPattern: writer))
    }
  }

  func noteSplit(_ save: Stamp) throws {
    if try splitSave == save { return }
    try transact {
      try setNumber(Int64(bitPattern: save.moment), "splitMoment")
      try setNumber(Int64(bitPattern: save.writer), "splitWriter")
    }
  }

  /// Sets the clock back to the latest moment that was given or seen.
  ///
  /// A clock that was found to be wrong may have counted on without a change that anybody knows of.
  func setBackClock() throws {
    let latest = try connection.integer("SELECT MAX(moment) FROM cell") ?? 0
    try set(HybridClock(last: max(UInt64(bitPattern: latest), latestReceived)))
  }

  /// Milliseconds by which the server's clock is ahead of this machine's.
  var clockOffset: Int64 {
    get throws { try number("clockOffset") ?? 0 }
  }

  /// When store and server were last known to be in the same state.
  var confirmed: Date? {
    get throws {
      try number("confirmed").map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
  }

  func noteConfirmed(_ time: UInt64) throws {
    try setNumber(Int64(clamping: time), "confirmed")
  }

  var token: NSPersistentHistoryToken? {
    get throws {
      guard let bytes = try bytes("token") else { return nil }
      if let knownToken, knownToken.bytes == bytes { return knownToken.token }
      knownToken = try KnownToken(bytes: bytes)
      return knownToken?.token
    }
  }

  func set(_ token: NSPersistentHistoryToken) throws {
    let known = try knownToken.flatMap { $0.token == token ? $0 : nil } ?? KnownToken(token)
    knownToken = known
    try set(.blob(known.bytes), "token")
  }

  /// The position from which the last transaction that was read can be seen again; `nil` if it is unknown.
  var sight: NSPersistentHistoryToken? {
    get throws { try bytes("sight").flatMap { try KnownToken(bytes: $0)?.token } }
  }

  /// Notes from where the last transaction can be seen; nil for the position up to which was read before.
  func setSight(_ token: NSPersistentHistoryToken?) throws {
    let bytes = try token.map { try KnownToken($0).bytes } ?? bytes("token")
    try set(bytes.map { .blob($0) } ?? .null, "sight")
  }
}

/// A place in the store's history, and its archive.
struct KnownToken {
  let token: NSPersistentHistoryToken
  let bytes: [UInt8]

  init(_ token: NSPersistentHistoryToken) throws {
    self.token = token
    bytes = Array(
      try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    )
  }

  /// Nil for bytes that are the archive of nothing.
  init?(bytes: [UInt8]) throws {
    let token = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NSPersistentHistoryToken.self,
      from: Data(bytes)
    )
    guard let token else { return nil }
    self.token = token
    self.bytes = bytes
  }
}
