/// The keys that stores have reserved for the new objects of one save.
struct ReservedKeys {
  /// By the objects' places in the list of inserted objects.
  private var numbers: [Int64]
  private var stores: [StoreNumber]

  init(count: Int) {
    numbers = Array(repeating: 0, count: count)
    stores = Array(repeating: .none, count: count)
  }

  mutating func set(_ number: Int64, in store: StoreNumber, at place: Int) {
    numbers[place] = number
    stores[place] = store
  }

  func number(at place: Int) -> Int64 { numbers[place] }

  func key(at place: Int, root: Int32) -> ObjectKey {
    ObjectKey(store: stores[place], root: root, number: numbers[place])
  }

  /// The key that an object has, or will have, in a store; nil for one of another store.
  func number(of object: NSManagedObject, in store: StoreNumber) -> Int64? {
    let key = object.record.pointee.key
    if key.store == store { return key.number }
    let place = Int(object.record.pointee.trackerIndex)
    guard key.isTemporary, object.record.pointee.life == .inserted,
      numbers.indices.contains(place), stores[place] == store
    else { return nil }
    return numbers[place]
  }
}
