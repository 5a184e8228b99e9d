import CoreDataSyncCore
import Synchronization

/// A server without its network: the rights of clients, and the notices of changes.
package final class SyncService: Sendable {
  package let tokens: TokenBook
  let zones: ZoneServer
  let assets: any AssetStorage
  let news = NewsDesk()
  let waiting = WaitingRoom()
  let limits: RateLimits
  let failures = RateLimits(perSecond: 10, atOnce: 100)
  let owner: OwnersLog
  /// The last refusal of the storage, if it has taken nothing since.
  let trouble = Mutex<(refusal: ServiceRefusal, time: UInt64)?>(nil)
  /// Held while a zone is made.
  let makingZones = Mutex(())
  /// The assets for which devices were asked.
  let lost = LostAssets()
  let clock: @Sendable () -> UInt64

  /// Serves what a storage keeps; `era` is the random number of this run.
  ///
  /// A zone may keep `zoneLimit` bytes, unless it has a limit of its own. `report` takes sentences for the server's
  /// owner, from any thread.
  package init(
    _ storage: ServerStorage,
    era: UInt64,
    limits: RateLimits = RateLimits(),
    zoneLimit: Int? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in },
    clock: @escaping @Sendable () -> UInt64
  ) {
    zones = ZoneServer(storage.zones, era: era, limit: zoneLimit)
    tokens = TokenBook(storage.tokens)
    assets = storage.assets
    self.limits = limits
    owner = OwnersLog(report)
    self.clock = clock
    storage.zones.tellOfOthers { [news] zone, number in news.ring(zone, head: number) }
  }

  /// Serves the zones in a file, which is made if it is missing, with a folder for large values beside it.
  package convenience init(
    path: String,
    era: UInt64,
    isDurable: Bool = true,
    limits: RateLimits = RateLimits(),
    zoneLimit: Int? = nil,
    clock: @escaping @Sendable () -> UInt64
  ) throws {
    let storage = try ServerStorage(path: path, isDurable: isDurable)
    self.init(storage, era: era, limits: limits, zoneLimit: zoneLimit, clock: clock)
  }

  /// Ends all waiting.
  package func stop() { news.close() }
}

// MARK: - Changes

extension SyncService {
  /// Refuses a client without a token of the zone, before more of its request is read.
  ///
  /// If `isForTokens`, a token of the server opens each zone.
  package func admit(
    to zone: String,
    isForTokens: Bool = false,
    token: String?
  ) throws -> AccessToken {
    try known(zone, token, isForTokens: isForTokens)
  }

  /// Answers a push or a pull of a device that knows this seal of the zone.
  ///
  /// The answer to a message with a checksum has one, too.
  package func answer(
    _ body: [UInt8],
    zone: String,
    token: String?,
    seal: [UInt8]? = nil
  ) throws -> [UInt8] {
    let access = try access(to: zone, token)
    let request: SyncRequest
    do {
      request = try CheckedMessage.message(body)
    } catch {
      throw ServiceRefusal.unreadable(error)
    }
    if case .push(let push) = request {
      guard access.role.canWrite else {
        throw ServiceRefusal(403, "This token can only read; ask for one that can write.")
      }
      try requireSmallValues(of: push)
    }
    let response = try mending(zone) {
      try zones.answer(
        request,
        of: zone,
        at: clock(),
        seal: seal,
        assets: { [assets] in try assets.size(of: zone) },
        checking: { push in try requireAssets(of: push, zone) }
      )
    }
    if case .pushed(let pushed) = response {
      trouble.withLock { $0 = nil }
      news.ring(zone, head: pushed.head.position)
    }
    return CheckedMessage.isChecked(body) ? CheckedMessage.bytes(of: response) : response.bytes
  }

  /// A page of large values would be larger than a device accepts.
  private func requireSmallValues(of push: SyncRequest.Push) throws {
    let largest = push.cells.lazy.map(\.cell.payload.count).max() ?? 0
    guard largest <= WireLimits.inline else {
      throw ServiceRefusal(
        413,
        """
        A value of \(largest) bytes is in the message; one of more than \(WireLimits.inline) is sent beside it, as an \
        asset.
        """
      )
    }
  }
}

// MARK: - Encryption

extension SyncService {
  /// The devices' description of a zone's encryption; empty if it is not encrypted.
  package func seal(of zone: String, token: String?) throws -> [UInt8] {
    _ = try access(to: zone, token)
    return try zones.seal(of: zone) ?? []
  }

  /// Seals a zone in which nothing was written yet, and gives the seal that it has.
  package func seal(_ zone: String, with seal: [UInt8], token: String?) throws -> [UInt8] {
    try requireWriting(zone, token)
    guard (1...Self.longestSeal).contains(seal.count) else {
      throw ServiceRefusal(400, "A seal has at most \(Self.longestSeal) bytes.")
    }
    return try zones.seal(zone, with: seal)
  }

  private static let longestSeal = 256
}
