import CoreDataModel
import Foundation

/// The type in which nearly all values of a property come, taken without a look at any other.
///
/// Whatever comes otherwise, such as an `NSNumber` or an optional, is taken by the entity, which knows
/// every type and takes some time for it.
enum PlainForm {
  case text
  case whole(ClosedRange<Int64>)
  case boolean
  case real
  case date
  /// There is no such type.
  case any

  init(_ slot: Slot) {
    self =
      switch (slot.kind, slot.attribute?.type) {
      case (.text, _): .text
      case (.integer, .integer16): .whole(Int64(Int16.min)...Int64(Int16.max))
      case (.integer, .integer32): .whole(Int64(Int32.min)...Int64(Int32.max))
      case (.integer, .integer64): .whole(Int64.min...Int64.max)
      case (.boolean, _): .boolean
      case (.real, .double): .real
      case (.date, _): .date
      case _: .any
      }
  }

  /// The value as a slot holds it; nil where it comes in another type, or does not fit.
  func plain(_ value: Any) -> SlotValue? {
    let type = type(of: value)
    switch self {
    case .text:
      return type == String.self ? (value as? String).map(SlotValue.text) : nil
    case .whole(let range):
      guard let whole = Self.whole(value, type), range.contains(whole) else { return nil }
      return .integer(whole)
    case .boolean:
      return type == Bool.self ? (value as? Bool).map { .integer($0 ? 1 : 0) } : nil
    case .real:
      return type == Double.self ? (value as? Double).map(SlotValue.real) : nil
    case .date:
      guard type == Date.self, let date = value as? Date else { return nil }
      return .real(date.timeIntervalSinceReferenceDate)
    case .any:
      return nil
    }
  }

  private static func whole(_ value: Any, _ type: Any.Type) -> Int64? {
    if type == Int.self { return (value as? Int).map { Int64($0) } }
    if type == Int64.self { return value as? Int64 }
    if type == Int32.self { return (value as? Int32).map { Int64($0) } }
    if type == Int16.self { return (value as? Int16).map { Int64($0) } }
    return nil
  }
}
