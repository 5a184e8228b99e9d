/// The identity of an object: the store it lives in, its root entity and its number there.
///
/// An object that was never saved lives in no store; its number then is unique in the process.
/// Entities of one tree share their numbers, as they share a table.
package struct ObjectKey: Hashable, Sendable {
  /// The store's number in this process, and the root entity's number in the model.
  private let place: UInt64
  /// The primary key of its row, or the number of an object that was never saved.
  package let number: Int64

  private init(place: UInt64, number: Int64) {
    self.place = place
    self.number = number
  }

  package init(store: StoreNumber, root: Int32, number: Int64) {
    place = (UInt64(store.rawValue) << 32) | UInt64(UInt32(bitPattern: root))
    self.number = number
  }

  package var store: StoreNumber { StoreNumber(rawValue: UInt32(truncatingIfNeeded: place >> 32)) }
  package var root: Int32 { Int32(truncatingIfNeeded: place) }
  package var isTemporary: Bool { store == .none }

  /// A well-mixed number for hash tables of our own.
  var scatter: Int {
    var bits = UInt64(bitPattern: number) &+ place &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: bits ^ (bits >> 32))
  }

  /// The same for tables that are filled in the order of the numbers: neighbours stay together, four by
  /// four, so that they share a line of the processor's cache.
  var scatterOfNeighbours: Int {
    let four = ObjectKey(place: place, number: number >> 2)
    return (four.scatter << 2) | Int(truncatingIfNeeded: number & 3)
  }
}

/// A store's number; numbers are given once in a process and never again.
package struct StoreNumber: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The place of objects that were never saved.
  package static let none = StoreNumber(rawValue: 0)
}
