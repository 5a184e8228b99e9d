import CoreDataModel
import CoreDataModelCompiler

/// The spellings of types in classes of SwiftData.
struct SwiftDataTypes {
  private let entityNames: Set<String>

  init(_ schema: ModelSchema) { entityNames = Set(schema.entities.map(\.name)) }

  /// The type of an attribute that has a column of its own, without its question mark.
  func spelling(of attribute: AttributeSchema) -> String {
    switch attribute.type {
    case .integer16: standard("Int16")
    case .integer32: standard("Int32")
    case .integer64: standard("Int")
    case .double: standard("Double")
    case .float: standard("Float")
    case .boolean: standard("Bool")
    case .string: standard("String")
    case .decimal: foundation("Decimal")
    case .date: foundation("Date")
    case .binaryData: foundation("Data")
    case .uuid: foundation("UUID")
    case .uri: foundation("URL")
    case .transformable: TransformableType(attribute).spelling
    case .undefined, .objectID, .composite: foundation("NSObject")
    }
  }

  func standard(_ name: String) -> String { entityNames.contains(name) ? "Swift.\(name)" : name }

  func foundation(_ name: String) -> String {
    entityNames.contains(name) ? "Foundation.\(name)" : name
  }

  /// A macro of SwiftData, which a class of the same name would hide.
  func macro(_ name: String) -> String {
    entityNames.contains(name) ? "@SwiftData.\(name)" : "@\(name)"
  }

  /// A name for the type of a property that no other type has.
  func freeName(for property: String, beside taken: inout Set<String>) -> String {
    let first = property.prefix(1).uppercased() + property.dropFirst()
    var name = first.hasPrefix("_") ? "Value\(first)" : first
    while taken.contains(name) || entityNames.contains(name) || Self.known.contains(name) {
      name += "Value"
    }
    taken.insert(name)
    return name
  }

  private static let known = TransformableType.values.union([
    "Any", "Attribute", "Codable", "Index", "Model", "NSObject", "Protocol", "Relationship",
    "Schema", "Self", "Type", "Unique",
  ])
}

/// The Swift type of a transformable attribute.
struct TransformableType {
  let spelling: String
  /// Whether SwiftData stores the value as JSON, without a transformer.
  let isJSON: Bool
  /// A class or a type that is not in the model.
  let missing: String?

  init(_ attribute: AttributeSchema) {
    let name = (attribute.customClassName ?? "").drop { $0 == "." }
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    let isKnown =
      words.allSatisfy { Self.values.contains($0) || Self.classes.contains($0) }
      && name.allSatisfy { $0.isLetter || $0.isNumber || "_.<>[]:?, ".contains($0) }
    let usesArchive = ["", "NSSecureUnarchiveFromData"].contains(
      attribute.valueTransformerName ?? ""
    )
    let isCollection = ["Array<", "Set<", "Dictionary<"].contains { name.hasPrefix($0) }
    switch (words.isEmpty, isKnown) {
    case (true, _): (spelling, isJSON, missing) = ("NSObject", false, nil)
    case (_, true):
      (spelling, isJSON, missing) = (Self.short(name), isCollection && usesArchive, nil)
    case (_, false) where isCollection || name.contains { !$0.isLetter && !"._".contains($0) }:
      (spelling, isJSON, missing) = (isCollection ? "NSData" : "NSObject", false, String(name))
    case (_, false):
      let own = words.last.flatMap { SwiftName($0).isIdentifier ? $0 : nil }
      (spelling, isJSON, missing) = (own ?? "NSObject", false, own ?? String(name))
    }
  }

  /// `[Data]` for `Array<Data>`.
  private static func short(_ name: Substring) -> String {
    guard name.hasPrefix("Array<"), name.hasSuffix(">") else { return String(name) }
    return "[\(short(name.dropFirst(6).dropLast()))]"
  }

  /// Whether the spelling is a name that has to be declared.
  var needsDeclaration: Bool { missing == spelling }

  static let values: Set<String> = [
    "Array", "Bool", "Data", "Date", "Decimal", "Dictionary", "Double", "Float", "Int", "Int16",
    "Int32", "Int64", "Int8", "Optional", "Set", "String", "UInt", "UInt16", "UInt32", "UInt64",
    "UInt8", "URL", "UUID",
  ]

  private static let classes: Set<String> = [
    "NSArray", "NSAttributedString", "NSData", "NSDate", "NSDateComponents", "NSDecimalNumber",
    "NSDictionary", "NSLocale", "NSMutableArray", "NSMutableAttributedString",
    "NSMutableDictionary", "NSMutableSet", "NSNumber", "NSObject", "NSOrderedSet", "NSSet",
    "NSString", "NSTimeZone", "NSURL", "NSUUID",
  ]
}
