/// The keys of some rows, to be asked of each of many.
///
/// ```
/// close together      a bit for each key from the first to the last
/// far apart           the keys themselves, in order
/// ```
package final class KeySet {
  private let first: Int64
  private let bits: UnsafeMutableBufferPointer<UInt64>
  private let keys: UnsafeMutableBufferPointer<Int64>

  /// `keys` come in any order, and perhaps twice.
  package init(_ keys: [Int64]) {
    let first = keys.min() ?? 0
    self.first = first
    let span = keys.max().map { $0.subtractingReportingOverflow(first) }
    let words = span.map { $0.overflow ? Int.max : Int($0.partialValue / 64) + 1 } ?? 0
    if words / 4 <= keys.count {
      self.keys = .allocate(capacity: 0)
      bits = .allocate(capacity: words)
      bits.initialize(repeating: 0)
      for key in keys {
        let place = key - first
        bits[Int(place / 64)] |= 1 << UInt64(place % 64)
      }
    } else {
      bits = .allocate(capacity: 0)
      self.keys = .allocate(capacity: keys.count)
      _ = self.keys.initialize(from: keys.sorted())
    }
  }

  deinit {
    bits.deallocate()
    keys.deallocate()
  }

  package func contains(_ key: Int64) -> Bool {
    if bits.isEmpty { return hasSorted(key) }
    let (place, overflow) = key.subtractingReportingOverflow(first)
    guard !overflow, place >= 0, place / 64 < bits.count else { return false }
    return bits[Int(place / 64)] & (1 << UInt64(place % 64)) != 0
  }

  private func hasSorted(_ key: Int64) -> Bool {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key
  }
}
