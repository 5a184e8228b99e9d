/// A hash table from object keys to values, made for millions of small entries.
///
/// Open addressing with linear probing: a lookup is one or two cache lines. Removing closes the gap,
/// so that there are no tombstones and the table never has to be cleaned.
struct KeyTable<Value> {
  private var entries: [Entry?]
  private(set) var count = 0

  private struct Entry {
    let key: ObjectKey
    var value: Value
  }

  init(minimumCapacity: Int = 8) {
    var size = 16
    while size * 3 < minimumCapacity * 4 { size *= 2 }
    entries = Array(repeating: nil, count: size)
  }

  var isEmpty: Bool { count == 0 }

  subscript(key: ObjectKey) -> Value? {
    var place = key.scatter & (entries.count - 1)
    while let entry = entries[place] {
      if entry.key == key { return entry.value }
      place = (place + 1) & (entries.count - 1)
    }
    return nil
  }

  /// Stores the value, and gives the one that was there.
  @discardableResult
  mutating func set(_ value: Value, for key: ObjectKey) -> Value? {
    if (count + 1) * 4 > entries.count * 3 { resize(to: entries.count * 2) }
    var place = key.scatter & (entries.count - 1)
    while let entry = entries[place] {
      if entry.key == key {
        entries[place] = Entry(key: key, value: value)
        return entry.value
      }
      place = (place + 1) & (entries.count - 1)
    }
    entries[place] = Entry(key: key, value: value)
    count += 1
    return nil
  }

  @discardableResult
  mutating func remove(_ key: ObjectKey) -> Value? {
    let mask = entries.count - 1
    var place = key.scatter & mask
    while let entry = entries[place] {
      if entry.key == key {
        closeGap(at: place)
        count -= 1
        return entry.value
      }
      place = (place + 1) & mask
    }
    return nil
  }

  var values: [Value] { entries.compactMap { $0?.value } }

  mutating func removeAll() {
    self = KeyTable()
  }

  /// Makes room for more entries at once.
  mutating func reserve(_ additional: Int) {
    var size = entries.count
    while size * 3 < (count + additional) * 4 { size *= 2 }
    if size > entries.count { resize(to: size) }
  }

  private mutating func resize(to size: Int) {
    var old = entries
    entries = Array(repeating: nil, count: size)
    count = 0
    for index in old.indices {
      if let entry = old[index].take() { set(entry.value, for: entry.key) }
    }
  }

  /// Moves later entries of the same run forward, each at most to where its search begins.
  private mutating func closeGap(at removed: Int) {
    let mask = entries.count - 1
    var gap = removed
    var place = (removed + 1) & mask
    while let entry = entries[place] {
      let home = entry.key.scatter & mask
      let distanceFromHome = (place - home) & mask
      let distanceFromGap = (place - gap) & mask
      if distanceFromHome >= distanceFromGap {
        entries[gap] = entry
        gap = place
      }
      place = (place + 1) & mask
    }
    entries[gap] = nil
  }
}
