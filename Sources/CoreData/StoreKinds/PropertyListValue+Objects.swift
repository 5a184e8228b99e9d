import CoreDataModel
import Foundation

/// Property lists as programs have them, in and out of our own reader and writer: Foundation's reader
/// traps on some damaged files.
extension PropertyListValue {
  /// Nil for an object that no property list can have.
  init?(object: Any) {
    switch object {
    case let text as String: self = .text(text)
    case let data as Data: self = .data(data)
    case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
    case let flag as Bool where type(of: object) == Bool.self: self = .boolean(flag)
    case let number as NSNumber: self.init(number)
    case let list as [Any]:
      let values = list.compactMap(PropertyListValue.init(object:))
      guard values.count == list.count else { return nil }
      self = .array(values)
    case let table as [String: Any]:
      let values = table.compactMapValues(PropertyListValue.init(object:))
      guard values.count == table.count else { return nil }
      self = .dictionary(values)
    case _: return nil
    }
  }

  private init(_ number: NSNumber) {
    switch String(cString: number.objCType) {
    case "c", "B": self = .boolean(number.boolValue)
    case "d", "f": self = .real(number.doubleValue)
    case "Q":
      self =
        number.uint64Value > UInt64(Int64.max)
        ? .unsigned(number.uint64Value) : .integer(number.int64Value)
    case _: self = .integer(number.int64Value)
    }
  }

  /// The value as programs have it; `nil` for values that only archives have.
  var object: Any? {
    switch self {
    case .null, .uid: nil
    case .boolean(let flag): NSNumber(value: flag)
    case .integer(let number): NSNumber(value: number)
    case .unsigned(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): data
    case .text(let text): text
    case .array(let list): list.compactMap(\.object)
    case .dictionary(let table): table.compactMapValues(\.object)
    }
  }

  subscript(key: String) -> PropertyListValue? {
    if case .dictionary(let table) = self { table[key] } else { nil }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }

  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  var list: [PropertyListValue]? { if case .array(let list) = self { list } else { nil } }

  var table: [String: PropertyListValue]? {
    if case .dictionary(let table) = self { table } else { nil }
  }
}
