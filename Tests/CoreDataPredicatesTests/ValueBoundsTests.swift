import Foundation
import Testing

@testable import CoreDataPredicates

struct ValueBoundsTests {
  static let formats = [
    "SELF >= 0", "SELF > 0", "SELF <= 5", "SELF < 5", "SELF >= 0 AND SELF <= 5", "SELF >= 0.5",
    "SELF < 9007199254740993", "length >= 1", "length > 3", "length <= 4 AND length >= 2",
  ]

  @Test(arguments: formats)
  func `bounds say of every value what the predicate says`(_ format: String) throws {
    let predicate = NSPredicate(format: format)
    let bounds = try #require(ValueBounds(predicate))
    if format.hasPrefix("length") {
      for text in ["", "a", "ab", "Note", "Notes", "😀", "😀😀", "e\u{301}"] {
        #expect(bounds.admits(text) == predicate.evaluate(with: text), "\(text)")
      }
      #expect(bounds.admits(Int64(1)) == nil)
    } else {
      for number: Int64 in [.min, -1, 0, 1, 4, 5, 6, 9_007_199_254_740_992, .max] {
        #expect(bounds.admits(number) == predicate.evaluate(with: number), "\(number)")
      }
      for number in [-0.5, -0.0, 0.5, 4.999, 5, 9_007_199_254_740_992, .infinity] {
        #expect(bounds.admits(number) == predicate.evaluate(with: number), "\(number)")
      }
      #expect(bounds.admits("5") == nil)
      #expect(bounds.admits(Double.nan) == nil)
    }
  }

  @Test(
    arguments: [
      "SELF != 3", "SELF MATCHES 'a+'", "SELF >= 'a'", "length >= 1 OR SELF == 'x'", "title >= 1",
      "NOT SELF > 3", "TRUEPREDICATE",
    ]
  )
  func `what is more than a bound is left to the predicate`(_ format: String) {
    #expect(ValueBounds(NSPredicate(format: format)) == nil)
  }
}
