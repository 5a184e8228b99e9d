package import CoreDataSyncCore
import CoreDataSyncCrypto

/// Keeps the cells of zones, and hands them on: a server without its network.
///
/// It compares stamps and never looks at values. Every request is one transaction, so it may be repeated
/// for ever; a cell that is known already changes nothing.
package struct ZoneServer: Sendable {
  let storage: any ZoneStorage
  /// The random number of this run.
  private let run: UInt64
  /// The bytes that a zone may keep of which nobody has said more.
  private let limit: Int?
  /// As many writers and replicas as a full zone may have.
  private let names: Int
  private let own = OwnChanges()

  /// How far the clock of a device may be ahead, in milliseconds.
  package static let tolerance = Stamp.tolerance

  package init(_ storage: any ZoneStorage, era: UInt64, limit: Int? = nil, names: Int = 50_000) {
    self.storage = storage
    run = era
    self.limit = limit
    self.names = names
  }

  /// Performs the request of a device that knows this seal of the zone; the time is in milliseconds since 1970.
  ///
  /// A push is handed to `check` first, and is not taken if that throws; nothing else changes the zone at the same
  /// time. `assets` gives the bytes that the zone has besides its cells.
  package func answer(
    _ request: SyncRequest,
    of zone: String,
    at time: UInt64,
    seal: [UInt8]? = nil,
    assets: @escaping () throws -> Int = { 0 },
    checking check: (SyncRequest.Push) throws -> Void = { _ in }
  ) throws -> SyncResponse {
    try countingOnce(zone, assets) {
      var taken: Taken?
      let response = try storage.transact(on: zone) { transaction in
        let known = try transaction.seal()
        guard known == seal else {
          throw known == nil ? ServiceRefusal.noSeal(zone) : ServiceRefusal.otherSeal(zone)
        }
        switch request {
        case .push(let push):
          try check(push)
          var meter = try meter(of: zone, transaction, assets)
          let (response, changes) = try take(push, transaction, &meter, time)
          taken = changes
          return response
        case .pull(let pull):
          return try give(pull, of: zone, transaction, time) {
            try meter(of: zone, transaction, assets)
          }
        }
      }
      if case .push(let push) = request, case .pushed(let pushed) = response, let taken {
        own.note(push, in: zone, after: taken.start, to: pushed.head, isAlone: taken.isAlone)
      }
      return response
    }
  }

  /// The changes that a push has made.
  private struct Taken {
    /// The number of the last change before.
    let start: UInt64
    /// Whether the replica has all of them.
    let isAlone: Bool
  }

  /// The number of a zone's last change.
  package func head(of zone: String) throws -> UInt64 {
    try storage.transact(on: zone) { try $0.state().head }
  }

  /// The devices' description of a zone's encryption; `nil` if it is not encrypted.
  package func seal(of zone: String) throws -> [UInt8]? {
    try storage.transact(on: zone) { try $0.seal() }
  }

  /// Seals a zone in which nothing was written yet; one that is sealed stays as it is.
  ///
  /// - Returns: The seal of the zone, which may be that of another device.
  package func seal(_ zone: String, with seal: [UInt8]) throws -> [UInt8] {
    try storage.transact(on: zone) { transaction in
      if let known = try transaction.seal() { return known }
      guard try transaction.state().head == 0 else { throw ServiceRefusal.openZone(zone, command) }
      try transaction.setSeal(seal)
      return seal
    }
  }

  /// The command with which the server's owner looks after it.
  var command: ServingCommand { storage.command }

  /// The names of all zones.
  package func zoneNames() throws -> [String] { try storage.zones() }

  /// Writes the state of a zone as it is, by which one learns whether the storage can be written.
  func rewrite() throws {
    guard let zone = try storage.zones().first else { return }
    try storage.transact(on: zone) { try $0.setState($0.state()) }
  }
}

// MARK: - Limits

