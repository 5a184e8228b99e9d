import Foundation

/// A value that is put into an attribute of a probe, to see whether a Swift property gives it back.
///
/// ```
/// title_ ?? ""      gives back what was planted: it is another name of title_
/// 10 - stars        does not: a predicate on stars would find other objects
/// ```
enum PlantedValue {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case text(String)
  case date(Date)
  case uuid(UUID)
  case url(URL)
  case data(Data)

  /// Two for each kind of attribute that a predicate can compare; none for other kinds.
  static func pair(for kind: SlotKind) -> [PlantedValue] {
    switch kind {
    case .boolean: [.boolean(true), .boolean(false)]
    case .integer: [.integer(3), .integer(7)]
    case .real: [.real(2.5), .real(-0.75)]
    case .decimal: [.decimal(Decimal(25) / 10), .decimal(-7)]
    case .text: [.text(" aB "), .text("zZ9")]
    case .date: [2.5, 7_000].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .uuid: [.uuid(UUID()), .uuid(UUID())]
    case .uri:
      ["https://example.org/a", "https://example.org/b"].compactMap(URL.init).map(PlantedValue.url)
    case .data, .externalData: [.data(Data([1, 2])), .data(Data([3]))]
    case .toOne, .toMany, .orderedToMany, .fetched, .transformable, .composite, .object: []
    }
  }

  /// The raw value of an enumeration; nil for one that an attribute of that kind does not hold.
  init?(_ rawValue: Any, for kind: SlotKind) {
    switch kind {
    case .integer:
      guard let integer = rawValue as? any BinaryInteger else { return nil }
      self = .integer(Int64(truncatingIfNeeded: integer))
    case .text:
      guard let text = rawValue as? String else { return nil }
      self = .text(text)
    case .boolean, .real, .date, .decimal, .uri, .uuid, .data, .externalData, .transformable,
      .composite, .object, .toOne, .toMany, .orderedToMany, .fetched:
      return nil
    }
  }

  /// As the attribute takes it by key.
  var boxed: Any {
    switch self {
    case .boolean(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .text(let value): value
    case .date(let value): value
    case .uuid(let value): value
    case .url(let value): value
    case .data(let value): value
    }
  }

  /// Whether a property of that type can give the value back; one of another type makes something else
  /// of it, and is not tried.
  func fits(_ type: Any.Type) -> Bool {
    if type == Any.self { return true }
    return switch self {
    // A Bool is sorted by its description, which has the same order.
    case .boolean: type == Bool.self || type == NSNumber.self || type == String.self
    case .integer: type is any BinaryInteger.Type || type == NSNumber.self
    case .real: type is any BinaryFloatingPoint.Type || type == NSNumber.self
    case .decimal: type == Decimal.self || type == NSDecimalNumber.self || type == NSNumber.self
    case .text: type == String.self || type == NSString.self
    case .date: type == Date.self || type == NSDate.self
    case .uuid: type == UUID.self || type == NSUUID.self
    case .url: type == URL.self || type == NSURL.self
    case .data: type == Data.self || type == NSData.self
    }
  }

  /// Whether it came back.
  func equals(_ value: Any?) -> Bool {
    guard let value else { return false }
    switch self {
    case .boolean(let planted):
      return value as? Bool == planted || value as? String == planted.description
    case .integer(let planted):
      if let integer = value as? any BinaryInteger { return Int64(exactly: integer) == planted }
      return (value as? NSNumber)?.int64Value == planted
    case .real(let planted):
      if let real = value as? any BinaryFloatingPoint { return Double(real) == planted }
      return (value as? NSNumber)?.doubleValue == planted
    case .decimal(let planted):
      return ((value as? NSDecimalNumber)?.decimalValue ?? value as? Decimal) == planted
    case .text(let planted): return value as? String == planted
    case .date(let planted): return value as? Date == planted
    case .uuid(let planted): return value as? UUID == planted
    case .url(let planted): return value as? URL == planted
    case .data(let planted): return value as? Data == planted
    }
  }
}
