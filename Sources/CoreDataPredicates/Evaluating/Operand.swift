import Foundation

/// The kind of a value in a comparison, whichever of its Swift or Foundation types it came in.
enum Operand {
  /// Nil, `NSNull`, an empty optional.
  case nothing
  case number(Number)
  case text(String)
  case date(Date)
  case uuid(UUID)
  case url(URL)
  case data(Data)
  case collection(ValueCollection)
  case dictionary(ValueDictionary)
  /// Anything else: compared by its own equality.
  case object(Any)
}

// MARK: - Classifying

extension Operand {
  init(_ value: Any?) {
    guard let value else {
      self = .nothing
      return
    }
    let type = type(of: value)
    if let common = Operand(common: value, ObjectIdentifier(type)) {
      self = common
    } else if type is any AnyObject.Type {
      self = Operand(instance: value as AnyObject)
    } else {
      self = Operand(rare: value)
    }
  }

  /// Asks for the exact type first: a cast alone would also try to bridge, which is slow.
  private init?(common value: Any, _ type: ObjectIdentifier) {
    if type == ObjectIdentifier(String.self), let text = value as? String {
      self = .text(text)
    } else if type == ObjectIdentifier(Int.self), let integer = value as? Int {
      self = .number(.integer(Int64(integer)))
    } else if type == ObjectIdentifier(Bool.self), let bool = value as? Bool {
      self = .number(.integer(bool ? 1 : 0))
    } else if type == ObjectIdentifier(Double.self), let double = value as? Double {
      self = .number(.real(double))
    } else if type == ObjectIdentifier(Date.self), let date = value as? Date {
      self = .date(date)
    } else if type == ObjectIdentifier(NSString.self), let text = value as? NSString {
      self = .text(text as String)
    } else if type == ObjectIdentifier(NSNumber.self), let number = value as? NSNumber {
      self = .number(Number(number))
    } else if type == ObjectIdentifier(NSDate.self), let date = value as? NSDate {
      self = .date(date as Date)
    } else if type == ObjectIdentifier(Decimal.self), let decimal = value as? Decimal {
      self = .number(Number(decimal))
    } else if type == ObjectIdentifier(UUID.self), let uuid = value as? UUID {
      self = .uuid(uuid)
    } else if type == ObjectIdentifier(ValueCollection.self),
      let collection = value as? ValueCollection
    {
      self = .collection(collection)
    } else if type == ObjectIdentifier(AnyHashable.self), let hashable = value as? AnyHashable {
      self = Operand(hashable.base)
    } else {
      return nil
    }
  }

  private init(rare value: Any) {
    switch value {
    case let optional as any OptionalValue:
      self = Operand(optional.valueIfAny)
    case let integer as any FixedWidthInteger:
      self = .number(Number(integer))
    case let real as any BinaryFloatingPoint:
      self = .number(.real(Double(real)))
    case let text as any StringProtocol:
      self = .text(String(text))
    case let character as Character:
      self = .text(String(character))
    case let url as URL:
      self = .url(url)
    case let data as Data:
      self = .data(data)
    case let listing as any ElementListing:
      self = .collection(listing.valueCollection)
    default:
      self = ValueDictionary(value).map(Operand.dictionary) ?? .object(value)
    }
  }

  private init(instance: AnyObject) {
    switch instance {
    case let text as NSString:
      self = .text(text as String)
    case let number as NSNumber:
      self = .number(Number(number))
    case let date as NSDate:
      self = .date(date as Date)
    case is NSNull:
      self = .nothing
    case let set as NSSet:
      self = .collection(ValueCollection(set))
    case let list as NSArray:
      self = .collection(ValueCollection(list))
    case let list as NSOrderedSet:
      self = .collection(ValueCollection(list))
    case let uuid as NSUUID:
      self = .uuid(uuid as UUID)
    case let url as NSURL:
      self = .url(url as URL)
    case let data as NSData:
      self = .data(data as Data)
    case let dictionary as NSDictionary:
      self = .dictionary(ValueDictionary(dictionary))
    default:
      self = .object(instance)
    }
  }
}

extension Number {
  fileprivate init(_ integer: some FixedWidthInteger) {
    if let small = Int64(exactly: integer) {
      self = .integer(small)
    } else if let large = UInt64(exactly: integer) {
      self = .unsigned(large)
    } else {
      self = Decimal(string: integer.description).map(Number.decimal) ?? .real(Double(integer))
    }
  }
}

/// Optionals, whatever they wrap: an optional inside `Any` does not unwrap by itself.
protocol OptionalValue {
  var valueIfAny: Any? { get }
}

extension Optional: OptionalValue {
  var valueIfAny: Any? { self }
}

extension Any? {
  /// The value when it is an object of a class; casting other values would try to bridge them.
  var instance: AnyObject? {
    guard let value = self, type(of: value) is any AnyObject.Type else { return nil }
    return value as AnyObject
  }
}

// MARK: - Naming in errors

extension Operand: CustomStringConvertible {
  var description: String {
    switch self {
    case .nothing: "nil"
    case .number(let number): "the number \(number.value)"
    case .text(let text): "the text \"\(text)\""
    case .date(let date): "the date \(date.words)"
    case .uuid(let uuid): "the UUID \(uuid)"
    case .url(let url): "the URL \(url)"
    case .data(let data): "\(data.count) bytes of data"
    case .collection(let collection): "a collection of \(collection.count)"
    case .dictionary(let dictionary): "a dictionary of \(dictionary.count)"
    case .object(let object): Self.words(for: object)
    }
  }

  /// A class is named, as it is the program's own; other types would be Swift's words for them.
  private static func words(for object: Any) -> String {
    let type = type(of: object)
    return type is any AnyObject.Type
      ? "an object of the class \(type)"
      : "a value that is no number, text, date, data or collection"
  }
}

extension Date {
  /// The date as Foundation describes it, which stops the program for a date that is not a number.
  var words: String {
    timeIntervalSinceReferenceDate.isNaN ? "nan" : description
  }
}

// MARK: - Members

extension Operand {
  /// The elements that `IN`, `ANY` and functions of collections run through; `nil` for a single
  /// value.
  var members: ValueCollection? {
    switch self {
    case .collection(let collection): collection
    case .dictionary(let dictionary): dictionary.values
    case .nothing, .number, .text, .date, .uuid, .url, .data, .object: nil
    }
  }
}