extension ZoneServer {
  /// The size and the limit of a zone.
  package func holding(of zone: String, assets: @escaping () throws -> Int) throws -> ZoneHolding {
    try storage.transact(on: zone) { transaction in
      try meter(of: zone, transaction, assets).holding()
    }
  }

  /// Says how many bytes a zone may keep: `Int.max` for as many as there are, nil for as many as others may.
  package func setLimit(_ bytes: Int?, of zone: String) throws {
    try storage.transact(on: zone) { try $0.setLimit(bytes) }
  }

  /// Refuses so many bytes of an asset if they exceed the zone's limit.
  func requireRoom(
    for bytes: Int,
    in zone: String,
    assets: @escaping () throws -> Int
  ) throws {
    try countingOnce(zone, assets) {
      try storage.transact(on: zone) { transaction in
        try meter(of: zone, transaction, assets).requireRoom(for: bytes)
      }
    }
  }

  private func meter(
    of zone: String,
    _ transaction: any ZoneTransaction,
    _ assets: @escaping () throws -> Int
  ) throws -> ZoneMeter {
    try ZoneMeter(
      zone,
      transaction,
      limit: limit,
      names: names,
      command: command,
      assets: assets
    )
  }

  /// Performs `work`.
  ///
  /// A refusal also rolls back the count of the sizes, which is then made again and kept.
  private func countingOnce<Result>(
    _ zone: String,
    _ assets: @escaping () throws -> Int,
    _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let refusal as ServiceRefusal where refusal.isOfRoom {
      _ = try holding(of: zone, assets: assets)
      throw refusal
    }
  }
}

// MARK: - Forgetting

extension ZoneServer {
  /// Forgets the deletions that every device knows, and returns the number of cells.
  ///
  /// A device that was silent while others were heard of so many milliseconds later need not know; it begins again. If
  /// nothing happens, and while the server is away, nobody is given up. Devices that were heard of while the server's
  /// clock was ahead count as heard of at the given time; otherwise one of them would make all others begin again.
  package func purge(_ zone: String, patience: UInt64, at time: UInt64) throws -> Int {
    try storage.transact(on: zone) { transaction in
      try transaction.limitHeard(to: time)
      let last = try transaction.lastHeard() ?? 0
      return try forget(in: transaction, silentSince: last > patience ? last - patience : 0)
    }
  }

  /// Forgets the deletions that every device knows, and returns the number of cells.
  ///
  /// Devices that were silent since that time need not know; they begin again.
  package func purge(_ zone: String, silentSince silence: UInt64) throws -> Int {
    try storage.transact(on: zone) { try forget(in: $0, silentSince: silence) }
  }

  private func forget(
    in transaction: any ZoneTransaction,
    silentSince silence: UInt64
  ) throws -> Int {
    // How much that was is counted when somebody asks.
    if try transaction.forgetReplicas(silentSince: silence) > 0 { try transaction.setSize(nil) }
    var state = try transaction.state()
    let floor = try transaction.smallestAcknowledgement() ?? state.head
    guard floor > state.floor else { return 0 }
    let count = try transaction.purge(upTo: floor)
    if count > 0 {
      try transaction.setSize(nil)
      state.floor = floor
      try transaction.setState(state)
    }
    return count
  }

  /// Deletes the assets that no cell has referred to for so many milliseconds, and returns their number.
  ///
  /// The time begins when it is first noticed here: a person who copies the file of the zones, and then the assets, has
  /// all assets that the copy refers to. No cell is sent at the same time. A device that has sent an asset, and its
  /// cell only after so long, is told that the asset is missing, and sends it again.
  func deleteAssets(
    of zone: String,
    on shelf: any AssetStorage,
    unusedFor patience: UInt64,
    at time: UInt64
  ) throws -> Int {
    try storage.transact(on: zone) { transaction in
      let used = try transaction.assets()
      let known = try transaction.unusedAssets()
      var unused: [ContentHash: UInt64] = [:]
      var count = 0
      for hash in try shelf.hashes(of: zone) where !used.contains(hash) {
        // After a clock went back, the time begins again.
        let since = min(known[hash] ?? time, time)
        if time - since < patience {
          unused[hash] = since
        } else {
          try shelf.delete(hash, zone: zone)
          count += 1
        }
      }
      if unused != known { try transaction.setUnusedAssets(unused) }
      return count
    }
  }
}

