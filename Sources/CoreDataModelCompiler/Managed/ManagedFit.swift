import CoreDataModel

/// Whether the type that a class declares for a property can hold what the model says of it.
enum ManagedFit {
  /// The problem, as the end of a sentence; `nil` if there is none.
  static func problem(
    _ type: SymbolType,
    spelled spelling: String,
    with property: PropertySchema
  ) -> String? {
    let wrapped = if case .optional(let wrapped) = type { wrapped } else { type }
    guard wrapped != .any, wrapped != .anyObject else { return nil }
    return switch property {
    case .attribute(let attribute): problem(wrapped, spelling, attribute)
    case .relationship(let relationship): problem(wrapped, spelling, relationship)
    case .fetched: problem(fetched: wrapped, spelling)
    }
  }

  private static func problem(
    _ type: SymbolType,
    _ spelling: String,
    _ attribute: AttributeSchema
  ) -> String? {
    guard let takes = takes(attribute.type), !type.isDeclaredByProgram else { return nil }
    guard !takes.contains(where: { KnownTypes.type(named: $0) == type }) else { return nil }
    return """
      the model has it as \(attribute.type.word), which '\(spelling)' cannot hold; declare it as \
      \(takes[0])
      """
  }

  /// The types that hold an attribute; nil for all.
  private static func takes(_ type: AttributeType) -> [String]? {
    switch type {
    case .integer16:
      ["Int16", "Int32", "Int64", "Int", "NSNumber", "Int8", "UInt8", "UInt16", "Bool"]
    case .integer32: ["Int32", "Int64", "Int16", "Int", "NSNumber", "UInt16", "UInt32"]
    case .integer64: ["Int64", "Int", "Int32", "Int16", "NSNumber", "UInt", "UInt32", "UInt64"]
    case .double: ["Double", "Float", "NSNumber"]
    case .float: ["Float", "Double", "NSNumber"]
    case .decimal: ["NSDecimalNumber", "Decimal", "NSNumber"]
    case .boolean: ["Bool", "NSNumber"]
    case .string: ["String", "NSString"]
    case .date: ["Date", "NSDate", "Double"]
    case .binaryData: ["Data", "NSData"]
    case .uuid: ["UUID", "NSUUID"]
    case .uri: ["URL", "NSURL"]
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }

  private static func problem(
    _ type: SymbolType,
    _ spelling: String,
    _ relationship: RelationshipSchema
  ) -> String? {
    guard relationship.isToMany else {
      return type.isDeclaredByProgram || type == KnownTypes.type(named: "NSManagedObject")
        ? nil
        : "the model has it as a relationship to '\(relationship.destinationName)', which '\(spelling)' cannot hold; declare it as the class of that entity"
    }
    let own = relationship.isOrdered ? "NSOrderedSet" : "NSSet"
    if type == .foundation(own) { return nil }
    if !relationship.isOrdered, case .generic(.standard("h"), _) = type { return nil }
    return """
      the model has it as \(relationship.isOrdered ? "an ordered" : "a") to-many relationship, which \
      '\(spelling)' cannot hold; declare it as \(own)\(relationship.isOrdered ? "" : " or Set<…>")
      """
  }

  private static func problem(fetched type: SymbolType, _ spelling: String) -> String? {
    if type == .foundation("NSArray") { return nil }
    if case .generic(.standard("a"), _) = type { return nil }
    return
      "the model has it as a fetched property, which '\(spelling)' cannot hold; declare it as an array"
  }
}

extension SymbolType {
  /// Whether the type is the program's: one with raw values, a class of objects, an alias' end.
  fileprivate var isDeclaredByProgram: Bool {
    guard case .nominal(let nominal) = self else { return false }
    return !["Swift", "Foundation", "FoundationEssentials", "CoreData"].contains(nominal.module)
  }
}
