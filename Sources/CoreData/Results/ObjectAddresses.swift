/// Some objects, by their addresses in memory: made to be asked after every change of a context.
///
/// ```
/// 40 live queries, one changed note ─▶ 40 looks, each of them a multiplication and a line of memory
/// ```
///
/// Open addressing with linear probing. Nobody chooses an address, so that it needs no hash that withstands attackers.
/// The owner of this value keeps the objects alive; otherwise another object could have the address of one that is
/// gone.
struct ObjectAddresses {
  /// A power of two; 0 is free.
  private var places: [UInt]
  private(set) var count = 0

  /// Makes room for so many.
  init(capacity: Int) {
    var size = 8
    while size * 2 < capacity * 3 { size *= 2 }
    places = Array(repeating: 0, count: size)
  }

  static func address(of object: NSManagedObject) -> UInt {
    UInt(bitPattern: ObjectIdentifier(object))
  }

  /// All of them, in no order.
  var all: some Sequence<UInt> { places.lazy.filter { $0 != 0 } }
}

// MARK: - Looking

extension ObjectAddresses {
  func contains(_ object: NSManagedObject) -> Bool {
    let address = Self.address(of: object)
    return places[place(of: address)] == address
  }

  /// The place of the address, or the free place where it would be.
  private func place(of address: UInt) -> Int {
    var place = home(of: address)
    while places[place] != address, places[place] != 0 { place = (place + 1) & mask }
    return place
  }

  /// Where the search for an address begins; the upper bits of the product depend on all of its own.
  private func home(of address: UInt) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  private var mask: Int { places.count - 1 }
}

// MARK: - Changing

extension ObjectAddresses {
  mutating func insert(_ object: NSManagedObject) {
    if (count + 1) * 3 > places.count * 2 { grow() }
    let address = Self.address(of: object)
    let place = place(of: address)
    if places[place] == address { return }
    places[place] = address
    count += 1
  }

  mutating func remove(_ object: NSManagedObject) {
    let address = Self.address(of: object)
    var gap = place(of: address)
    guard places[gap] == address else { return }
    count -= 1
    // Later ones of the same run move forward, each at most to where its search begins.
    var place = (gap + 1) & mask
    while places[place] != 0 {
      let distanceFromHome = (place - home(of: places[place])) & mask
      if distanceFromHome >= (place - gap) & mask {
        places[gap] = places[place]
        gap = place
      }
      place = (place + 1) & mask
    }
    places[gap] = 0
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: 0, count: old.count * 2)
    for address in old where address != 0 { places[place(of: address)] = address }
  }
}
