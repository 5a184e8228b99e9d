/// The names of an entity's properties, and which slot each has.
///
/// A name is looked up by its length and three of its bytes, and compared with the name found: this takes a fifth of
/// the time of a dictionary, which hashes the whole text with a secret seed. If there are more names than people
/// write, somebody may have chosen a model's names to collide, and a dictionary holds them.
struct SlotNames {
  private let names: [String]
  /// The slots by their digests; each is in its own place or in one behind it, before the first that is free.
  private var places: [Int32]

  private let many: [String: Int]

  private static let free: Int32 = -1
  private static let mostPlaces = 256

  init(_ names: [String]) {
    self.names = names
    guard names.count <= Self.mostPlaces else {
      places = []
      many = Dictionary(
        names.enumerated().map { ($1, $0) },
        uniquingKeysWith: { first, _ in first }
      )
      return
    }
    many = [:]
    var count = 8
    while count < 4 * names.count { count *= 2 }
    places = Array(repeating: Self.free, count: count)
    for (slot, name) in names.enumerated() {
      var place = (Self.digest(of: name) ?? 0) & (count - 1)
      while places[place] != Self.free { place = (place + 1) & (count - 1) }
      places[place] = Int32(slot)
    }
  }

  /// The slot of a name; nil for one that is not there.
  func slot(of name: String) -> Int? {
    if places.isEmpty { return many[name] }
    guard let digest = Self.digest(of: name) else { return slot(byReading: name) }
    var place = digest & (places.count - 1)
    while places[place] != Self.free {
      let slot = Int(places[place])
      if names[slot] == name { return slot }
      place = (place + 1) & (places.count - 1)
    }
    return name.utf8.allSatisfy { $0 < 0x80 } ? nil : slot(byReading: name)
  }

  /// A letter with an accent has several spellings, which are equal and have other bytes.
  private func slot(byReading name: String) -> Int? { names.firstIndex(of: name) }

  @inline(__always)
  private static func digest(of name: String) -> Int? {
    name.utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = bytes.first, let last = bytes.last else { return 0 }
      let middle = bytes[bytes.count / 2]
      return bytes.count &+ 37 &* Int(first) &+ 101 &* Int(last) &+ 11 &* Int(middle)
    }
  }
}