// MARK: - Push

extension ZoneServer {
  private func take(
    _ push: SyncRequest.Push,
    _ transaction: any ZoneTransaction,
    _ meter: inout ZoneMeter,
    _ time: UInt64
  ) throws -> (SyncResponse, Taken?) {
    var state = try transaction.state()
    // A backup does not know all devices either; then they have more than it has forgotten.
    guard state.hasWritten(push.cursor), state.hasWritten(push.seen) else {
      return (.refused(.rewound), nil)
    }
    guard try transaction.acknowledgement(of: push.replica) != nil else {
      return (.refused(.resync), nil)
    }
    guard push.cursor.position >= state.floor else { return (.refused(.resync), nil) }
    guard try isInTime(push, transaction, time) else { return (.refused(.clockAhead(time)), nil) }
    let cells = push.cells.withoutReplaced
    // Lost values come before the values that they have lost to.
    let lost = try lost(to: cells, transaction)
    let start = state.head
    let count = try meter.put(lost + cells, after: start)
    try meter.raiseWatermarks(push.cells.latestStamps)
    if count > 0 || meter.newNames > 0 { try meter.finish() }
    if count > 0 { try grow(&state, by: count, transaction) }
    let response = SyncResponse.pushed(.init(head: state.cursor(at: state.head), time: time))
    return (response, Taken(start: start, isAlone: lost.isEmpty))
  }
}

extension ZoneServer {
  /// Notes that a zone has so many changes more, in the present era.
  func grow(
    _ state: inout ZoneState,
    by count: UInt64,
    _ transaction: any ZoneTransaction
  ) throws {
    let era = try transaction.era(ofRun: run, in: state)
    if state.eras.last?.number != era {
      state.eras.append(.init(number: era, start: state.head))
    }
    state.head += count
    try transaction.setState(state)
  }

  /// How many milliseconds ahead of this clock a device is believed that a backup's server has been: ten years.
  package static let belief: UInt64 = 3_652 * 24 * 3_600 * 1_000

  /// Whether no cell is later than this clock allows, or the clock has allowed it once.
  ///
  /// Where it was ahead, devices go on from the times that it has let in. A backup does not know those; they do, and are
  /// believed so far that no single message brings a zone to the end of all times.
  ///
  /// A device whose own clock is further ahead gets no such allowance. A save that was refused, and got an earlier stamp, may be
  /// sent once more from a backup: with the allowance it would keep its first stamp then, and replace what was written since.
  private func isInTime(
    _ push: SyncRequest.Push,
    _ transaction: any ZoneTransaction,
    _ time: UInt64
  ) throws -> Bool {
    let latest = push.cells.map(\.cell.stamp.milliseconds).max() ?? 0
    let isAhead = push.clock.map { $0 > time + Self.tolerance } ?? false
    let tolerance = isAhead ? 0 : Self.tolerance
    if latest <= time + tolerance { return true }
    let told = min(push.latestTaken ?? 0, time + Self.belief)
    let known = try max(transaction.latestWatermark()?.milliseconds ?? 0, told)
    // A later stamp than clocks are believed to have could not be replaced any more.
    return latest <= known + tolerance && latest < HybridClock.latest
  }
}

// MARK: - What has lost

