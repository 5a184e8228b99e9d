package import CoreDataModel
package import CoreDataPredicates
import CoreDataSQL
import Foundation

/// The row that a store found for one dictionary: a value for each column of the plan.
package struct Record: Sendable {
  package let values: [RecordValue]
}

/// One value of a record, such that it may go to another thread.
///
/// Frequent values are stored directly: they become objects only on demand.
package enum RecordValue: Sendable {
  /// The dictionary does not have the key.
  case nothing
  /// Of an integer type, or a Boolean.
  case integer(Int64, AttributeType)
  /// Of type Double or Float.
  case real(Double, AttributeType)
  case text(String)
  case date(Date)
  case value(Immutable<Any>)
  /// The key of a row; the context makes an object's identity of it.
  case identity(number: Int64, EntityLayout)
  /// The name of a file beside the store that holds the bytes.
  case externalFile(String)
}

extension RecordValue {
  /// A value of a column of this type as a database has it; `nil` if the two differ, for example if a column of dates
  /// contains texts.
  init?(_ found: SQLValue, of type: AttributeType) {
    switch (type, found) {
    case (.string, .text(let text)): self = .text(text)
    case (.boolean, .integer(let value)), (.integer64, .integer(let value)):
      self = .integer(value, type)
    case (.integer16, .integer(let value)) where Int16(exactly: value) != nil:
      self = .integer(value, type)
    case (.integer32, .integer(let value)) where Int32(exactly: value) != nil:
      self = .integer(value, type)
    case (.double, .real(let value)), (.float, .real(let value)): self = .real(value, type)
    case (.date, .real(let value)): self = .date(Date(timeIntervalSinceReferenceDate: value))
    case (.date, .integer(let value)):
      self = .date(Date(timeIntervalSinceReferenceDate: Double(value)))
    // A database may have any value in any column.
    case (.string, _), (.boolean, _), (.integer16, _), (.integer32, _), (.integer64, _),
      (.double, _), (.float, _), (.date, _):
      return nil
    // The value alone is not enough to make these.
    case (.decimal, _), (.binaryData, _), (.uuid, _), (.uri, _), (.transformable, _),
      (.objectID, _), (.composite, _), (.undefined, _):
      return nil
    }
  }

  /// The value as Swift has it; `nil` if only a store or a context can make it.
  var inSwift: Any? {
    switch self {
    case .text(let text): text
    case .date(let date): date
    case .value(let value): value.value
    case .nothing, .integer, .real, .identity, .externalFile: object
    }
  }

  /// The object that an `NSDictionary` holds; `nil` if only a store or a context can make it.
  var object: AnyObject? {
    switch self {
    case .nothing, .identity, .externalFile: nil
    case .integer(let value, let type): BoxedNumber.of(value, type)
    case .real(let value, .float): NSNumber(value: Float(value))
    case .real(let value, _): NSNumber(value: value)
    case .text(let text): text as NSString
    case .date(let date): date as NSDate
    case .value(let value): value.value as AnyObject
    }
  }
}
