import CoreDataCSodium
import CoreDataSyncCore

/// Replaces numbers by others, which only the key leads back: a Feistel network whose rounds are SipHash.
///
/// The names of properties, and contents that identities represent, can be guessed; the server's numbers do not help
/// anybody who guesses.
struct KeyedPermutation: Sendable {
  private let key: [UInt8]
  /// The bits of each half.
  private let width: UInt64

  private static let rounds: UInt8 = 6

  init(key: [UInt8], halfOf width: UInt64) {
    self.key = key
    self.width = width
  }

  func forward(_ left: UInt64, _ right: UInt64) -> (UInt64, UInt64) {
    var (left, right) = (left, right)
    for round in 0..<Self.rounds { (left, right) = (right, left ^ hash(right, round)) }
    return (left, right)
  }

  func backward(_ left: UInt64, _ right: UInt64) -> (UInt64, UInt64) {
    var (left, right) = (left, right)
    for round in (0..<Self.rounds).reversed() { (left, right) = (right ^ hash(left, round), left) }
    return (left, right)
  }

  private func hash(_ half: UInt64, _ round: UInt8) -> UInt64 {
    var message = (half.littleEndian, round)
    var result: UInt64 = 0
    withUnsafeBytes(of: &message) { message in
      withUnsafeMutableBytes(of: &result) { result in
        guard let from = message.baseAddress, let to = result.baseAddress else { return }
        // Half and round; the bytes that fill up the pair are left out.
        crypto_shorthash(
          to.assumingMemoryBound(to: UInt8.self),
          from.assumingMemoryBound(to: UInt8.self),
          9,
          key
        )
      }
    }
    return result & ((1 << width) - 1)
  }
}

// MARK: - Identities and properties

extension KeyedPermutation {
  /// Another identity of the same version: the server has to know those that represent a content.
  func replacing(_ id: SyncID, _ direction: (UInt64, UInt64) -> (UInt64, UInt64)) -> SyncID {
    let (fixedHigh, fixedLow): (UInt64, UInt64) = (0xF000, 0b11 << 62)
    let high = ((id.high >> 16) << 12) | (id.high & 0xFFF)
    let low = id.low & ~fixedLow
    let half: UInt64 = (1 << 61) - 1
    let (left, right) = direction((high << 1) | (low >> 61), low & half)
    let newHigh = left >> 1
    return SyncID(
      high: ((newHigh >> 12) << 16) | (newHigh & 0xFFF) | (id.high & fixedHigh),
      low: ((left & 1) << 61) | right | (id.low & fixedLow)
    )
  }

  func replacing(
    _ property: PropertyID,
    _ direction: (UInt64, UInt64) -> (UInt64, UInt64)
  ) -> PropertyID {
    let (left, right) = direction(property.number >> 32, property.number & 0xFFFF_FFFF)
    return PropertyID(number: (left << 32) | right)
  }
}
