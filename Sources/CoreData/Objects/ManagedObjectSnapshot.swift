import CoreDataModel
public import Foundation

/// The values of a managed object at one moment, for other threads and actors.
///
/// ```swift
/// let snapshot = note.snapshot()
/// Task.detached { print(snapshot[\.title] ?? "", snapshot[\.folder]?.uriRepresentation() as Any) }
/// ```
///
/// | property | value |
/// | --- | --- |
/// | attribute | `String`, `Int16`, `Date`, `Decimal`, `Data`, `URL` … |
/// | transformable | the `Data` that the store keeps; by key path, the object made anew from it |
/// | to-one relationship | `NSManagedObjectID` |
/// | to-many, unordered and ordered | `Set<NSManagedObjectID>`, `[NSManagedObjectID]`; none while it is a fault |
///
/// Fetched properties, and attributes that are never stored and hold other types, are not in it.
public struct ManagedObjectSnapshot<Object: NSManagedObject>: Sendable {
  public let objectID: NSManagedObjectID
  /// The values by the names of their properties; nil values are left out.
  public let values: [String: any Sendable]

  fileprivate init(objectID: NSManagedObjectID, values: [String: any Sendable]) {
    self.objectID = objectID
    self.values = values
  }

  public var entityName: String { objectID.layout.name }

  public subscript(name: String) -> (any Sendable)? { values[name] }
}

// MARK: - By key path

extension ManagedObjectSnapshot {
  /// An attribute's value; nil where it has none.
  ///
  /// Stops the program for a key path that names no single property of the model.
  public subscript<Value>(attribute: KeyPath<Object, Value?>) -> Value? {
    value(ofPropertyNamed: name(of: attribute), as: Value.self)
  }

  /// A number; 0 where nothing is stored, as the property itself has it.
  public subscript<Number: Numeric>(attribute: KeyPath<Object, Number>) -> Number {
    value(ofPropertyNamed: name(of: attribute), as: Number.self) ?? .zero
  }

  /// A truth value; false where nothing is stored.
  public subscript(attribute: KeyPath<Object, Bool>) -> Bool {
    value(ofPropertyNamed: name(of: attribute), as: Bool.self) ?? false
  }

  /// The identity of the object that a to-one relationship leads to.
  public subscript<Target: NSManagedObject>(
    relationship: KeyPath<Object, Target?>
  ) -> NSManagedObjectID? {
    values[name(of: relationship)] as? NSManagedObjectID
  }

  /// The identities of a to-many relationship's objects; nil if they were not known.
  public subscript(relationship: KeyPath<Object, NSSet?>) -> Set<NSManagedObjectID>? {
    values[name(of: relationship)] as? Set<NSManagedObjectID>
  }

  /// The identities of an ordered relationship's objects; nil if they were not known.
  public subscript(relationship: KeyPath<Object, NSOrderedSet?>) -> [NSManagedObjectID]? {
    values[name(of: relationship)] as? [NSManagedObjectID]
  }

  private func name(of keyPath: PartialKeyPath<Object>) -> String {
    guard let name = Object.name(of: keyPath), objectID.layout.slot(named: name) != nil else {
      stop("the key path asked of a snapshot of \(entityName) names no property of the model")
    }
    return name
  }

  private func value<Value>(ofPropertyNamed name: String, as type: Value.Type) -> Value? {
    guard let value = values[name] else { return nil }
    if let slot = objectID.layout.slot(named: name), objectID.layout.kinds[slot] == .transformable,
      let data = value as? Data
    {
      return Transformation(of: objectID.layout, at: slot).object(from: data) as? Value
    }
    // A date may be a property of the class as its number of seconds.
    let seconds = (value as? Date)?.timeIntervalSinceReferenceDate
    return (Value.self == TimeInterval.self ? seconds : nil) as? Value ?? value as? Value
  }
}

// MARK: - Taking

extension KeyValueObservable {
  /// The object's values now, as something that may be sent anywhere.
  ///
  /// Fires a fault (at most one statement), and no relationship's. Belongs to the context's queue.
  public func snapshot() -> ManagedObjectSnapshot<Self> {
    var values: [String: any Sendable] = [:]
    for slot in 0..<layout.propertyCount {
      noteUse(of: slot, .reading)
      if let value = sendableValue(at: slot) { values[layout.slots[slot].name] = value }
    }
    return ManagedObjectSnapshot(objectID: objectID, values: values)
  }
}

extension NSManagedObject {
  fileprivate func sendableValue(at slot: Int) -> (any Sendable)? {
    if isFault { fireFault() }
    switch layout.kinds[slot] {
    case .toOne:
      return target(at: slot)?.objectID
    case .toMany:
      return hasFault(at: slot) ? nil : Set(collection(at: slot).members.map(\.objectID))
    case .orderedToMany:
      return hasFault(at: slot) ? nil : collection(at: slot).members.map(\.objectID)
    case .fetched:
      return nil
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
      .transformable, .composite, .object:
      return sendable(value(at: slot), at: slot)
    }
  }

  private func sendable(_ value: SlotValue, at slot: Int) -> (any Sendable)? {
    switch value {
    case .null, .collection: nil
    case .integer(let integer): sendable(integer, at: slot)
    case .real(let real): sendable(real, at: slot)
    case .text(let text): text
    case .data(let data): data
    case .uuid(let uuid): uuid
    case .url(let url): url
    case .object(let object) where layout.kinds[slot] == .transformable:
      Transformation(of: layout, at: slot).data(from: object)
    case .object(let object): SendableCopy.of(object)
    }
  }

  private func sendable(_ integer: Int64, at slot: Int) -> any Sendable {
    switch layout.slots[slot].attribute?.type {
    case .boolean: integer != 0
    case .integer16: Int16(truncatingIfNeeded: integer)
    case .integer32: Int32(truncatingIfNeeded: integer)
    case _: integer
    }
  }

  private func sendable(_ real: Double, at slot: Int) -> any Sendable {
    switch layout.slots[slot].attribute?.type {
    case .date: Date(timeIntervalSinceReferenceDate: real)
    case .float: Float(real)
    case _: real
    }
  }
}

/// Copies of values that may cross threads.
private enum SendableCopy {
  /// Nil for an object that could change under the reader.
  static func of(_ value: Any) -> (any Sendable)? {
    switch value {
    case let number as NSDecimalNumber: number.decimalValue
    case let number as NSNumber: number
    case let text as String: text
    case let date as Date: date
    case let data as Data: data
    case let uuid as UUID: uuid
    case let url as URL: url
    case let id as NSManagedObjectID: id
    case let dictionary as [String: Any]: dictionary.compactMapValues(of)
    case let list as [Any]: list.compactMap(of)
    case _: nil
    }
  }
}
