import Foundation

/// The dictionary that a handler of a batch insertion fills.
///
/// Values stand in the slots of their properties, so that a row costs no table of its own; what is no
/// property stands beside, to be refused by its name.
final class RowDictionary: NSMutableDictionary {
  private var layout: EntityLayout?
  private var values: [Any?] = []
  private var given = SlotSet()
  private var others: [AnyHashable: Any] = [:]

  convenience init(_ layout: EntityLayout) {
    self.init()
    self.layout = layout
    values = Array(repeating: nil, count: layout.propertyCount)
  }

  private func slot(of key: Any) -> Int? {
    let name = key as? String ?? (key as? AnyHashable)?.base as? String
    return name.flatMap { layout?.slot(named: $0) }
  }

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
    if let slot = slot(of: aKey.base) {
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
