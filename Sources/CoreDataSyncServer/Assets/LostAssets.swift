import CoreDataSyncCrypto
import Synchronization

/// Remembers for which assets devices were asked, so that nobody is asked without end for one that nobody has.
final class LostAssets: Sendable {
  private let state = Mutex<(zones: [String: UInt64], asked: [Asset: UInt64])>(([:], [:]))

  /// Milliseconds between two looks at what a zone lacks.
  private static let pause: UInt64 = 60_000
  /// Milliseconds until devices are asked for an asset again: a device may come back.
  private static let patience: UInt64 = 24 * 3600 * 1000
  private static let most = 100_000

  private struct Asset: Hashable {
    let hash: ContentHash
    let zone: String
  }

  /// Whether it is time to look at what a zone lacks.
  func begin(_ zone: String, at time: UInt64) -> Bool {
    state.withLock { state in
      if let last = state.zones[zone], time >= last, time - last < Self.pause { return false }
      if state.zones.count >= Self.most { state.zones = [:] }
      state.zones[zone] = time
      return true
    }
  }

  /// Whether devices were asked for an asset, which has come now.
  func isBack(_ hash: ContentHash, _ zone: String) -> Bool {
    state.withLock { $0.asked.removeValue(forKey: Asset(hash: hash, zone: zone)) != nil }
  }

  /// Whether it is time to ask for an asset; it is then noted as asked for.
  func isDue(_ hash: ContentHash, _ zone: String, at time: UInt64) -> Bool {
    let asset = Asset(hash: hash, zone: zone)
    return state.withLock { state in
      if let last = state.asked[asset], time >= last, time - last < Self.patience { return false }
      if state.asked.count >= Self.most { state.asked = [:] }
      state.asked[asset] = time
      return true
    }
  }
}
