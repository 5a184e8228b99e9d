/// The identity of a property on all devices: a number made from its renaming identifier.
///
/// A name that a new version of a model changes keeps its number, and so its cells.
package struct PropertyID: Hashable, Comparable, Sendable {
  package let number: UInt64

  package init(number: UInt64) {
    self.number = number
  }

  /// The number of a property whose renaming identifier, or name, is this: FNV-1a.
  package init(name: String) {
    number = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  package static func < (left: PropertyID, right: PropertyID) -> Bool { left.number < right.number }
}
