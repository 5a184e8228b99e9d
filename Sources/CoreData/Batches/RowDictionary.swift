import Foundation

/// The dictionary that a handler of a batch insertion fills.
///
/// Values stand in the slots of their properties, so that a row costs no table of its own; what is no
/// property stands beside, to be refused by its name. A handler names the same keys in the same order
/// for each row, so that a key is first held against the one that came there in the row before.
final class RowDictionary: NSMutableDictionary {
  private var layout: EntityLayout?
  private var values: [Any?] = []
  private var given = SlotSet()
  private var others: [AnyHashable: Any] = [:]
  /// The keys of the row before in their order, and which of them is expected next.
  private var order: [(name: String, slot: Int)] = []
  private var next = 0

  convenience init(_ layout: EntityLayout) {
    self.init()
    self.layout = layout
    values = Array(repeating: nil, count: layout.propertyCount)
  }

  private func slot(of key: Any) -> Int? {
    let name = key as? String ?? (key as? AnyHashable)?.base as? String
    return name.flatMap { layout?.slot(named: $0) }
  }

  /// The slot of a key that is being set.
  private func expectedSlot(of key: Any) -> Int? {
    guard let name = Self.text(key) else { return slot(of: key) }
    if next < order.count, order[next].name == name {
      next += 1
      return order[next - 1].slot
    }
    guard let slot = layout?.slot(named: name) else { return nil }
    // What came in another order is learned anew from here; more keys than properties are repetitions.
    if next < values.count {
      order.removeSubrange(next...)
      order.append((name, slot))
      next += 1
    }
    return slot
  }

  private static func text<Key>(_ key: Key) -> String? { exactly(key, String.self) }

  override var count: Int { others.count + given.reduce(0) { count, _ in count + 1 } }

  override func object(forKey aKey: Any) -> Any? {
    if let slot = slot(of: aKey) { return values[slot] }
    return (aKey as? AnyHashable).flatMap { others[$0] }
  }

  override func keyEnumerator() -> NSEnumerator {
    let names = given.compactMap { layout?.slots[$0].name }.map { NSString(string: $0) as Any }
    return NSArray(array: names + others.keys.map(\.base)).objectEnumerator()
  }

  override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    if let slot = expectedSlot(of: aKey.base) {
      values[slot] = anObject
      given.insert(slot)
    } else {
      others[aKey] = anObject
    }
  }

  override func removeObject(forKey aKey: Any) {
    if let slot = slot(of: aKey) {
      values[slot] = nil
      given.remove(slot)
    } else if let key = aKey as? AnyHashable {
      others[key] = nil
    }
  }

  override func removeAllObjects() {
    for slot in given { values[slot] = nil }
    given = SlotSet()
    next = 0
    if !others.isEmpty { others = [:] }
  }

  /// Puts the values into a row; throws for keys and values that it does not take.
  func give(to packer: inout BatchRowPacker) throws {
    for slot in given {
      if let value = values[slot] { try packer.set(value, at: slot) }
    }
    for (key, value) in others { try packer.set(value, for: "\(key.base)") }
  }
}
