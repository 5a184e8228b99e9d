import CoreDataModel
import CoreDataSyncCore
import Foundation

extension UniqueClaim {
  /// The digest for the identity that represents these values in an object of an entity.
  ///
  /// Objects of two entities that inherit one rule claim the same, and are two objects all the same.
  func digest(under rule: UniquenessRule, of entity: String) -> [UInt8] {
    let inheritor = rule.isDeclared(by: entity) ? [] : Array(entity.utf8)
    return Array(SHA256.digest(of: bytes + inheritor))
  }
}

extension SyncID {
  /// The identity of an object that was inserted at an address, which names the store too, at that
  /// time.
  init(insertionOf address: String, at time: Date) {
    let halves = digest(of: "\(address) \(time.timeIntervalSinceReferenceDate.bitPattern)")
    self.init(random: halves.0, halves.1)
  }
}

extension DeviceTag {
  /// The tag of a device, from which its identity at the server cannot be derived.
  init(ofReplica replica: SyncID) {
    self.init(bits: UInt32(truncatingIfNeeded: digest(of: "device \(replica)").0))
  }
}

extension Stamp {
  /// A stamp of this moment by which a reader of a store's transaction recognises the occurrences
  /// that it has made.
  init(moment: UInt64, transaction number: Int64, of store: String, at time: Date) {
    let content = "\(store) \(number) \(time.timeIntervalSinceReferenceDate.bitPattern)"
    self.init(moment: moment, writer: digest(of: content).0)
  }
}

private func digest(of content: String) -> (UInt64, UInt64) {
  let digest = Array(SHA256.digest(of: content.utf8))
  let halves = [digest[0..<8], digest[8..<16]].map {
    $0.reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
  }
  return (halves[0], halves[1])
}
