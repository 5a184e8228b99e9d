import Foundation

/// Numbers of an archive, the lowest byte first.
extension Data {
  /// The number of so many bytes at a place; `nil` if the data ends before.
  func number(at offset: Int, bytes: Int) -> Int? {
    guard offset >= 0, bytes <= 8, offset <= count - bytes else { return nil }
    var number: UInt64 = 0
    for index in (0..<bytes).reversed() {
      number = (number << 8) | UInt64(self[startIndex + offset + index])
    }
    return Int(exactly: number)
  }

  mutating func append(_ number: some BinaryInteger, bytes: Int) {
    for index in 0..<bytes { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }
}
