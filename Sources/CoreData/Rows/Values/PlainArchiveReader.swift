import CoreDataModel
import Foundation

/// Makes the objects of an archive that has only texts, numbers, dates, data, addresses, identities and
/// collections of them.
///
/// Foundation's unarchiver stops the program at some archives that are damaged or were made to do harm, and no check
/// from outside knows them all. Objects from a store's file are made here; Foundation
/// is asked only for classes of the program.
///
/// ```
/// 1 { $class → NSArray, NS.objects [→ 2, → 3] }    2 "text"    3 { $class → NSDate, NS.time 0.0 }
///
/// NSArray [NSString, NSDate]
/// ```
struct PlainArchiveReader {
  private let archive: WholeArchive
  private let allowed: [AnyClass]
  /// The objects that were made, by their numbers: an object with many references is made once.
  private var made: [Int: NSObject] = [:]

  /// Why an archive is not read here.
  enum Refusal: Error, Equatable {
    /// An object has a class that is not one of these.
    case unknownClass(String)
    /// An object has a class that the caller does not want.
    case unwantedClass(String)
    /// An object lacks what its class needs.
    case damaged
  }

  /// Returns the topmost object of an archive, if it and all in it are of the classes that are wanted.
  static func object(
    of archive: WholeArchive,
    allowing classes: [AnyClass]
  ) throws(Refusal) -> NSObject {
    var reader = PlainArchiveReader(archive: archive, allowed: classes)
    return try reader.object(archive.root)
  }

  private init(archive: WholeArchive, allowed: [AnyClass]) {
    self.archive = archive
    self.allowed = allowed
  }

  private mutating func object(_ number: Int) throws(Refusal) -> NSObject {
    if let known = made[number] { return known }
    let object = try make(archive[number])
    guard allowed.contains(where: { object.isKind(of: $0) }) else {
      throw .unwantedClass(archive.className(of: archive[number]) ?? "\(type(of: object))")
    }
    made[number] = object
    return object
  }

  private mutating func make(_ value: PropertyListValue) throws(Refusal) -> NSObject {
    switch value {
    case .text(let text): text as NSString
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .unsigned(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .data(let data): data as NSData
    case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
    case .dictionary(let fields):
      try make(archive.className(of: value) ?? "", fields)
    case .null, .uid, .array: throw .damaged
    }
  }

  private mutating func make(
    _ name: String,
    _ fields: [String: PropertyListValue]
  ) throws(Refusal) -> NSObject {
    switch name {
    case "NSArray": return NSArray(array: try objects(fields["NS.objects"]))
    case "NSMutableArray": return NSMutableArray(array: try objects(fields["NS.objects"]))
    case "NSSet": return NSSet(array: try objects(fields["NS.objects"]))
    case "NSMutableSet": return NSMutableSet(array: try objects(fields["NS.objects"]))
    case "NSDictionary", "NSMutableDictionary":
      let table = try table(fields)
      return name == "NSDictionary" ? table.copy() as? NSDictionary ?? table : table
    case "NSNull": return NSNull()
    case "NSString", "NSMutableString":
      let text = try text(fields)
      return name == "NSString" ? text as NSString : NSMutableString(string: text)
    case "NSData", "NSMutableData":
      guard case .data(let data) = archive.followed(fields["NS.data"] ?? fields["NS.bytes"]) else {
        throw .damaged
      }
      return name == "NSData" ? data as NSData : NSMutableData(data: data)
    case "NSDate": return NSDate(timeIntervalSinceReferenceDate: try time(fields))
    case "NSUUID": return try identity(fields)
    case "NSURL": return try address(fields)
    case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return try decimal(fields)
    case _: throw .unknownClass(name)
    }
  }
}

// MARK: - What each class keeps

extension PlainArchiveReader {
  private mutating func objects(_ field: PropertyListValue?) throws(Refusal) -> [NSObject] {
    guard case .array(let elements) = field else { throw .damaged }
    var objects: [NSObject] = []
    for element in elements {
      guard case .uid(let number) = element else { throw .damaged }
      objects.append(try object(number))
    }
    return objects
  }

  private mutating func table(
    _ fields: [String: PropertyListValue]
  ) throws(Refusal) -> NSMutableDictionary {
    let keys = try objects(fields["NS.keys"])
    let values = try objects(fields["NS.objects"])
    guard keys.count == values.count else { throw .damaged }
    let table = NSMutableDictionary(capacity: keys.count)
    for (key, value) in zip(keys, values) {
      guard key is any NSCopying else { throw .damaged }
      table.setObject(value, forKey: key)
    }
    return table
  }

  private func text(_ fields: [String: PropertyListValue]) throws(Refusal) -> String {
    switch archive.followed(fields["NS.string"] ?? fields["NS.bytes"]) {
    case .text(let text): return text
    case .data(let bytes):
      guard let text = String(data: bytes, encoding: .utf8) else { throw .damaged }
      return text
    case nil, .null, .boolean, .integer, .unsigned, .real, .date, .uid, .array, .dictionary:
      throw .damaged
    }
  }

  private func time(_ fields: [String: PropertyListValue]) throws(Refusal) -> TimeInterval {
    switch archive.followed(fields["NS.time"]) {
    case .real(let seconds): return seconds
    case .integer(let seconds): return TimeInterval(seconds)
    case nil, .null, .boolean, .unsigned, .date, .data, .text, .uid, .array, .dictionary:
      throw .damaged
    }
  }

  private func identity(_ fields: [String: PropertyListValue]) throws(Refusal) -> NSUUID {
    guard case .data(let bytes) = archive.followed(fields["NS.uuidbytes"]), bytes.count == 16 else {
      throw .damaged
    }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: UUID.self) } as NSUUID
  }

  private mutating func address(
    _ fields: [String: PropertyListValue]
  ) throws(Refusal) -> NSURL {
    let relative: String
    switch archive.followed(fields["NS.relative"]) {
    case .text(let text): relative = text
    case .dictionary(let fields): relative = try text(fields)
    case nil, .null, .boolean, .integer, .unsigned, .real, .date, .data, .uid, .array:
      throw .damaged
    }
    var base: URL?
    if case .uid(let number) = fields["NS.base"], archive.followed(fields["NS.base"]) != nil {
      guard let url = try object(number) as? NSURL else { throw .damaged }
      base = url as URL
    }
    // Foundation stops the program when an address that Swift cannot have is taken out of a list.
    guard URL(string: relative, relativeTo: base) != nil,
      let address = NSURL(string: relative, relativeTo: base)
    else { throw .damaged }
    return address
  }

  private func decimal(
    _ fields: [String: PropertyListValue]
  ) throws(Refusal) -> NSDecimalNumber {
    let plain = fields.mapValues { archive.followed($0) ?? .null }
    guard let number = Decimal(archived: plain) else { throw .damaged }
    return NSDecimalNumber(decimal: number)
  }
}
