/// The types of the standard library, of Foundation and of this package that a property may have.
///
/// A test compares the table with the compiler's names.
enum KnownTypes {
  static func type(named name: String) -> SymbolType? {
    if let letter = letters[name] { return .standard(letter) }
    if integers.contains(name) { return .swift(name) }
    if essentials.contains(name) { return .essentials(name) }
    if let type = others[name] { return type }
    if coreData.contains(name) {
      return .nominal(SymbolNominal(kind: .class, name: name, context: .module("CoreData")))
    }
    if protocols[name] != nil { return protocols[name].map(SymbolType.existential) }
    return name.hasPrefix("NS") && !absent.contains(name) ? .foundation(name) : nil
  }

  static let letters: [String: Character] = [
    "String": "S", "Int": "i", "UInt": "u", "Double": "d", "Float": "f", "Bool": "b",
    "Character": "J",
    "Substring": "s", "TimeInterval": "d", "Float64": "d", "Float32": "f",
  ]

  /// Collections by the number of their arguments.
  static let collections: [String: (letter: Character, arguments: Int)] = [
    "Array": ("a", 1), "Set": ("h", 1), "Dictionary": ("D", 2), "Range": ("n", 1),
    "ClosedRange": ("N", 1),
  ]

  static let integers: Set<String> = [
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "AnyHashable",
    "Duration",
  ]

  static let essentials: Set<String> = [
    "AttributedString", "Calendar", "Data", "Date", "DateComponents", "DateInterval", "Decimal",
    "IndexPath", "Locale", "TimeZone", "URL", "URLComponents", "URLQueryItem", "UUID",
  ]

  static let others: [String: SymbolType] = [
    "Any": .any, "AnyObject": .anyObject,
    "IndexSet": structure("IndexSet"), "CharacterSet": structure("CharacterSet"),
    "Notification": structure("Notification"), "CGFloat": structure("CGFloat"),
    "CGPoint": structure("CGPoint"), "CGSize": structure("CGSize"), "CGRect": structure("CGRect"),
    "PersonNameComponents": structure("PersonNameComponents"),
    "AffineTransform": structure("AffineTransform"),
    "Unit": .foundation("Unit"), "Dimension": .foundation("Dimension"),
  ]

  static let coreData: Set<String> = [
    "NSManagedObject", "NSManagedObjectID", "NSManagedObjectContext", "NSEntityDescription",
    "NSManagedObjectModel", "NSPersistentStore",
  ]

  static let protocols: [String: SymbolProtocol] = [
    "NSCoding": foundation("NSCoding"), "NSSecureCoding": foundation("NSSecureCoding"),
    "NSCopying": foundation("NSCopying"), "Hashable": .standard("H"),
  ]

  /// Names that begin as Foundation's classes do and are something else, or not there.
  static let absent: Set<String> = [
    "NSExpression", "NSFetchRequest", "NSFetchRequestResult", "NSMutableSet", "NSMutableOrderedSet",
    "NSPoint", "NSRange",
    "NSRect", "NSSize", "NSColor", "NSImage", "NSBezierPath", "NSFont", "NSPersistentContainer",
    "NSFetchedResultsController", "NSUnderlyingErrorKey", "NSZone",
  ]

  private static func structure(_ name: String) -> SymbolType {
    .nominal(SymbolNominal(kind: .struct, name: name, context: .module("Foundation")))
  }

  private static func foundation(_ name: String) -> SymbolProtocol {
    .nominal(SymbolNominal(kind: .protocol, name: name, context: .module("Foundation")))
  }
}
