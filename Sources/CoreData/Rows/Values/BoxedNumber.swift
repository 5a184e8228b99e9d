import CoreDataModel
import Foundation

/// Whole numbers as key-value coding gives them; small ones, which nearly all are, are made once.
enum BoxedNumber {
  private static let small: Range<Int64> = 0..<256
  private static let small16 = small.map { NSNumber(value: Int16($0)) }
  private static let small32 = small.map { NSNumber(value: Int32($0)) }
  private static let small64 = small.map { NSNumber(value: $0) }
  private static let no = NSNumber(value: false)
  private static let yes = NSNumber(value: true)

  /// The number as an attribute of a type holds it; as one of 64 bits where the type is another or none.
  static func of(_ integer: Int64, _ type: AttributeType?) -> NSNumber {
    switch type {
    case .boolean:
      return integer == 0 ? no : yes
    case .integer16:
      let value = Int16(truncatingIfNeeded: integer)
      return small.contains(Int64(value)) ? small16[Int(value)] : NSNumber(value: value)
    case .integer32:
      let value = Int32(truncatingIfNeeded: integer)
      return small.contains(Int64(value)) ? small32[Int(value)] : NSNumber(value: value)
    case .undefined, .integer64, .decimal, .double, .float, .string, .date, .binaryData, .uuid,
      .uri, .transformable, .objectID, .composite, nil:
      return small.contains(integer) ? small64[Int(integer)] : NSNumber(value: integer)
    }
  }
}
