import CoreData
import CoreDataModel
import Foundation

/// A value in the type of its property, in no box.
enum PlainValue {
  case text(String)
  case whole(Int64)
  case real(Double)
  case single(Float)
  case flag(Bool)
  case date(Date)
  case decimal(Decimal)
  case uuid(UUID)
  case url(URL)

  /// What is written for an attribute of a type; nil where it is no such value, or there is no text for it.
  init?(_ text: String, _ type: AttributeType) {
    let value: PlainValue? =
      switch type {
      case .string: .text(text)
      case .integer16: Int16(text).map { .whole(Int64($0)) }
      case .integer32: Int32(text).map { .whole(Int64($0)) }
      case .integer64: Int64(text).map { .whole($0) }
      // SQLite keeps NaN as no value, and an infinity is no number for JSON and many programs.
      case .double: Double(text).flatMap { $0.isFinite ? .real($0) : nil }
      case .float: Float(text).flatMap { $0.isFinite ? .single($0) : nil }
      case .decimal:
        Double(text)?.isFinite == true ? Decimal(string: text).map { .decimal($0) } : nil
      case .boolean: Bool(written: text).map { .flag($0) }
      case .date: WrittenDate(text).map { .date($0.moment) }
      case .uuid: UUID(uuidString: text).map { .uuid($0) }
      case .uri: URL(string: text).map { .url($0) }
      case .undefined, .binaryData, .transformable, .objectID, .composite: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// As key-value coding has it.
  var boxed: Any {
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
    }
  }
}
