import CoreDataSyncCore
package import CoreDataSyncCrypto
import Foundation

/// Why a request is not answered as it was meant, with the status that says so in HTTP.
package struct ServiceRefusal: Error, Hashable, CustomStringConvertible {
  package let status: Int
  package let sentence: String

  package init(_ status: Int, _ sentence: String) {
    self.status = status
    self.sentence = sentence
  }

  package var description: String { sentence }
}

extension ServiceRefusal {
  /// The device has no key, or one of another seal.
  static func otherSeal(_ zone: String) -> ServiceRefusal {
    ServiceRefusal(
      412,
      """
      The zone \(zone) is encrypted, and this device does not have its key. Paste the pairing code that another \
      device shows.
      """
    )
  }

  static func openZone(_ zone: String) -> ServiceRefusal {
    ServiceRefusal(
      409,
      """
      The zone \(zone) has values that are not encrypted, so it cannot become encrypted. Make an address of another \
      zone: coredata serve FOLDER --new-token admin --zone NAME
      """
    )
  }
}

/// A server without its network: who may do what, and who is told when something has changed.
package final class SyncService: Sendable {
  package let tokens: TokenBook
  private let zones: ZoneServer
  private let bells = ZoneBells()
  private let waiting = WaitingRoom()
  private let assets: AssetShelf
  private let limits: RateLimits
  private let failures = RateLimits(perSecond: 10, atOnce: 100)
  private let clock: @Sendable () -> UInt64

  /// Serves the zones in a file, which is made if it is missing.
  ///
  /// A zone may keep `zoneLimit` bytes, unless it has a limit of its own.
  package init(
    path: String,
    era: UInt64,
    isDurable: Bool = true,
    limits: RateLimits = RateLimits(),
    zoneLimit: Int? = nil,
    clock: @escaping @Sendable () -> UInt64
  ) throws {
    let storage = try SQLiteZoneStorage(path: path, isDurable: isDurable)
    zones = ZoneServer(storage, era: era, limit: zoneLimit)
    tokens = try TokenBook(path: path)
    let folder = URL(filePath: path).deletingLastPathComponent().appending(path: "assets")
    assets = AssetShelf(in: folder, isDurable: isDurable)
    self.limits = limits
    self.clock = clock
  }

  /// Lets go whoever waits.
  package func stop() { bells.stop() }
}

// MARK: - Changes

extension SyncService {
  /// Refuses whoever has no token of a zone, before more is read of what he sends.
  package func admit(to zone: String, token: String?) throws -> AccessToken {
    try known(zone, token)
  }

  /// Answers a push or a pull of a device that knows this seal of the zone.
  package func answer(
    _ body: [UInt8],
    zone: String,
    token: String?,
    seal: [UInt8]? = nil
  ) throws -> [UInt8] {
    let access = try access(to: zone, token)
    let request: SyncRequest
    do {
      request = try SyncRequest(bytes: body)
    } catch {
      throw ServiceRefusal(400, error.description)
    }
    if case .push(let push) = request {
      guard access.role.canWrite else {
        throw ServiceRefusal(403, "This token can only read; ask for one that can write.")
      }
      try requireSmallValues(of: push)
    }
    let response = try zones.answer(
      request,
      of: zone,
      at: clock(),
      seal: seal,
      assets: { [assets] in try assets.size(of: zone) },
      checking: { push in try requireAssets(of: push, zone) }
    )
    if case .pushed(let pushed) = response { bells.ring(zone, head: pushed.head.position) }
    return response.bytes
  }

  /// A page of large values would be larger than what a device takes.
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

  /// Waits for a change after a number; gives the number of the last change there is.
  package func news(
    of zone: String,
    after number: UInt64,
    seconds: Int,
    token: String?
  ) throws -> UInt64 {
    let access = try access(to: zone, token)
    let head = try zones.head(of: zone)
    if head != number || seconds == 0 { return head }
    let place = try place(for: access)
    withExtendedLifetime(place) {
      bells.wait(for: zone, after: number, until: Date() + Double(min(seconds, 55)))
    }
    return try zones.head(of: zone)
  }
}

// MARK: - Encryption

