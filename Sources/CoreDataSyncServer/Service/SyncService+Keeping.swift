import CoreDataSyncCore
package import CoreDataSyncCrypto

// MARK: - Assets

extension SyncService {
  /// The most bytes of an asset that come at once.
  package static let largestPart: Int = AssetLimits.part

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
    let there = try assets.take(part, of: asset, from: start, zone: zone) { [assets] missing in
      try zones.requireRoom(for: missing, in: zone) { try assets.size(of: zone) }
    }
    if there == asset.size, lost.isBack(asset.hash, zone) { tellOfReturn(in: zone) }
    return there
  }

  /// A part of an asset, and how many bytes it has as a whole.
  package func part(
    of hash: ContentHash,
    _ range: ClosedRange<Int>?,
    zone: String,
    token: String?
  ) throws -> (bytes: [UInt8], whole: Int) {
    _ = try access(to: zone, token)
    do {
      return try assets.part(of: hash, range, zone: zone)
    } catch let refusal as ServiceRefusal where refusal == .missingAsset(hash) {
      askForAssets(of: zone)
      throw refusal
    }
  }

  /// Nobody is to wait for a content that never comes.
  func requireAssets(of push: SyncRequest.Push, _ zone: String) throws {
    for keyed in push.cells {
      guard let asset = AssetReference(payload: keyed.cell.payload) else { continue }
      guard try assets.has(asset, zone: zone) else {
        throw ServiceRefusal(424, "The asset \(asset.hash.text) was not sent; send it first.")
      }
    }
  }
}

// MARK: - Limits

extension SyncService {
  /// The size and the limit of each zone, by their names.
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
  /// For how many milliseconds a device may be silent while others are not, before it begins again: ninety days.
  static let silence: UInt64 = 90 * 24 * 3600 * 1000
  /// For how many milliseconds an asset stays that no value refers to: thirty days.
  static let memory: UInt64 = 30 * 24 * 3600 * 1000

  /// Forgets everything that no device needs any more: deletions that all of them know, and large values that were
  /// replaced.
  ///
  /// Each zone is closed to others for the moment that this takes. To be called now and then, by one thread, and
  /// not before the devices have had time to be heard of after the start.
  ///
  /// - Returns: How many cells were forgotten, and how many assets were deleted.
  /// - Throws: The error of the first zone that had one; the others are tidied all the same.
  @discardableResult
  package func tidyUp() throws -> (cells: Int, assets: Int) {
    var (cells, files) = (0, 0)
    var failure: (any Error)?
    for zone in try zones.zoneNames() {
      do {
        cells += try zones.purge(zone, patience: Self.silence, at: clock())
        files += try zones.deleteAssets(
          of: zone,
          on: assets,
          unusedFor: Self.memory,
          at: clock()
        )
        try assets.forgetBegun(of: zone)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return (cells, files)
  }
}
