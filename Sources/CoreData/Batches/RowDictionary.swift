import CoreDataModel
import Foundation

/// The dictionary that a handler of a batch insertion fills.
///
/// A value of its property's own type is put into the property's slot at once, as a row keeps it, so that a row costs
/// neither a table nor a box for each value. Everything else is kept beside: values that are converted when the
/// handler has returned, and keys that are not properties, to be refused by name.
final class RowDictionary: NSMutableDictionary {
  /// Nil only in a dictionary that Foundation makes of this class, which keeps everything beside.
  private var row: BatchRowValues?
  private var others: [String: Any] = [:]

  convenience init(_ layout: EntityLayout, in store: StoreNumber) {
    self.init()
    row = BatchRowValues(layout, in: store)
  }

  /// Its values in their slots; throws for names and values that the entity does not take.
  func values(place: @autoclosure () -> String) throws -> BatchRowValues {
    for (name, value) in others.sorted(by: { $0.key < $1.key }) {
      try row?.take(value, for: name, place: place())
      others[name] = nil
    }
    guard let row else { preconditionFailure("only the dictionary of a row has slots") }
    return row
  }

  // MARK: The methods of every dictionary

  override var count: Int { others.count + (row?.given.count ?? 0) }

  override func object(forKey aKey: Any) -> Any? {
    row?.boxedValue(named: Self.name(aKey)) ?? others[Self.name(aKey)]
  }

  override func keyEnumerator() -> NSEnumerator {
    let names = (row?.givenNames ?? []) + others.keys
    return NSArray(array: names.map { NSString(string: $0) }).objectEnumerator()
  }

  override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    if row?.takePlain(anObject, for: aKey.base) == true {
      if !others.isEmpty { others[Self.name(aKey)] = nil }
    } else {
      let name = Self.name(aKey)
      row?.forget(named: name)
      others[name] = anObject
    }
  }

  override func removeObject(forKey aKey: Any) {
    let name = Self.name(aKey)
    row?.forget(named: name)
    others[name] = nil
  }

  override func removeAllObjects() {
    row?.forgetAll()
    if !others.isEmpty { others = [:] }
  }

  /// A key as rows know it: an `NSString` and a `String` are the same.
  private static func name(_ key: Any) -> String {
    key as? String ?? (key as? AnyHashable)?.base as? String ?? "\(key)"
  }
}
