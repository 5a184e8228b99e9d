package import CoreDataPredicates
import Foundation

/// Values of models, as predicates hold them.
extension SchemaValue {
  /// A predicate's constant; nil for none, and for a collection or an object of another kind.
  package init?(_ constant: Constant) {
    switch constant.value {
    case let flag as Bool: self = .boolean(flag)
    case let number as any FixedWidthInteger:
      self =
        Int64(exactly: number).map(SchemaValue.integer)
        ?? .decimal(Decimal(string: number.description) ?? .nan)
    case let number as Double: self = .real(number)
    case let number as Float: self = .real(Double(number))
    case let number as Decimal: self = .decimal(number)
    case let text as String: self = .text(text)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let data as Data: self = .data(data)
    case let uuid as UUID: self = .uuid(uuid)
    case let url as URL: self = .uri(url.absoluteString)
    default: return nil
    }
  }

  /// The value in a predicate; `nil` if the format language cannot express it.
  package var constant: Constant? {
    switch self {
    case .boolean(let flag): Constant(flag)
    case .integer(let number): Constant(Int(number))
    case .real(let number): Constant(number)
    case .decimal(let number): Constant(number)
    case .text(let text): Constant(text)
    case .date(let seconds): Constant(Date(timeIntervalSinceReferenceDate: seconds))
    case .uuid(let uuid): Constant(uuid)
    case .uri(let text): URL(string: text).map { Constant($0) }
    case .data, .archived: nil
    }
  }
}
