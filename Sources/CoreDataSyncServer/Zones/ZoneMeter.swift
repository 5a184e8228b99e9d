import CoreDataSyncCore

/// How much a zone keeps, in bytes: its cells, the large values beside them, and who has written and read.
package struct ZoneHolding: Hashable, Sendable {
  /// How many bytes a writer counts, and a replica.
  package static let sizeOfName = 32
  package let bytes: Int
  /// The most bytes that it may keep: `Int.max` for no limit, `nil` if nobody has given one.
  package let limit: Int?
}

/// Counts the bytes that a push adds to a zone with a limit, and refuses it if that is too much.
///
/// A push that makes a zone smaller, or leaves it as large as it is, is taken however full the zone is. A program
/// writes under another name in each run, and must be able to delete something in a full zone, too; so writers and
/// replicas are counted, and refused by themselves only if a zone has more of them than devices make in years.
struct ZoneMeter {
  private let zone: String
  private let transaction: any ZoneTransaction
  /// The bytes of the assets, which are counted only if there is a limit.
  private let assets: () throws -> Int
  /// The limit that somebody has given, with `Int.max` for none.
  private let given: Int?
  private var limit: Int? { given == .max ? nil : given }
  private let command: ServingCommand
  private let before: Int
  /// As many writers and replicas as a full zone may have.
  private let names: Int
  /// By how many bytes the cells have become more.
  private var growth = 0
  /// How many writers and replicas are new.
  private(set) var newNames = 0

  /// Begins to count in a zone; `limit` applies unless the zone has its own.
  init(
    _ zone: String,
    _ transaction: any ZoneTransaction,
    limit: Int?,
    names: Int,
    command: ServingCommand,
    assets: @escaping () throws -> Int
  ) throws {
    self.zone = zone
    self.transaction = transaction
    self.assets = assets
    self.command = command
    self.names = names
    given = try transaction.limit() ?? limit
    before = given == nil || given == .max ? 0 : try Self.size(in: transaction)
  }

  private static func size(in transaction: any ZoneTransaction) throws -> Int {
    if let known = try transaction.size() { return known }
    let size = try transaction.countSize()
    try transaction.setSize(size)
    return size
  }

  /// Keeps cells of different keys as the changes behind that number, and says how many of them are kept.
  mutating func put(_ cells: [KeyedCell], after number: UInt64) throws -> UInt64 {
    let kept = try transaction.put(cells, after: number, isMeasured: limit != nil)
    growth += kept.growth
    return kept.count
  }

  /// Takes down stamps of different writers.
  mutating func raiseWatermarks(_ stamps: [Stamp]) throws {
    if limit != nil {
      newNames += try stamps.count - transaction.watermarks(of: stamps.map(\.writer)).count
    }
    try transaction.raiseWatermarks(stamps)
  }

  /// Takes down a replica that is not known, and that has read nothing.
  mutating func add(_ replica: SyncID, at time: UInt64) throws {
    newNames += 1
    try transaction.setAcknowledgement(0, of: replica, at: time)
  }

  /// Refuses all cells and names that were added, if there is no room for them.
  func finish() throws {
    guard limit != nil else { return try transaction.setSize(nil) }
    let added = growth + newNames * ZoneHolding.sizeOfName
    if added > 0, try growth > 0 || hasManyNames { try requireRoom(for: added) }
    try transaction.setSize(before + added)
  }

  private var hasManyNames: Bool {
    get throws { try transaction.countNames(upTo: names + 1) > names }
  }

  /// Refuses so many bytes if there is no room for them.
  func requireRoom(for bytes: Int) throws {
    guard let limit else { return }
    let held = before + (try assets())
    guard bytes <= limit - held else {
      throw ServiceRefusal.fullZone(zone, holds: held, of: limit, command)
    }
  }

  /// The size of the zone without the push.
  func holding() throws -> ZoneHolding {
    let cells = limit == nil ? try transaction.countSize() : before
    return ZoneHolding(bytes: cells + (try assets()), limit: given)
  }
}

extension ServiceRefusal {
  /// Whether a zone or a disk is full.
  var isOfRoom: Bool { status == 507 }

  fileprivate static func fullZone(
    _ zone: String,
    holds held: Int,
    of limit: Int,
    _ command: ServingCommand
  ) -> Self {
    ServiceRefusal(
      507,
      """
      The zone \(zone) is full: it holds \(held.asSize) of \(limit.asSize). What is written here waits, and what others \
      write is followed. Give it more room at the server: \(command.rawValue) --zone \(zone) --set-limit SIZE
      """
    )
  }
}

extension Int {
  /// The bytes as people read them, without a fraction.
  fileprivate var asSize: String {
    switch self {
    case ..<10_000: "\(self) bytes"
    case ..<10_000_000: "\(self / 1_000) kB"
    case _: "\(self / 1_000_000) MB"
    }
  }
}
