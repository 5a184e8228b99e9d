import CoreDataCSodium
import CoreDataSyncCore

/// The SHA-256 of a content, by which it is asked for.
package struct ContentHash: Hashable, Sendable {
  package static let size = 32
  package let bytes: [UInt8]

  package init(of content: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    crypto_hash_sha256(&bytes, content, UInt64(content.count))
    self.bytes = bytes
  }

  fileprivate init(writing write: (UnsafeMutablePointer<UInt8>) -> Int32) {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    bytes.withUnsafeMutableBufferPointer { room in
      if let start = room.baseAddress { _ = write(start) }
    }
    self.bytes = bytes
  }

  /// Nil where these are not as many bytes as a hash has.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// The hash in hexadecimal digits, as paths have it.
  package var text: String {
    String(
      decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }

  /// Nil where the text is not what ``text`` gives.
  package init?(text: some StringProtocol) {
    guard text.utf8.count == 2 * Self.size else { return nil }
    var bytes: [UInt8] = []
    var half: UInt8?
    for digit in text.utf8 {
      guard let value = Self.digits.firstIndex(of: digit).map(UInt8.init) else { return nil }
      if let high = half { bytes.append((high << 4) | value) }
      half = half == nil ? value : nil
    }
    self.bytes = bytes
  }
}

/// A payload that is apart from the messages: the cell's reference to it.
package struct AssetReference: Hashable, Sendable {
  package let hash: ContentHash
  /// The bytes of the payload.
  package let size: Int

  package init(_ hash: ContentHash, size: Int) {
    self.hash = hash
    self.size = size
  }

  package var payload: [UInt8] {
    var writer = ByteWriter()
    writer.write(CellValue.Envelope.asset)
    writer.write(raw: hash.bytes)
    writer.write(UInt64(size))
    return writer.bytes
  }

  /// The bytes of a payload that refers to an asset.
  package static let payloadSize = 1 + ContentHash.size + MemoryLayout<UInt64>.size

  /// The reference in a payload; `nil` if it is a payload itself.
  package init?(payload: [UInt8]) {
    guard payload.first == CellValue.Envelope.asset, payload.count == Self.payloadSize else {
      return nil
    }
    var reader = ByteReader(Array(payload.dropFirst()))
    // There are as many bytes as both have; only the size may be too large.
    guard let bytes = try? reader.raw(ContentHash.size), let hash = ContentHash(bytes),
      let size = try? reader.number(UInt64.self), size <= UInt64(WireLimits.payload)
    else { return nil }
    self.init(hash, size: Int(size))
  }
}

/// Makes the hash of a content that comes in pieces.
package struct ContentHasher {
  private var state = crypto_hash_sha256_state()

  package init() {
    crypto_hash_sha256_init(&state)
  }

  package mutating func update(_ piece: UnsafeRawBufferPointer) {
    let bytes = piece.bindMemory(to: UInt8.self)
    crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
  }

  /// The hash of all pieces; the last thing that is asked.
  package mutating func finish() -> ContentHash {
    ContentHash(writing: { crypto_hash_sha256_final(&state, $0) })
  }
}
