extension FixedWidthInteger {
  package var bigEndianBytes: [UInt8] {
    withUnsafeBytes(of: bigEndian) { Array($0) }
  }

  package var littleEndianBytes: [UInt8] {
    withUnsafeBytes(of: littleEndian) { Array($0) }
  }
}

// For each width by itself: a build without optimization asks a table for each operation of a generic one, and was
// there for a third of the time in which a store is opened.

extension UInt32 {
  func rotatedRight(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}

extension UInt64 {
  func rotatedRight(_ count: UInt64) -> UInt64 { self &>> count | self &<< (64 &- count) }
}
