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
  case data
  case uuid
  /// A slot without a plain form.
  case any

  init(_ slot: Slot) {
    self =
      switch slot.kind {
      case .text: .text
      case .integer: Self.whole(slot.attributeType)
      case .boolean: .boolean
      case .real: slot.attributeType == .double ? .real : .any
      case .date: .date
      case .data, .externalData: .data
      case .uuid: .uuid
      case .decimal, .uri, .transformable, .composite, .object, .toOne, .toMany, .orderedToMany,
        .fetched:
        .any
      }
  }

  private static func whole(_ type: AttributeType?) -> PlainForm {
    switch type {
    case .integer16: .whole(Int64(Int16.min)...Int64(Int16.max))
    case .integer32: .whole(Int64(Int32.min)...Int64(Int32.max))
    case .integer64: .whole(Int64.min...Int64.max)
    case .undefined, .decimal, .double, .float, .string, .boolean, .date, .binaryData, .uuid, .uri,
      .transformable, .objectID, .composite, nil:
      .any
    }
  }

  /// The value as a slot holds it; `nil` if it has another type, or does not fit.
  func plain(_ value: Any) -> SlotValue? { plain(exactly: value) }

  /// The same, of a value whose type is known while the program runs: one comparison instead of the
  /// casts that look for every way in which a value could become another.
  func plain<Given>(exactly value: Given) -> SlotValue? {
    switch self {
    case .text:
      return exactly(value, String.self).map(SlotValue.text)
    case .whole(let range):
      guard let whole = Self.whole(value), range.contains(whole) else { return nil }
      return .integer(whole)
    case .boolean:
      return exactly(value, Bool.self).map { .integer($0 ? 1 : 0) }
    case .real:
      return exactly(value, Double.self).map(SlotValue.real)
    case .date:
      return exactly(value, Date.self).map { .real($0.timeIntervalSinceReferenceDate) }
    case .data:
      return exactly(value, Data.self).map(SlotValue.data)
    case .uuid:
      return exactly(value, UUID.self).map(SlotValue.uuid)
    case .any:
      return nil
    }
  }

  private static func whole<Given>(_ value: Given) -> Int64? {
    if let whole = exactly(value, Int.self) { return Int64(whole) }
    if let whole = exactly(value, Int64.self) { return whole }
    if let whole = exactly(value, Int32.self) { return Int64(whole) }
    return exactly(value, Int16.self).map { Int64($0) }
  }
}

/// The value, if it is of this very type.
@inline(__always)
func exactly<Given, Wanted>(_ value: Given, _ type: Wanted.Type) -> Wanted? {
  Given.self == Wanted.self ? unsafeBitCast(value, to: Wanted.self) : nil
}
