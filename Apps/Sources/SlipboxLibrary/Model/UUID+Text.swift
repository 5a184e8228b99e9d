import Foundation

extension UUID {
  /// The identifier of objects without one.
  static let none = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// The identifier that every device gives to a thing of a kind and a name.
  ///
  /// Devices that make the same thing while none of them reaches the others then have one of it afterwards.
  init(ofKind kind: String, named name: String) {
    let halves = ["slip box", kind].map {
      UInt64(bitPattern: Digest.of(Data("\($0) \(name)".utf8)))
    }
    let bytes = halves.flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
    }
    var id = UUID.none.uuid
    withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: bytes) }
    self.init(uuid: id)
  }

  /// As addresses and programs write it: in lower case.
  var text: String { uuidString.lowercased() }
}