extension SyncService {
  /// What the devices have written of a zone's encryption; empty where it is not encrypted.
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

  private func requireWriting(_ zone: String, _ token: String?) throws {
    guard try access(to: zone, token).role.canWrite else {
      throw ServiceRefusal(403, "This token can only read; ask for one that can write.")
    }
  }
}

// MARK: - Assets

extension SyncService {
  /// The most bytes of an asset that come at once.
  package static let largestPart: Int = AssetShelf.part

  /// Takes a part of an asset.
  ///
  /// - Returns: How many bytes of it are there then, from the first on; all of them once it is complete.
  package func take(
    _ part: [UInt8],
    of asset: AssetReference,
    from start: Int?,
    zone: String,
    token: String?
  ) throws -> Int {
    try requireWriting(zone, token)
    return try assets.take(part, of: asset, from: start, zone: zone) { [assets] missing in
      try zones.requireRoom(for: missing, in: zone) { try assets.size(of: zone) }
    }
  }

  /// A part of an asset, and how many bytes it has as a whole.
  package func part(
    of hash: ContentHash,
    _ range: ClosedRange<Int>?,
    zone: String,
    token: String?
  ) throws -> (bytes: [UInt8], whole: Int) {
    _ = try access(to: zone, token)
    return try assets.part(of: hash, range, zone: zone)
  }

  /// Nobody is to wait for a content that never comes.
  private func requireAssets(of push: SyncRequest.Push, _ zone: String) throws {
    for keyed in push.cells {
      guard let asset = AssetReference(payload: keyed.cell.payload) else { continue }
      guard assets.has(asset, zone: zone) else {
        throw ServiceRefusal(424, "The asset \(asset.hash.text) was not sent; send it first.")
      }
    }
  }
}

// MARK: - Limits

extension SyncService {
  /// What each zone keeps, and may keep, by their names.
  package func holdings() throws -> [(zone: String, holding: ZoneHolding)] {
    try zones.zoneNames().map { (zone: $0, holding: try holding(of: $0)) }
  }

  package func holding(of zone: String) throws -> ZoneHolding {
    try zones.holding(of: zone) { [assets] in try assets.size(of: zone) }
  }

  /// Says how many bytes a zone may keep, from the next push on, also to a server that runs.
  ///
  /// `Int.max` is for as many as there are, nil for as many as zones may of which nobody has said more.
  package func setLimit(_ bytes: Int?, of zone: String) throws {
    try zones.setLimit(bytes, of: zone)
  }
}

// MARK: - Tidying up

extension SyncService {
  /// For how many milliseconds a device may be silent while others are not, before it begins anew: ninety days.
  static let silence: UInt64 = 90 * 24 * 3600 * 1000
  /// For how many milliseconds an asset stays that no value refers to: thirty days.
  static let memory: UInt64 = 30 * 24 * 3600 * 1000

  /// Forgets what no device needs any more: deletions that all of them know, and large values that were replaced.
  ///
  /// Each zone is closed to others for the moment that this takes. To be called now and then, by one thread, and
  /// not before the devices have had time to be heard of after the start.
  ///
  /// - Returns: How many cells were forgotten, and how many assets were deleted.
  @discardableResult
  package func tidyUp() throws -> (cells: Int, assets: Int) {
    var (cells, files) = (0, 0)
    for zone in try zones.zoneNames() {
      cells += try zones.purge(zone, patience: Self.silence)
      files += try zones.deleteAssets(
        of: zone,
        on: assets,
        unusedFor: Self.memory,
        at: clock()
      )
      try assets.forgetBegun(of: zone)
    }
    return (cells, files)
  }
}

// MARK: - The stream of news

extension SyncService {
  /// Somebody who is told of each change of a zone, for as long as the token is good.
  package func listener(to zone: String, token: String?) throws -> NewsListener {
    let place = try place(for: try access(to: zone, token))
    return NewsListener(first: try zones.head(of: zone), place) { [self] known in
      bells.wait(for: zone, after: known, until: Date() + NewsListener.silence)
      guard !bells.isStopped, isOpen(zone, token) else { return nil }
      // A file that cannot be read ends the stream; the next request tells why.
      return try? zones.head(of: zone)
    }
  }

