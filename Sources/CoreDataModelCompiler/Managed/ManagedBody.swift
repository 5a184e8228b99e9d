import CoreDataModel

/// How an accessor gets at its value, chosen by the type of the property and by the model, if it is known.
struct ManagedBody: Hashable {
  let getter: String
  let setter: String

  /// - Parameters:
  ///   - type: The property's type.
  ///   - spelling: The type as code names it.
  ///   - slot: The expression that names the property's slot.
  ///   - property: The property in the model; nil if the class or the property is not in it.
  init(of type: SymbolType, spelled spelling: String, slot: String, property: PropertySchema?) {
    let place = "self[\(Self.label(for: type, property)): \(slot)]"
    if let collection = Self.collection(type, property) {
      let place = "self[\(collection.label): \(slot)].\(collection.member)"
      getter = collection.isOptional ? place : "\(place) ?? \(collection.empty)"
      setter = "\(place) = value"
    } else if place.hasPrefix("self[slot"), type.isNumber {
      (getter, setter) = (place, "\(place) = value")
    } else if case .optional = type {
      (getter, setter) = (place, "\(place) = value")
    } else {
      let absent = type.fallback ?? "required(value, \(slot))"
      getter =
        "let value: (\(spelling))? = \(place); return \(Self.orElse(absent, isCall: type.fallback == nil))"
      setter = "\(place) = value as (\(spelling))?"
    }
  }

  /// The value, or its replacement; a call has the value among its arguments.
  private static func orElse(_ absent: String, isCall: Bool) -> String {
    isCall ? absent : "value ?? \(absent)"
  }

  private struct Collection {
    let label: String
    let member: String
    let empty: String
    let isOptional: Bool
  }

  /// A relationship that the model has, declared with its own class.
  private static func collection(_ type: SymbolType, _ property: PropertySchema?) -> Collection? {
    guard case .relationship(let relationship) = property, relationship.isToMany else { return nil }
    let (wrapped, isOptional) =
      if case .optional(let wrapped) = type { (wrapped, true) } else { (type, false) }
    let (label, member, name) =
      relationship.isOrdered
      ? ("ordered", "orderedSet", "NSOrderedSet") : ("toMany", "set", "NSSet")
    guard wrapped == .foundation(name) else { return nil }
    return Collection(label: label, member: member, empty: "\(name)()", isOptional: isOptional)
  }

  /// An accessor such as `primitiveTitle`, for the property `title`.
  init(primitive key: String, _ type: SymbolType, spelled spelling: String) {
    let value = "managedPrimitive(\(key.debugDescription))"
    setter = "setPrimitiveValue(value, forKey: \(key.debugDescription))"
    if case .optional = type {
      getter = value
    } else {
      let absent = type.fallback ?? "required(value, ManagedSlot(\(key.debugDescription)))"
      getter =
        "let value: (\(spelling))? = \(value); return \(Self.orElse(absent, isCall: type.fallback == nil))"
    }
  }

  /// The subscript that is fast where the model proves that the type is the attribute's own; for a type that
  /// others convert to, the one that the compiler cannot exchange for that of another type.
  private static func label(for type: SymbolType, _ property: PropertySchema?) -> String {
    let wrapped = if case .optional(let wrapped) = type { wrapped } else { type }
    if wrapped.includesOtherTypes { return "exactly" }
    guard case .attribute(let attribute) = property else { return "managed" }
    let own: [SymbolType] =
      switch attribute.type {
      case .integer16: type.isNumber ? [.swift("Int16")] : []
      case .integer32: type.isNumber ? [.swift("Int32")] : []
      case .integer64: type.isNumber ? [.swift("Int64"), .standard("i")] : []
      case .double: type.isNumber ? [.double] : []
      case .float: type.isNumber ? [.standard("f")] : []
      case .boolean: type.isNumber ? [.bool] : []
      case .string: [.string]
      case .date: [.essentials("Date")]
      case .binaryData: [.essentials("Data")]
      case .uuid: [.essentials("UUID")]
      case .uri: [.essentials("URL")]
      case .decimal, .undefined, .transformable, .objectID, .composite: []
      }
    return own.contains(wrapped) ? "slot" : "managed"
  }
}

extension SymbolType {
  /// Whether it is a number that is never nil.
  var isNumber: Bool {
    switch self {
    case .standard(let letter): "idfb".contains(letter)
    case .nominal(let nominal):
      ["Int16", "Int32", "Int64"].contains(nominal.name) && nominal.module == "Swift"
    case .generic, .optional, .existential, .any, .anyObject: false
    }
  }

  /// Whether the compiler makes values of other types this type, as it does with a `Double?` where an `Any?`
  /// is asked for.
  fileprivate var includesOtherTypes: Bool {
    switch self {
    case .any, .anyObject, .existential: true
    case .nominal: self == .foundation("NSObject") || self == .swift("AnyHashable")
    case .generic(_, let arguments): arguments.contains(where: \.includesOtherTypes)
    case .optional(let wrapped): wrapped.includesOtherTypes
    case .standard: false
    }
  }

  /// The value that replaces `nil` if a property is not optional, as Apple's bridging has it.
  fileprivate var fallback: String? {
    switch self {
    case .standard("b"): "false"
    case .standard("S"): "\"\""
    case .standard("i"), .standard("d"), .standard("f"), .standard("u"): "0"
    case .generic(.standard("a"), _), .generic(.standard("h"), _): "[]"
    case .generic(.standard("D"), _): "[:]"
    case .nominal(let nominal) where nominal.module == "Swift" && nominal.name.contains("Int"): "0"
    case .essentials("Data"): "Data()"
    case .essentials("Decimal"): "0"
    case .foundation("NSSet"): "NSSet()"
    case .foundation("NSOrderedSet"): "NSOrderedSet()"
    case .standard, .generic, .nominal, .optional, .existential, .any, .anyObject: nil
    }
  }
}

extension SymbolType {
  static func ~= (one: Self, other: Self) -> Bool { one == other }
}
