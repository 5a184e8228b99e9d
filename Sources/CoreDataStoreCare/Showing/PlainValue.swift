package import CoreDataModel
package import Foundation

/// A value in the type of its property, in no box.
package enum PlainValue {
  case text(String)
  case whole(Int64)
  case real(Double)
  case single(Float)
  case flag(Bool)
  case date(Date)
  case decimal(Decimal)
  case uuid(UUID)
  case url(URL)
  case data(Data)

  /// The value of a text for an attribute of a type; `nil` if it is not such a value, or if the type has no textual
  /// form.
  package init?(_ text: String, _ type: AttributeType) {
    let value: PlainValue? =
      switch type {
      case .string: .text(text)
      case .integer16: Int16(text).map { .whole(Int64($0)) }
      case .integer32: Int32(text).map { .whole(Int64($0)) }
      case .integer64: Int64(text).map { .whole($0) }
      // SQLite keeps NaN as no value, and an infinity is not a number to JSON and many programs.
      case .double: text.isNumber ? Double(text).flatMap { $0.isFinite ? .real($0) : nil } : nil
      case .float: text.isNumber ? Float(text).flatMap { $0.isFinite ? .single($0) : nil } : nil
      case .decimal: Decimal(written: text).map { .decimal($0) }
      case .boolean: Bool(written: text).map { .flag($0) }
      case .date: WrittenDate(text).map { .date($0.moment) }
      case .uuid: UUID(uuidString: text).map { .uuid($0) }
      case .uri: URL(string: text).map { .url($0) }
      case .binaryData: Data(base64Encoded: text).map { .data($0) }
      // Many words are Base64, and a program ends if it cannot read an archive of its own.
      case .transformable:
        Data(base64Encoded: text).flatMap { ArchivedValue.json(of: $0) == nil ? nil : .data($0) }
      case .undefined, .objectID, .composite: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// As key-value coding has it.
  package var boxed: Any {
    switch self {
    case .text(let text): text
    case .whole(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .single(let number): NSNumber(value: number)
    case .flag(let flag): NSNumber(value: flag)
    case .date(let date): date
    case .decimal(let number): NSDecimalNumber(decimal: number)
    case .uuid(let uuid): uuid
    case .url(let url): url
    case .data(let data): data
    }
  }
}

extension Decimal {
  /// `nil` for a text that is not a number from its beginning to its end: the system reads `0x10` as 0, and `12abc` as
  /// 12.
  ///
  /// Also `nil` for more than 38 digits, of which the system would drop the last.
  package init?(written text: String) {
    guard text.isNumber, let number = Decimal(string: text) else { return nil }
    let zero = UInt8(ascii: "0")
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { $0 >= zero }
    let significant = digits.drop { $0 == zero }.reversed().drop { $0 == zero }
    guard significant.count <= 38 else { return nil }
    self = number
  }
}

extension PlainValue {
  /// Describes how a value of a type is written as text; `nil` if it cannot be written as text.
  package static func form(of type: AttributeType) -> String? {
    switch type {
    case .integer16, .integer32, .integer64: "a whole number of the type \(type.word)"
    case .decimal: "a number of at most 38 digits"
    case .double, .float: "a number"
    case .string: "a text"
    case .boolean: "yes or no"
    case .date: "a date such as \(WrittenDate.forms)"
    case .uuid: "a UUID such as 6B29FC40-CA47-1067-B31D-00DD010662DA"
    case .uri: "a URL"
    case .binaryData: "data, written as Base64"
    case .transformable: "the archive of an object, written as Base64"
    case .undefined, .objectID, .composite: nil
    }
  }
}
