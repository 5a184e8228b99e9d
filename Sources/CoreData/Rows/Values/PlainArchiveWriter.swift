import CoreDataModel
import Foundation

/// Archives texts, numbers, dates, data, addresses, identities and collections of them.
///
/// Foundation's archiver stops the program at decimal numbers, and takes `true` and 1 in a list for the
/// same number. It is asked only for classes of the program. The same value gives the same bytes, whatever
/// the order of a dictionary or a set is.
struct PlainArchiveWriter {
  private var builder = ArchiveBuilder()
  private let allowed: [AnyClass]
  /// How deep collections may be nested; the reader accepts no more.
  private static let greatestDepth = 390

  /// Why a value is not archived here.
  enum Refusal: Error, Equatable {
    /// An object has a class that is not one of these.
    case unknownClass
    /// An object has a class that the caller does not want.
    case unwantedClass
    /// Collections are nested so deep that nobody would read them again.
    case tooDeep
  }

  /// Returns the archive of an object, if it and all in it are of the classes that are wanted.
  static func data(of value: NSObject, allowing classes: [AnyClass]) throws(Refusal) -> Data {
    var writer = PlainArchiveWriter(allowed: classes)
    let root = try writer.reference(to: value, depth: 0)
    return writer.builder.data(root: root)
  }

  private init(allowed: [AnyClass]) {
    self.allowed = allowed
  }

  private mutating func reference(
    to value: NSObject,
    depth: Int
  ) throws(Refusal) -> PropertyListValue {
    guard allowed.contains(where: { value.isKind(of: $0) }) else { throw .unwantedClass }
    switch value {
    case let text as NSString: return reference(to: text)
    case let number as NSNumber: return reference(to: number)
    case let date as NSDate:
      let seconds = date.timeIntervalSinceReferenceDate
      return builder.object("NSDate", ["NS.time": .real(seconds)])
    case let data as NSData:
      return type(of: data) == NSMutableData.self
        ? builder.object("NSMutableData", ["NS.data": .data(data as Data)])
        : builder.value(.data(data as Data))
    case let address as NSURL: return try reference(to: address, depth: depth)
    case let identity as NSUUID:
      let bytes = withUnsafeBytes(of: (identity as UUID).uuid) { Data($0) }
      return builder.object("NSUUID", ["NS.uuidbytes": .data(bytes)])
    case is NSNull: return builder.object("NSNull", [:])
    case is NSArray, is NSDictionary, is NSSet: return try collection(value, depth: depth)
    case _: throw .unknownClass
    }
  }

  private mutating func reference(to text: NSString) -> PropertyListValue {
    text is NSMutableString
      ? builder.object("NSMutableString", ["NS.string": .text(text as String)])
      : builder.text(text as String)
  }

  private mutating func reference(to number: NSNumber) -> PropertyListValue {
    if let decimal = number as? NSDecimalNumber {
      return builder.object("NSDecimalNumber", decimal.decimalValue.archivedFields)
    }
    return switch String(cString: number.objCType) {
    case "c": builder.value(.boolean(number.boolValue))
    case "f", "d": builder.value(.real(number.doubleValue))
    case "Q" where number.uint64Value > UInt64(Int64.max):
      builder.value(.unsigned(number.uint64Value))
    case _: builder.value(.integer(number.int64Value))
    }
  }

  private mutating func reference(
    to address: NSURL,
    depth: Int
  ) throws(Refusal) -> PropertyListValue {
    guard depth < Self.greatestDepth else { throw .tooDeep }
    var base = ArchiveBuilder.null
    if let url = address.baseURL { base = try reference(to: url as NSURL, depth: depth + 1) }
    let relative = builder.text(address.relativeString)
    return builder.object("NSURL", ["NS.base": base, "NS.relative": relative])
  }
}

// MARK: - Collections

extension PlainArchiveWriter {
  private mutating func collection(
    _ value: NSObject,
    depth: Int
  ) throws(Refusal) -> PropertyListValue {
    guard depth < Self.greatestDepth else { throw .tooDeep }
    let place = builder.reserve()
    switch value {
    case let list as NSArray:
      let name = list is NSMutableArray ? "NSMutableArray" : "NSArray"
      builder.object(
        name,
        ["NS.objects": try references(to: list.map(Self.object), depth)],
        at: place
      )
    case let set as NSSet:
      let name = set is NSMutableSet ? "NSMutableSet" : "NSSet"
      let members = Self.sorted(set.allObjects.map(Self.object)) { $0 }
      builder.object(name, ["NS.objects": try references(to: members, depth)], at: place)
    case let table as NSDictionary:
      let name = table is NSMutableDictionary ? "NSMutableDictionary" : "NSDictionary"
      let entries = Self.sorted(Self.pairs(of: table), by: \.key)
      builder.object(
        name,
        [
          "NS.keys": try references(to: entries.map(\.key), depth),
          "NS.objects": try references(to: entries.map(\.value), depth),
        ],
        at: place
      )
    case _: throw .unknownClass
    }
    return place
  }

  private mutating func references(
    to elements: [NSObject],
    _ depth: Int
  ) throws(Refusal) -> PropertyListValue {
    var references: [PropertyListValue] = []
    for element in elements { references.append(try reference(to: element, depth: depth + 1)) }
    return .array(references)
  }

  /// Members in an order that depends only on them, if they are all texts or all numbers.
  private static func sorted<Member>(
    _ members: [Member],
    by key: (Member) -> NSObject
  ) -> [Member] {
    let keys = members.map(key)
    let texts = keys.compactMap { ($0 as? NSString).map { $0 as String } }
    if texts.count == keys.count { return sorted(members, by: texts) }
    let numbers = keys.compactMap { ($0 as? NSNumber)?.doubleValue }
    if numbers.count == keys.count { return sorted(members, by: numbers) }
    return members
  }

  private static func sorted<Member>(_ members: [Member], by keys: [some Comparable]) -> [Member] {
    zip(members, keys).sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// A table's own iterator stops the program at keys that do not have Swift values.
  private static func pairs(of table: NSDictionary) -> [(key: NSObject, value: NSObject)] {
    let keys = table.keyEnumerator().allObjects
    return keys.map { (object($0), object(table.object(forKey: $0) ?? NSNull())) }
  }

  /// An element as the object that it is; collections hand out some as Swift's values.
  private static func object(_ element: Any) -> NSObject { element as? NSObject ?? Unknown() }

  private final class Unknown: NSObject {}
}
