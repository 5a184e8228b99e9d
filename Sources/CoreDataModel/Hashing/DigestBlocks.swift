/// Bytes on their way into a digest, handed on in blocks of one size.
///
/// The digests work on pointers and plain words, without anything generic in their loops: a debug build
/// does not specialise, and it too hashes each model that opens a store.
struct DigestBlocks {
  private let size: Int
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  init(of size: Int) {
    self.size = size
  }

  /// Hands each block that is full to `compress`, and keeps the rest.
  mutating func feed<Word>(
    _ bytes: some Sequence<UInt8>,
    into state: inout [Word],
    _ compress: (UnsafeRawPointer, inout [Word]) -> Void
  ) {
    let isFed: Void? = bytes.withContiguousStorageIfAvailable {
      feed(UnsafeRawBufferPointer($0), into: &state, compress)
    }
    guard isFed == nil else { return }
    Array(bytes).withUnsafeBytes { feed($0, into: &state, compress) }
  }

  private mutating func feed<Word>(
    _ bytes: UnsafeRawBufferPointer,
    into state: inout [Word],
    _ compress: (UnsafeRawPointer, inout [Word]) -> Void
  ) {
    byteCount += UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let missing = rest.prefix(size - pending.count)
      pending.append(contentsOf: missing)
      rest = rest.dropFirst(missing.count)
      guard pending.count == size else { return }
      pending.withUnsafeBytes { block in
        if let start = block.baseAddress { compress(start, &state) }
      }
      pending.removeAll(keepingCapacity: true)
    }
    while rest.count >= size, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      compress(start, &state)
      rest = rest.dropFirst(size)
    }
    pending.append(contentsOf: rest)
  }

  /// Feeds the bytes that follow the last one: a bit, zeros, and the count of bits, which has a place of
  /// `lengthSize` bytes at the end of the last block.
  mutating func end<Word>(
    lengthSize: Int,
    into state: inout [Word],
    _ compress: (UnsafeRawPointer, inout [Word]) -> Void
  ) {
    let bitCount = byteCount * 8
    let used = pending.count + 1 + lengthSize
    let zeros = (size - used % size) % size + lengthSize - 8
    let padding = [0x80] + [UInt8](repeating: 0, count: zeros) + bitCount.bigEndianBytes
    feed(padding, into: &state, compress)
  }
}