extension ZoneServer {
  /// The values that these cells replace without their writers having seen them.
  ///
  /// The writer of one of them would never hear of it if another device has written once more in between. Only the
  /// devices know whether it says the same. Objects that begin with these cells do not have others.
  private func lost(
    to cells: [KeyedCell],
    _ transaction: any ZoneTransaction
  ) throws -> [KeyedCell] {
    let begun = cells.begunObjects
    var values: [CellKey: Cell] = [:]
    for keyed in cells where begun[keyed.key.object] != keyed.cell.stamp {
      if case .value = keyed.key.field { values[keyed.key] = keyed.cell }
    }
    return try transaction.cells(at: values.keys.sorted()).compactMap { known in
      guard let winner = values[known.key], known.cell.loses(to: winner),
        winner.isConcurrent(with: known.cell),
        DeviceTag(writer: winner.stamp.writer) != DeviceTag(writer: known.cell.stamp.writer)
      else { return nil }
      return known.asLost
    }
  }
}

extension [KeyedCell] {
  /// The cells without those that others of the same push replace.
  fileprivate var withoutReplaced: [KeyedCell] {
    var places: [CellKey: Int] = [:]
    places.reserveCapacity(count)
    var left: [KeyedCell] = []
    left.reserveCapacity(count)
    for keyed in self {
      guard let place = places[keyed.key] else {
        places[keyed.key] = left.count
        left.append(keyed)
        continue
      }
      if left[place].cell.loses(to: keyed.cell) { left[place] = keyed }
    }
    return left
  }

  /// The latest stamp of each writer.
  fileprivate var latestStamps: [Stamp] {
    var latest: [UInt64: Stamp] = [:]
    for keyed in self {
      let stamp = keyed.cell.stamp
      latest[stamp.writer] = Swift.max(latest[stamp.writer] ?? stamp, stamp)
    }
    return [Stamp](latest.values)
  }
}

// MARK: - Pull

extension ZoneServer {
  private func give(
    _ pull: SyncRequest.Pull,
    of zone: String,
    _ transaction: any ZoneTransaction,
    _ time: UInt64,
    meter: () throws -> ZoneMeter
  ) throws -> SyncResponse {
    let state = try transaction.state()
    let acknowledged = try transaction.acknowledgement(of: pull.replica)
    guard state.hasWritten(pull.seen) else { return .refused(.rewound) }
    if pull.isSnapshot, pull.after.position == 0 {
      if acknowledged == nil {
        var meter = try meter()
        try meter.add(pull.replica, at: time)
        try meter.finish()
      } else {
        try transaction.setAcknowledgement(0, of: pull.replica, at: time)
      }
    } else {
      guard state.hasWritten(pull.after) else { return .refused(.rewound) }
      guard let acknowledged else { return .refused(.resync) }
      guard pull.isSnapshot || pull.after.position >= state.floor else { return .refused(.resync) }
      let isKnown = !pull.isSnapshot && state.hasWritten(pull.acknowledged)
      let latest = isKnown ? max(acknowledged, pull.acknowledged.position) : acknowledged
      try transaction.setAcknowledgement(latest, of: pull.replica, at: time)
    }
    let start = own.start(of: pull, in: zone)
    return .page(try page(of: pull, after: start.position, state, transaction, time))
  }

  private func page(
    of pull: SyncRequest.Pull,
    after start: UInt64,
    _ state: ZoneState,
    _ transaction: any ZoneTransaction,
    _ time: UInt64
  ) throws -> SyncResponse.Page {
    let limit = min(max(pull.limit, 1), WireLimits.cells)
    let cells = try transaction.cells(
      after: start,
      limit: limit,
      bytes: WireLimits.portion
    )
    let isLast = cells.isEmpty || cells.last?.number == state.head
    let position = isLast ? state.head : cells.last?.number ?? state.head
    var page = SyncResponse.Page(
      cells: cells.map(\.keyed),
      next: state.cursor(at: position),
      isLast: isLast,
      time: time
    )
    if isLast, pull.isSnapshot {
      page.watermarks = try transaction.watermarks(of: pull.writers)
    }
    return page
  }
}
