import CoreDataSyncCore

/// How much a zone keeps, in bytes: its cells, and the large values beside them.
package struct ZoneHolding: Hashable, Sendable {
  package let bytes: Int
  /// How many it may keep; nil for as many as there are.
  package let limit: Int?
}

/// Counts what a push adds to a zone that has a limit, and refuses it where that is too much.
///
/// What makes a zone smaller, or leaves it as large as it is, is taken however full it is.
struct ZoneMeter {
  private let zone: String
  private let transaction: any ZoneTransaction
  /// The bytes of the assets, which are asked for only where there is a limit.
  private let assets: () throws -> Int
  private let limit: Int?
  private let command: ServingCommand
  private let before: Int
  private var growth = 0

  /// Begins to count in a zone; `limit` holds where it has none of its own.
  init(
    _ zone: String,
    _ transaction: any ZoneTransaction,
    limit: Int?,
    command: ServingCommand,
    assets: @escaping () throws -> Int
  ) throws {
    self.zone = zone
    self.transaction = transaction
    self.assets = assets
    self.command = command
    let limit = try transaction.limit() ?? limit
    self.limit = limit == .max ? nil : limit
    before = self.limit == nil ? 0 : try Self.size(in: transaction)
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

  /// Refuses what was put, all of it, where there is no room for it.
  func finish() throws {
    guard limit != nil else { return try transaction.setSize(nil) }
    if growth > 0 { try requireRoom(for: growth) }
    try transaction.setSize(before + growth)
  }

  /// Refuses so many bytes where there is no room for them.
  func requireRoom(for bytes: Int) throws {
    guard let limit else { return }
    let held = before + (try assets())
    guard bytes <= limit - held else {
      throw ServiceRefusal.fullZone(zone, holds: held, of: limit, command)
    }
  }

  /// What the zone has without the push.
  func holding() throws -> ZoneHolding {
    let cells = limit == nil ? try transaction.countSize() : before
    return ZoneHolding(bytes: cells + (try assets()), limit: limit)
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
