package import CoreDataModel

/// One place for a value in an entity's objects or rows.
package final class Slot: Sendable {
  /// The property; nil for a hidden slot.
  package let property: PropertySchema?
  package let hidden: HiddenSlot?
  package let kind: SlotKind
  /// Whether the value outlives the process: false for transient and fetched properties.
  package let isPersistent: Bool
  /// Whether saving computes the value.
  package let isDerived: Bool
  /// The type of an attribute; nil for all else.
  package let attributeType: AttributeType?
  /// Whether the members of a relationship have an order.
  package let isOrdered: Bool
  /// Where a relationship leads.
  package let end: RelationshipTarget?
  /// The elements of a composite attribute, each with a hidden slot.
  package let elements: [CompositeElement]
  /// The property's name, of an element with that of its attribute before it; empty for other hidden
  /// slots.
  package let name: String

  init(_ property: PropertySchema) {
    (end, elements) = (nil, [])
    self.property = property
    hidden = nil
    kind = SlotKind(property)
    isPersistent = property.isPersistent
    isDerived = property.isDerived
    name = property.name
    (attributeType, isOrdered) = Self.traits(of: property)
  }

  /// The hidden slot of an element of a composite attribute.
  init(_ hidden: HiddenSlot, _ element: AttributeSchema, named name: String) {
    let property = PropertySchema.attribute(element)
    (end, elements) = (nil, [])
    self.property = property
    self.hidden = hidden
    kind = SlotKind(element.type)
    isPersistent = property.isPersistent
    isDerived = property.isDerived
    self.name = name
    (attributeType, isOrdered) = Self.traits(of: property)
  }

  init(_ hidden: HiddenSlot) {
    property = nil
    self.hidden = hidden
    kind = .integer
    isPersistent = true
    isDerived = false
    name = ""
    (attributeType, isOrdered) = (nil, false)
    (end, elements) = (nil, [])
  }

  private init(
    _ slot: Slot,
    leadingTo end: RelationshipTarget?,
    elements: [CompositeElement]
  ) {
    property = slot.property
    hidden = slot.hidden
    kind = slot.kind
    isPersistent = slot.isPersistent
    isDerived = slot.isDerived
    attributeType = slot.attributeType
    isOrdered = slot.isOrdered
    name = slot.name
    self.end = end
    self.elements = elements
  }

  /// The slot of a relationship, once its destination is known.
  func leading(to end: RelationshipTarget) -> Slot { Slot(self, leadingTo: end, elements: []) }

  /// The slot of a composite attribute, when its elements have theirs.
  func having(_ elements: [CompositeElement]) -> Slot {
    Slot(self, leadingTo: nil, elements: elements)
  }

  private static func traits(of property: PropertySchema) -> (AttributeType?, isOrdered: Bool) {
    switch property {
    case .attribute(let attribute): (attribute.type, false)
    case .relationship(let relationship): (nil, relationship.isOrdered)
    case .fetched: (nil, false)
    }
  }

  package var relationship: RelationshipSchema? {
    if case .relationship(let relationship) = property { relationship } else { nil }
  }

  package var attribute: AttributeSchema? {
    if case .attribute(let attribute) = property { attribute } else { nil }
  }
}

/// How a slot's value is kept.
package enum SlotKind: Sendable {
  /// Integers of every width and the keys and places of hidden slots.
  case integer
  case boolean
  case real
  /// Seconds since 1 January 2001.
  case date
  case decimal
  case text
  case uri
  case uuid
  case data
  /// Bytes that may be in a file beside the store; the first byte says where they are.
  case externalData
  /// An object that a value transformer turns into data.
  case transformable
  /// A dictionary of other values.
  case composite
  /// An object that is never stored.
  case object
  case toOne
  case toMany
  case orderedToMany
  case fetched

  init(_ property: PropertySchema) {
    switch property {
    case .attribute(let attribute):
      let isExternal = attribute.allowsExternalBinaryDataStorage && attribute.type == .binaryData
      self = isExternal ? .externalData : SlotKind(attribute.type)
    case .relationship(let relationship):
      self = !relationship.isToMany ? .toOne : relationship.isOrdered ? .orderedToMany : .toMany
    case .fetched:
      self = .fetched
    }
  }

  init(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64: self = .integer
    case .boolean: self = .boolean
    case .double, .float: self = .real
    case .date: self = .date
    case .decimal: self = .decimal
    case .string: self = .text
    case .uri: self = .uri
    case .uuid: self = .uuid
    case .binaryData: self = .data
    case .transformable: self = .transformable
    case .composite: self = .composite
    case .undefined, .objectID: self = .object
    }
  }

  var isToMany: Bool { self == .toMany || self == .orderedToMany }
  var isRelationship: Bool { self == .toOne || isToMany }

  /// Whether its values are numbers, which all take the same room in a row.
  var isNumber: Bool {
    switch self {
    case .integer, .boolean, .real, .date: true
    case .decimal, .text, .uri, .uuid, .data, .externalData, .transformable, .composite, .object,
      .toOne, .toMany, .orderedToMany, .fetched:
      false
    }
  }
}

/// Values that a row keeps besides the entity's properties.
package enum HiddenSlot: Hashable, Sendable {
  /// The number of the entity that a to-one relationship leads to, when it may be one of several.
  case destinationEntity(of: Int)
  /// This object's place in the ordered relationship that is the inverse of a to-one.
  case order(in: Int)
  /// The key of the object that has this one in a to-many relationship without an inverse.
  case foreignKey(entity: Int32, slot: Int)
  case foreignOrder(of: Int)
  /// An element of a composite attribute, by its place among them.
  case element(of: Int, index: Int)

  /// Whether it belongs to another object's relationship.
  var isForeign: Bool {
    switch self {
    case .destinationEntity, .order, .element: false
    case .foreignKey, .foreignOrder: true
    }
  }
}

/// Where a relationship leads.
package struct RelationshipTarget: Sendable {
  /// The number of the destination entity.
  package let destination: Int32
  package let isOrdered: Bool
  /// The slot of the relationship back, in the destination's objects.
  package internal(set) var inverse: Int?
  /// A to-one's hidden slots, in the own row.
  package internal(set) var entitySlot: Int?
  package internal(set) var orderSlot: Int?
}

extension PropertySchema {
  fileprivate var isPersistent: Bool {
    switch self {
    case .attribute(let attribute): !attribute.isTransient && attribute.type != .undefined
    case .relationship(let relationship): !relationship.isTransient
    case .fetched: false
    }
  }

  fileprivate var isDerived: Bool {
    guard case .attribute(let attribute) = self else { return false }
    return attribute.derivationExpression != nil
  }
}
