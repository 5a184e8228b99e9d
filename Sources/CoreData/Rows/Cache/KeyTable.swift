/// A hash table from object keys to values, made for millions of small entries.
///
/// Open addressing with linear probing over plain memory: a lookup is one or two cache lines and counts no
/// references. Removing closes the gap, so that there are no tombstones and the table never has to be cleaned. It
/// belongs to one owner and is not copied.
struct KeyTable<Value>: ~Copyable {
  private var keys: UnsafeMutablePointer<ObjectKey>
  private var values: UnsafeMutablePointer<Value>
  /// A power of two.
  private var size: Int
  private(set) var count = 0

  /// Marks a free place: no store and no object has the number 0.
  private static var free: ObjectKey { ObjectKey(store: .none, root: 0, number: 0) }

  init() {
    size = 16
    keys = .allocate(capacity: size)
    keys.initialize(repeating: Self.free, count: size)
    values = .allocate(capacity: size)
  }

  deinit {
    for place in 0..<size where keys[place] != Self.free { (values + place).deinitialize(count: 1) }
    keys.deallocate()
    values.deallocate()
  }
}

// MARK: - Looking

extension KeyTable {
  var isEmpty: Bool { count == 0 }

  subscript(key: ObjectKey) -> Value? {
    let place = place(of: key)
    return keys[place] == key ? values[place] : nil
  }

  /// All values, in no order.
  var allValues: [Value] {
    var all: [Value] = []
    all.reserveCapacity(count)
    for place in 0..<size where keys[place] != Self.free { all.append(values[place]) }
    return all
  }

  /// The place of the key, or the free place where it would be.
  private func place(of key: ObjectKey) -> Int {
    var place = key.scatterOfNeighbours & (size - 1)
    while keys[place] != key, keys[place] != Self.free { place = (place + 1) & (size - 1) }
    return place
  }
}

// MARK: - Changing

extension KeyTable {
  /// Stores a value, unless the present one must stay.
  mutating func set(
    _ value: Value,
    for key: ObjectKey,
    unless stays: (borrowing Value) -> Bool = { _ in false }
  ) {
    if (count + 1) * 3 > size * 2 { resize(to: size * 2) }
    let place = place(of: key)
    if keys[place] == key {
      if !stays(values[place]) { values[place] = value }
    } else {
      keys[place] = key
      (values + place).initialize(to: value)
      count += 1
    }
  }

  /// Changes the value of a key where it is; `nil` if the key is missing.
  mutating func change<Result>(_ key: ObjectKey, by change: (inout Value) -> Result?) -> Result? {
    let place = place(of: key)
    return keys[place] == key ? change(&values[place]) : nil
  }

  @discardableResult
  mutating func remove(_ key: ObjectKey) -> Value? {
    let place = place(of: key)
    guard keys[place] == key else { return nil }
    let value = (values + place).move()
    closeGap(at: place)
    count -= 1
    return value
  }

  /// Removes an entry whose value passes a test, and says whether there was one.
  mutating func remove(_ key: ObjectKey, if goes: (borrowing Value) -> Bool) -> Bool {
    let place = place(of: key)
    guard keys[place] == key, goes(values[place]) else { return false }
    (values + place).deinitialize(count: 1)
    closeGap(at: place)
    count -= 1
    return true
  }

  mutating func removeAll() {
    self = KeyTable()
  }

  /// Makes room for more entries at once.
  mutating func reserve(_ additional: Int) {
    var size = size
    while size * 2 < (count + additional) * 3 { size *= 2 }
    if size > self.size { resize(to: size) }
  }

  private mutating func resize(to newSize: Int) {
    let (oldKeys, oldValues, oldSize) = (keys, values, size)
    size = newSize
    keys = .allocate(capacity: newSize)
    keys.initialize(repeating: Self.free, count: newSize)
    values = .allocate(capacity: newSize)
    for old in 0..<oldSize where oldKeys[old] != Self.free {
      let new = place(of: oldKeys[old])
      keys[new] = oldKeys[old]
      (values + new).moveInitialize(from: oldValues + old, count: 1)
    }
    oldKeys.deallocate()
    oldValues.deallocate()
  }

  /// Moves later entries of the same run forward, each at most to where its search begins.
  private mutating func closeGap(at removed: Int) {
    let mask = size - 1
    var gap = removed
    var place = (removed + 1) & mask
    while keys[place] != Self.free {
      let distanceFromHome = (place - keys[place].scatterOfNeighbours) & mask
      let distanceFromGap = (place - gap) & mask
      if distanceFromHome >= distanceFromGap {
        keys[gap] = keys[place]
        (values + gap).moveInitialize(from: values + place, count: 1)
        gap = place
      }
      place = (place + 1) & mask
    }
    keys[gap] = Self.free
  }
}
