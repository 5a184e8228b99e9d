/// Writes numbers and texts as bytes, big end first.
package struct ByteWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  /// A number in as few bytes as it needs, seven bits in each.
  package mutating func write(count value: Int) {
    var rest = UInt64(value)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func write(counted content: some Collection<UInt8>) {
    write(count: content.count)
    bytes.append(contentsOf: content)
  }

  package mutating func write(_ text: String) {
    write(counted: text.utf8)
  }

  package mutating func write(raw content: some Collection<UInt8>) {
    bytes.append(contentsOf: content)
  }
}
