/// A set of slots of one entity.
///
/// The first 64 slots are bits in a word; only wider entities need the rest.
package struct SlotSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  package init() {}

  package init(_ slots: some Sequence<Int>) {
    for slot in slots { insert(slot) }
  }

  package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  package var count: Int {
    high.reduce(low.nonzeroBitCount) { $0 + $1.nonzeroBitCount }
  }

  @inline(__always)
  package func contains(_ slot: Int) -> Bool {
    if slot < 64 { return low & (1 &<< UInt64(slot)) != 0 }
    return isFarMember(slot)
  }

  @inline(never)
  private func isFarMember(_ slot: Int) -> Bool {
    let word = slot / 64 - 1
    return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
  }

  @inline(__always)
  package mutating func insert(_ slot: Int) {
    if slot < 64 { low |= 1 &<< UInt64(slot) } else { insertFarMember(slot) }
  }

  @inline(never)
  private mutating func insertFarMember(_ slot: Int) {
    let word = slot / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(slot % 64)
  }

  package mutating func remove(_ slot: Int) {
    if slot < 64 {
      low &= ~(1 << UInt64(slot))
    } else if slot / 64 - 1 < high.count {
      high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
    }
  }

  package func isDisjoint(with other: SlotSet) -> Bool {
    low & other.low == 0 && zip(high, other.high).allSatisfy { $0 & $1 == 0 }
  }

  package mutating func formUnion(_ other: SlotSet) {
    low |= other.low
    while high.count < other.high.count { high.append(0) }
    for (word, bits) in other.high.enumerated() { high[word] |= bits }
  }
}

extension SlotSet: Sequence {
  /// The slots in ascending order.
  package func makeIterator() -> Iterator { Iterator(bits: low, rest: high[...]) }

  package struct Iterator: IteratorProtocol {
    fileprivate var bits: UInt64
    fileprivate var rest: ArraySlice<UInt64>
    private var first = 0

    fileprivate init(bits: UInt64, rest: ArraySlice<UInt64>) {
      self.bits = bits
      self.rest = rest
    }

    package mutating func next() -> Int? {
      while bits == 0 {
        guard let word = rest.popFirst() else { return nil }
        bits = word
        first += 64
      }
      let bit = bits.trailingZeroBitCount
      bits &= bits - 1
      return first + bit
    }
  }
}
