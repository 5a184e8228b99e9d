import CoreDataModel
import Foundation

// MARK: - Values for key-value coding

extension NSManagedObject {
  /// The value in a slot as key-value coding gives it: numbers as `NSNumber`, dates as `Date`, a
  /// to-many relationship as a set.
  func boxedValue(at slot: Int) -> Any? {
    switch layout.kinds[slot] {
    case .toMany, .orderedToMany:
      let collection = loadedCollection(at: slot)
      return collection.isOrdered ? collection.orderedFace : collection.unorderedFace
    case .text: return text(at: slot)
    case .date: return optionalReal(at: slot).map(Date.init(timeIntervalSinceReferenceDate:))
    case .integer, .boolean, .real, .decimal, .uri, .uuid, .data, .externalData, .transformable,
      .composite, .object, .toOne, .fetched:
      return box(value(at: slot), at: slot)
    }
  }

  func box(_ value: SlotValue, at slot: Int) -> Any? { value.boxed(at: slot, in: layout) }
}

extension SlotValue {
  /// The value as key-value coding gives it.
  func boxed(at slot: Int, in layout: EntityLayout) -> Any? {
    switch self {
    case .null: return nil
    case .integer(let integer): return BoxedNumber.of(integer, layout.slots[slot].attributeType)
    case .real(let real): return Self.number(real, layout.slots[slot].attributeType)
    case .text(let text): return text
    case .data(let data): return data
    case .uuid(let uuid): return uuid
    case .url(let url): return url
    case .object(let composite as CompositeValue):
      return composite.dictionary(at: slot, in: layout)
    case .object(let list as NSArray) where layout.kinds[slot] == .fetched:
      return list.map { $0 }
    case .object(let object): return object
    case .collection(let collection):
      return collection.isOrdered ? collection.orderedFace : collection.unorderedFace
    }
  }

  private static func number(_ real: Double, _ type: AttributeType?) -> Any {
    switch type {
    case .date: Date(timeIntervalSinceReferenceDate: real)
    case .float: NSNumber(value: Float(real))
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .string, .boolean,
      .binaryData, .uuid, .uri, .transformable, .objectID, .composite, nil:
      NSNumber(value: real)
    }
  }
}

// MARK: - Values from key-value coding

extension NSManagedObject {
  /// A value for a slot; stops the program if the attribute cannot take it.
  func slotValue(boxing value: Any?, at slot: Int) -> SlotValue {
    guard let value = SlotValue.unwrapped(value) else { return .null }
    guard let taken = accepted(value, at: slot) ?? layout.truncated(value, at: slot) else {
      stop(
        """
        \(layout.name).\(layout.slots[slot].name) takes \(expectation(at: slot)), \
        not the \(type(of: value)) \(value)
        """
      )
    }
    return taken
  }

  /// The value as the slot holds it; nil when its type does not fit.
  func accepted(_ value: Any, at slot: Int) -> SlotValue? { layout.accepted(value, at: slot) }

  func expectation(at slot: Int) -> String { layout.expectation(at: slot) }
}

extension EntityLayout {
  /// The value as the slot holds it; nil when its type does not fit.
  func accepted(_ value: Any, at slot: Int) -> SlotValue? {
    switch slots[slot].kind {
    case .integer: integer(value, for: slots[slot].attributeType)
    case .boolean: boolean(value)
    case .real: real(value, for: slots[slot].attributeType)
    case .date: (value as? Date).map { .real($0.timeIntervalSinceReferenceDate) }
    case .decimal: decimal(value)
    case .text: (value as? String).map(SlotValue.text)
    case .uri: (value as? URL).map(SlotValue.url)
    case .uuid: (value as? UUID).map(SlotValue.uuid)
    case .data, .externalData: (value as? Data).map(SlotValue.data)
    case .composite: CompositeValue.of(value, at: slot, in: self)
    case .transformable, .object: .object(value as AnyObject)
    case .toOne: (value as? NSManagedObject).map(SlotValue.object)
    case .toMany, .orderedToMany, .fetched: nil
    }
  }

  private func boolean(_ value: Any) -> SlotValue? {
    switch value {
    case let value as Bool: .integer(value ? 1 : 0)
    case let number as NSNumber: .integer(number.boolValue ? 1 : 0)
    case _: WholeNumber.of(value).map { .integer($0 == 0 ? 0 : 1) }
    }
  }

  private func integer(_ value: Any, for type: AttributeType?) -> SlotValue? {
    guard let integer = WholeNumber.of(value) else { return nil }
    let fits =
      switch type {
      case .integer16: Int16(exactly: integer) != nil
      case .integer32: Int32(exactly: integer) != nil
      case .undefined, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .binaryData, .uuid, .uri, .transformable, .objectID, .composite, nil:
        true
      }
    return fits ? .integer(integer) : nil
  }

  /// Returns the whole part of a number for an integer attribute, as `NSNumber.int64Value` gives it, or a dictionary
  /// with such numbers for the elements of a composite one; `nil` if the value is not a number, or does not fit.
  ///
  /// Only key-value coding takes such numbers. Batches and migrations refuse them, because nobody would see the loss.
  func truncated(_ value: Any, at slot: Int) -> SlotValue? {
    if slots[slot].kind == .composite {
      return CompositeValue.of(value, at: slot, in: self, cutsFractions: true)
    }
    guard slots[slot].kind == .integer, case .real(let number)? = real(value, for: nil),
      let whole = Int64(exactly: number.rounded(.towardZero))
    else { return nil }
    return integer(whole, for: slots[slot].attributeType)
  }

  private func real(_ value: Any, for type: AttributeType?) -> SlotValue? {
    let real: Double? =
      switch value {
      case let double as Double: double
      case let float as Float: Double(float)
      case let decimal as Decimal: NSDecimalNumber(decimal: decimal).doubleValue
      case let number as NSNumber: number.doubleValue
      case _: WholeNumber.of(value).map(Double.init)
      }
    guard let real else { return nil }
    return .real(type == .float ? Double(Float(real)) : real)
  }

  private func decimal(_ value: Any) -> SlotValue? {
    switch value {
    case let number as NSDecimalNumber: .object(number)
    case let decimal as Decimal: .object(NSDecimalNumber(decimal: decimal))
    case let number as NSNumber: .object(NSDecimalNumber(decimal: number.decimalValue))
    case let double as Double: .object(NSDecimalNumber(decimal: Decimal(double)))
    case _: WholeNumber.of(value).map { .object(NSDecimalNumber(decimal: Decimal($0))) }
    }
  }

  func expectation(at slot: Int) -> String {
    switch slots[slot].property {
    case .attribute where slots[slot].kind == .composite:
      "a dictionary of "
        + slots[slot].elements.map { self.slots[$0.slot].name }
        .joined(separator: ", ")
    case .attribute(let attribute): "a value of type \(attribute.type.word)"
    case .relationship(let relationship): "objects of \(relationship.destinationName)"
    case .fetched, nil: "no value"
    }
  }
}

/// Whole numbers in any of the types in which they come.
private enum WholeNumber {
  static func of(_ value: Any) -> Int64? {
    switch value {
    case let value as any BinaryInteger: Int64(exactly: value)
    case let value as Bool: value ? 1 : 0
    case let value as NSNumber: of(value)
    case _: nil
    }
  }

  private static func of(_ number: NSNumber) -> Int64? {
    let isReal = ["d", "f"].contains(String(cString: number.objCType))
    return isReal ? Int64(exactly: number.doubleValue) : number.int64Value
  }
}
