package import CoreDataSyncCrypto

/// The place where a server keeps the large values of zones, which come in parts.
///
/// Parts come one after the other, over as many connections as it takes, and a device may go on where another has
/// stopped.
package protocol AssetStorage: Sendable {
  /// The bytes of all assets of a zone, those among them that have only begun to arrive.
  func size(of zone: String) throws -> Int
  /// Whether all of an asset is there.
  func has(_ asset: AssetReference, zone: String) throws -> Bool
  /// Some bytes of an asset, at most ``AssetLimits/part``, and how many it has as a whole.
  func part(
    of hash: ContentHash,
    _ range: ClosedRange<Int>?,
    zone: String
  ) throws -> (bytes: [UInt8], whole: Int)
  /// Adds a part that begins at the end of the last one, and returns the number of bytes so far.
  ///
  /// The number of bytes that are missing is handed to `check`; if that throws, nothing of the part is kept.
  func take(
    _ part: [UInt8],
    of asset: AssetReference,
    from start: Int?,
    zone: String,
    checking check: (Int) throws -> Void
  ) throws -> Int

  /// The assets of a zone that are complete.
  func hashes(of zone: String) throws -> [ContentHash]
  /// Deletes an asset that is complete.
  func delete(_ hash: ContentHash, zone: String) throws
  /// Forgets what has begun to arrive in a zone, and did not go on for long.
  func forgetBegun(of zone: String) throws
}

package enum AssetLimits {
  /// The most bytes in one part.
  package static let part = 4 << 20
  /// The most assets of a zone that have begun to arrive.
  package static let unfinished = 1_000
  /// For how many seconds a part waits for the next.
  package static let patience: Double = 7 * 24 * 3600
}

extension AssetLimits {
  /// The bytes of an asset for a device that asks for some of them, or for all.
  package static func part(
    _ asked: ClosedRange<Int>?,
    of whole: Int
  ) throws(ServiceRefusal) -> Range<Int> {
    let start = asked?.lowerBound ?? 0
    guard start < whole || start == 0 else {
      throw ServiceRefusal(416, "The asset has \(whole) bytes; there is none at \(start).")
    }
    let last = min(asked?.upperBound ?? .max, whole - 1, start + part - 1)
    return start..<max(last + 1, start)
  }
}

extension ServiceRefusal {
  package static func missingAsset(_ hash: ContentHash) -> ServiceRefusal {
    ServiceRefusal(404, "The server does not have the asset \(hash.text).")
  }

  package static var wrongPart: ServiceRefusal {
    ServiceRefusal(
      400,
      "A part has at most \(AssetLimits.part) bytes, and not more than are missing."
    )
  }

  package static var tooManyAssets: ServiceRefusal {
    ServiceRefusal(429, "Too many assets have begun to arrive; finish some of them first.")
  }

  package static var otherContent: ServiceRefusal {
    ServiceRefusal(422, "The asset has another content than its hash says; send it anew.")
  }
}
