import CoreDataModel
import CoreDataSyncCore
import Foundation

extension UniqueClaim {
  /// What an identity is made of that stands for these values.
  var digest: [UInt8] { Array(SHA256.digest(of: bytes)) }
}

extension SyncID {
  /// The identity of what was inserted at an address, which names the store too, at that time.
  init(insertionOf address: String, at time: Date) {
    let content = "\(address) \(time.timeIntervalSinceReferenceDate.bitPattern)"
    let digest = Array(SHA256.digest(of: content.utf8))
    let parts = [digest[0..<8], digest[8..<16]].map {
      $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    self.init(random: parts[0], parts[1])
  }
}