  private func place(for token: AccessToken) throws -> WaitingRoom.Place {
    guard let place = waiting.place(forToken: token.number) else {
      throw ServiceRefusal(
        429,
        """
        \(WaitingRoom.places) devices wait for news with this token; make another one: coredata serve FOLDER \
        --new-token write
        """
      )
    }
    return place
  }

  /// Whether a token that was good still is.
  private func isOpen(_ zone: String, _ text: String?) -> Bool {
    // A book that cannot be read now says nothing against a token; the next request tells.
    guard let text, let token = try? tokens.token(text) else { return false }
    return token.zone == zone && !token.isRevoked
  }
}

/// Waits for one change after another.
///
/// Used by one thread at a time.
package final class NewsListener {
  /// After so many seconds without a change something is said, so that both sides know that the other is there.
  package static let silence: Double = 15
  private var known: UInt64
  private var isFirst = true
  private let place: WaitingRoom.Place
  private let wait: (UInt64) -> UInt64?

  fileprivate init(
    first: UInt64,
    _ place: WaitingRoom.Place,
    wait: @escaping (UInt64) -> UInt64?
  ) {
    known = first
    self.place = place
    self.wait = wait
  }

  /// The next message of an event stream: the number of the last change, at once and then when it is another, or a
  /// line that says nothing; nil at the end.
  package func next() -> String? {
    if isFirst {
      isFirst = false
      return "data: \(known)\n\n"
    }
    guard let head = wait(known) else { return nil }
    if head == known { return ":\n\n" }
    known = head
    return "data: \(head)\n\n"
  }
}

// MARK: - Access

extension SyncService {
  /// The token that opens a zone, for one more request.
  private func access(to zone: String, _ text: String?) throws -> AccessToken {
    let token = try known(zone, text)
    guard limits.takes(token.number, at: clock()) else {
      throw ServiceRefusal(429, "There were too many requests; try again in a few seconds.")
    }
    return token
  }

  private func known(_ zone: String, _ text: String?) throws -> AccessToken {
    guard SyncAddress.isZone(zone) else {
      throw ServiceRefusal(404, "There is no zone of this name.")
    }
    guard let text, !text.isEmpty else {
      throw ServiceRefusal(401, "A token is missing; it stands behind # in the address.")
    }
    guard SyncAddress.isToken(text), let token = try tokens.token(text), token.zone == zone else {
      guard failures.takes(0, at: clock()) else {
        throw ServiceRefusal(429, "There were too many wrong tokens; try again in a few seconds.")
      }
      throw ServiceRefusal(401, "This token does not open the zone \(zone); ask for a new address.")
    }
    guard !token.isRevoked else {
      throw ServiceRefusal(401, "This token was revoked; ask for a new address.")
    }
    return token
  }

  private func administration(of zone: String, _ text: String?) throws {
    guard try access(to: zone, text).role == .admin else {
      throw ServiceRefusal(403, "Only a token of the role admin makes and revokes tokens.")
    }
  }

  /// Makes a token for a zone, for somebody who may.
  package func makeToken(
    _ role: String,
    label: String,
    zone: String,
    token: String?
  ) throws -> String {
    try administration(of: zone, token)
    guard let role = TokenRole(rawValue: role) else {
      throw ServiceRefusal(400, "A role is read, write or admin, not '\(role.prefix(40))'.")
    }
    guard label.utf8.count <= 200 else { throw ServiceRefusal(400, "The label is too long.") }
    // A line break would make a token of its own in the list of tokens.
    guard !label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw ServiceRefusal(400, "A label is on one line, without control characters.")
    }
    return try tokens.make(zone: zone, role, label: label, at: clock())
  }

  package func tokens(of zone: String, token: String?) throws -> [AccessToken] {
    try administration(of: zone, token)
    return try tokens.all(of: zone)
  }

  package func revoke(_ number: Int64, zone: String, token: String?) throws {
    try administration(of: zone, token)
    guard try tokens.revoke(number, of: zone) else {
      throw ServiceRefusal(404, "There is no token of the number \(number) in this zone.")
    }
  }
}
