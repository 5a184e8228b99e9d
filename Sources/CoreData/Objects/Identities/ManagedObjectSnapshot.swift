import CoreDataModel
public import Foundation

/// The values of a managed object at one moment, for use on other threads and actors.
///
/// ```swift
/// let snapshot = note.snapshot()
/// Task.detached { print(snapshot[\.title] ?? "", snapshot[\.folder]?.uriRepresentation() as Any) }
/// ```
///
/// | Property | Value in the snapshot |
/// | --- | --- |
/// | attribute | `String`, `Int16`, `Date`, `Decimal`, `Data`, `URL` … |
/// | transformable | the `Data` that is stored; by key path, an object restored from it |
/// | to-one relationship | `NSManagedObjectID` |
/// | to-many, unordered and ordered | `Set<NSManagedObjectID>`, `[NSManagedObjectID]`; left out if not loaded |
///
/// Fetched properties are not part of a snapshot, nor are transient attributes of other types.
public struct ManagedObjectSnapshot<Object: NSManagedObject>: Sendable {
  /// The identity of the object, with which another context finds it.
  public let objectID: NSManagedObjectID
  /// The values by property name.
  ///
  /// Properties whose value is `nil` are left out.
  public let values: [String: any Sendable]

  fileprivate init(objectID: NSManagedObjectID, values: [String: any Sendable]) {
    self.objectID = objectID
    self.values = values
  }

  /// The name of the object's entity.
  public var entityName: String { objectID.layout.name }

  /// Returns the value of the property with the given name.
  ///
  /// - Parameter name: The name of a property.
  /// - Returns: The value, or `nil`.
  public subscript(name: String) -> (any Sendable)? { values[name] }
}

// MARK: - By key path

extension ManagedObjectSnapshot {
  /// Returns the value of an attribute.
  ///
  /// The program stops if the key path is not a single property of the model.
  ///
  /// - Parameter attribute: The key path of an optional attribute.
  /// - Returns: The value, or `nil`.
  public subscript<Value>(attribute: KeyPath<Object, Value?>) -> Value? {
    value(ofPropertyNamed: name(of: attribute), as: Value.self)
  }

  /// Returns the value of a numeric attribute.
  ///
  /// - Parameter attribute: The key path of a numeric attribute.
  /// - Returns: The value, or 0 if nothing is stored, as the property itself returns.
  public subscript<Number: Numeric>(attribute: KeyPath<Object, Number>) -> Number {
    value(ofPropertyNamed: name(of: attribute), as: Number.self) ?? .zero
  }

  /// Returns the value of a Boolean attribute.
  ///
  /// - Parameter attribute: The key path of a Boolean attribute.
  /// - Returns: The value, or `false` if nothing is stored.
  public subscript(attribute: KeyPath<Object, Bool>) -> Bool {
    value(ofPropertyNamed: name(of: attribute), as: Bool.self) ?? false
  }

  /// Returns the identity of the object in a to-one relationship.
  ///
  /// - Parameter relationship: The key path of a to-one relationship.
  /// - Returns: The identity, or `nil` if the relationship is empty.
  public subscript<Target: NSManagedObject>(
    relationship: KeyPath<Object, Target?>
  ) -> NSManagedObjectID? {
    values[name(of: relationship)] as? NSManagedObjectID
  }

  /// Returns the identities of the objects in a to-many relationship.
  ///
  /// - Parameter relationship: The key path of an unordered to-many relationship.
  /// - Returns: The identities, or `nil` if the relationship was not loaded.
  public subscript(relationship: KeyPath<Object, NSSet?>) -> Set<NSManagedObjectID>? {
    values[name(of: relationship)] as? Set<NSManagedObjectID>
  }

  /// Returns the identities of the objects in an ordered to-many relationship.
  ///
  /// - Parameter relationship: The key path of an ordered to-many relationship.
  /// - Returns: The identities in order, or `nil` if the relationship was not loaded.
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
  /// Returns the object's current values as a value that can be sent to other threads and actors.
  ///
  /// Fires the object's fault if necessary, with at most one SQL statement. Relationships are not
  /// loaded. Call this method on the context's queue.
  ///
  /// - Returns: The values of the object at this moment.
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
      // A value that no transformer takes cannot be sent; the save reports why.
      try? Transformation(of: layout, at: slot).data(from: object)
    case .object(let composite as CompositeValue):
      SendableCopy.of(composite.dictionary(at: slot, in: layout))
    case .object(let object): SendableCopy.of(object)
    }
  }

  private func sendable(_ integer: Int64, at slot: Int) -> any Sendable {
    switch layout.slots[slot].attributeType {
    case .boolean: integer != 0
    case .integer16: Int16(truncatingIfNeeded: integer)
    case .integer32: Int32(truncatingIfNeeded: integer)
    case .undefined, .integer64, .decimal, .double, .float, .string, .date, .binaryData, .uuid,
      .uri, .transformable, .objectID, .composite, nil:
      integer
    }
  }

  private func sendable(_ real: Double, at slot: Int) -> any Sendable {
    switch layout.slots[slot].attributeType {
    case .date: Date(timeIntervalSinceReferenceDate: real)
    case .float: Float(real)
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .string, .boolean,
      .binaryData, .uuid, .uri, .transformable, .objectID, .composite, nil:
      real
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
