import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// A value as somebody writes it behind a key, made into what the property holds.
///
/// ```
/// title=Shopping   stars=5   isFavourite=yes   created=2024-05-10   folder=Folder/p1   text=nil
/// place.latitude=47.5
/// ```
struct WrittenValue {
  /// The name of a property, or the path to an element of a composite attribute.
  let key: String
  private let value: Value
  /// The type of an attribute.
  private let type: AttributeType?

  private enum Value {
    case nothing
    case attribute(Any)
    case object(NSManagedObjectID)

    var asStored: Self {
      guard case .attribute(let number as NSDecimalNumber) = self else { return self }
      return .attribute(number.asStored)
    }
  }

  /// A value `asStored` is rounded to the digits that the file of a store keeps.
  init(
    _ text: String,
    for key: String,
    of entity: String,
    _ constants: TypedConstants,
    asStored: Bool = false
  ) throws {
    self.key = key
    let place = "\(entity).\(key)"
    switch constants.schema.property(key, of: entity) {
    case .attribute(let attribute)?:
      value = try Self.value(text, attribute, at: key, of: entity, asStored: asStored)
      type = attribute.type
    case .relationship(let relationship)? where relationship.isToMany:
      throw Refusal(
        "\(place) is a to-many relationship; set the to-one relationship at its other end"
      )
    case .relationship(let relationship)?:
      value =
        text == "nil"
        ? .nothing : .object(try constants.identity(text, relationship.destinationName, place))
      type = nil
    case .fetched?:
      throw Refusal("\(place) is a fetched property and cannot be set")
    case nil:
      if let element = try constants.schema.element(at: key, of: entity) {
        value = try Self.value(text, element, at: key, of: entity, asStored: asStored)
        type = element.type
        return
      }
      let names = constants.schema.entityChain(of: entity).flatMap(\.propertyNames)
      throw Refusal("\(entity) has no property '\(key)'\(Spelling.question(key, among: names))")
    }
  }

  /// A value of an element of a composite attribute.
  init(_ text: String, for element: AttributeSchema, at place: String) throws {
    key = element.name
    value = try Self.value(text, element, place)
    type = element.type
  }

  private static func value(
    _ text: String,
    _ attribute: AttributeSchema,
    at path: String,
    of entity: String,
    asStored: Bool
  ) throws -> Value {
    let place = "\(entity).\(path)"
    if attribute.type == .composite, !attribute.isTransient, text != "nil" {
      throw Refusal(
        "\(place) is a composite attribute; name one of its elements, "
          + attribute.elementPaths(behind: path)
      )
    }
    let written = try Self.value(text, attribute, place)
    return asStored ? written.asStored : written
  }

  private static func value(
    _ text: String,
    _ attribute: AttributeSchema,
    _ place: String
  ) throws -> Value {
    if attribute.derivationExpression != nil {
      throw Refusal("\(place) is derived from other values; set those")
    }
    if attribute.isTransient { throw Refusal("\(place) is transient, and is not stored") }
    if text == "nil" { return .nothing }
    guard let form = PlainValue.form(of: attribute.type) else {
      throw Refusal(
        "\(place) has the type \(attribute.type.word), whose values cannot be written as text"
      )
    }
    guard let value = PlainValue(text, attribute.type)?.boxed else {
      throw Refusal("\(place) is \(form); '\(text.cut(to: 60))' is not")
    }
    return .attribute(value)
  }
}

extension NSDecimalNumber {
  /// With the digits that SQLite keeps: all of a whole number of 64 bits, and 15 of others.
  fileprivate var asStored: NSDecimalNumber {
    if Int64(decimalValue.description) != nil { return self }
    let digits = String(format: "%.15g", doubleValue)
    return Decimal(string: digits).map { NSDecimalNumber(decimal: $0) } ?? self
  }
}

// MARK: - Setting

/// One value of one object that would be another.
struct ValueChange {
  let object: String
  let key: String
  let old: ShownCell
  let new: ShownCell

  /// As in "Note/p3.title: Shoping → Shopping".
  var line: String {
    let texts = [old, new].map { cell -> String in
      if case .nothing = cell { return "nothing" }
      let text = cell.inTable.inOneLine.cut(to: 60)
      return text.isEmpty ? "\"\"" : text
    }
    return "\(object).\(key): \(texts[0]) → \(texts[1])"
  }

  var json: JSONValue {
    ["object": .text(object), "key": .text(key), "old": old.inJSON, "new": new.inJSON]
  }
}

extension WrittenValue {
  /// Nil where the object has that value already.
  func change(of object: NSManagedObject) -> ValueChange? {
    let current = isPath ? object.value(forKeyPath: key) : object.value(forKey: key)
    let isSame =
      switch value {
      case .nothing: current == nil
      case .attribute(let wanted):
        (current as? NSObject)?.isEqual(wanted) ?? false || same(current, wanted)
      case .object(let wanted): (current as? NSManagedObject)?.objectID == wanted
      }
    if isSame { return nil }
    return ValueChange(
      object: object.objectID.words,
      key: key,
      old: cell(of: current),
      new: cell
    )
  }

  private func same(_ current: Any?, _ wanted: Any) -> Bool {
    guard let current = current as? AnyHashable, let wanted = wanted as? AnyHashable else {
      return false
    }
    return current == wanted
  }

  private func cell(of value: Any?) -> ShownCell {
    if let object = value as? NSManagedObject { return .text(object.objectID.words) }
    return value.map { ShownCell($0, of: type) } ?? .nothing
  }

  private var cell: ShownCell {
    switch value {
    case .nothing: .nothing
    case .attribute(let value): ShownCell(value, of: type)
    case .object(let id): .text(id.words)
    }
  }

  /// The value as a batch insertion takes it.
  var batchValue: Any {
    switch value {
    case .nothing: NSNull()
    case .attribute(let value): value
    case .object(let id): id
    }
  }

  func set(on object: NSManagedObject) throws {
    switch value {
    case .nothing: set(nil, on: object)
    case .attribute(let value): set(value, on: object)
    case .object(let id):
      guard let context = object.managedObjectContext else { return }
      object.setValue(try target(id, in: context), forKey: key)
    }
  }

  /// The object that a relationship is to lead to; one that is not there is told here, and not by the save.
  private func target(
    _ id: NSManagedObjectID,
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    do {
      return try context.existingObject(with: id)
    } catch let error as CocoaError where error.code == .managedObjectReferentialIntegrity {
      throw Refusal("\(key): the store has no object \(id.words)")
    } catch {
      return try refusing { throw error }
    }
  }

  private func set(_ value: Any?, on object: NSManagedObject) {
    guard isPath else {
      object.setValue(value, forKey: key)
      return
    }
    object.setValue(value, forKeyPath: key)
  }

  private var isPath: Bool { key.contains(".") }
}

extension NSManagedObjectID {
  /// `Note/p3`, the end of the URI.
  var words: String {
    uriRepresentation().pathComponents.suffix(2).joined(separator: "/")
  }
}
