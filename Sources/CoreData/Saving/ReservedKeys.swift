/// The keys that stores have reserved for the new objects of one save.
struct ReservedKeys {
  private let count: Int
  /// By the objects' places in the list of inserted objects, which each of them knows; empty until the first is set.
  private var numbers: [Int64] = []
  private var stores: [StoreNumber] = []

  init(count: Int) {
    self.count = count
  }

  /// Sets the numbers of all inserted objects at once, in the order of their list; false if the counts differ.
  mutating func set(_ all: [Int64], in store: StoreNumber) -> Bool {
    guard all.count == count else { return false }
    numbers = all
    stores = Array(repeating: store, count: count)
    return true
  }

  mutating func set(_ number: Int64, in store: StoreNumber, for object: NSManagedObject) {
    if numbers.isEmpty {
      numbers = Array(repeating: 0, count: count)
      stores = Array(repeating: .none, count: count)
    }
    let place = Int(object.trackerIndex)
    numbers[place] = number
    stores[place] = store
  }

  /// The number for the row of a new object.
  func number(for object: NSManagedObject) -> Int64 {
    numbers[Int(object.trackerIndex)]
  }

  /// The key for a new object.
  func key(for object: NSManagedObject) -> ObjectKey {
    let place = Int(object.trackerIndex)
    return ObjectKey(
      store: stores[place],
      root: object.layout.rootNumber,
      number: numbers[place]
    )
  }

  /// The key that an object has, or will have, in a store; nil for one of another store.
  func number(of object: NSManagedObject, in store: StoreNumber) -> Int64? {
    let key = object.key
    if key.store == store { return key.number }
    let place = Int(object.trackerIndex)
    guard key.isTemporary, object.life == .inserted,
      numbers.indices.contains(place), stores[place] == store
    else { return nil }
    return numbers[place]
  }
}
