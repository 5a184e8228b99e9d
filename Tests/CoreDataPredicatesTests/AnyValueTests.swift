import Foundation
import Testing

import class CoreDataPredicates.NSComparisonPredicate
import class CoreDataPredicates.NSCompoundPredicate
import class CoreDataPredicates.NSExpression

@testable import CoreDataPredicates

/// Whatever a correct program may pass has an answer: nothing here may stop the program.
struct AnyValueTests {
  final class Thing: NSObject {}

  enum Shade: Hashable { case light, dark }

  nonisolated(unsafe) static let values: [Any?] = {
    let thing = Thing()
    let id = UUID()
    let data = Data([1, 2, 3])
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let plain: [Any?] = [
      nil, NSNull(), String?.none as Any, Optional(Optional(3)) as Any,
      0, 1, -7, Int.min, Int.max, Int8(3), UInt64.max, true, false, 2.5, -0.0, Double.nan,
      Double.infinity, -Double.greatestFiniteMagnitude, Float(1.5),
      Decimal(3), Decimal.nan, Decimal.greatestFiniteMagnitude, NSDecimalNumber(string: "1.25"),
      NSNumber(value: 4), NSNumber(value: true), NSNumber(value: 1e300),
      "", "a", "Äpfel", "12", "1e400", "[", "*?\\", "%@", "a\0b", "SELF", NSString("x"),
      "abc".prefix(1), Character("y"),
      date, NSDate(), Date.distantPast, Date(timeIntervalSinceReferenceDate: 1e300),
      Date(timeIntervalSinceReferenceDate: .nan), id, id as NSUUID, data, NSData(data: data),
      Data(),
      URL(string: "https://notes.example/a?b#c") as Any, NSURL(string: "a:b") as Any,
      thing, Shade.dark, Locale.current, NSError(domain: "d", code: 1), IndexSet([1, 2]),
    ]
    let collections: [Any?] = [
      [Int](), [1, 2, 3], ["a", nil, 3] as [Any?], [thing, date] as [Any], [[1], [2]],
      Set([1, 2]), Set(["a"]), NSSet(array: [1, "a"]), NSArray(array: [1, NSNull()]),
      NSOrderedSet(array: [3, 1]), NSArray(array: [NSDecimalNumber(string: "1.5")]),
      NSCountedSet(array: [1, 1]), ArraySlice([5, 6]),
      [String: Int](), ["a": 1, "b": 2], ["a": nil] as [String: Any?], [1: "x"],
      ["k": ["l": [1, 2]]], NSDictionary(dictionary: ["a": 1, "n": NSNull()]),
      NSDictionary(dictionary: ["d": NSDecimalNumber(string: "2.5")]),
      [["a": 1], ["a": 2]], [["a": 1], 3] as [Any], NSSet(array: [["a": 1]]),
    ]
    return plain + collections
  }()

  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) ^ (state << 31)
    }
  }

  private static func value(_ chance: inout Chance) -> Any? {
    values[Int.random(in: 0..<values.count, using: &chance)]
  }

  /// An expression of any kind over any values; keys are only asked of values without a class of
  /// their own.
  private static func expression(_ chance: inout Chance, depth: Int = 0) -> ExpressionTree {
    func next() -> ExpressionTree { expression(&chance, depth: depth + 1) }
    guard depth < 3 else { return .constant(Constant(value(&chance))) }
    switch Int.random(in: 0..<16, using: &chance) {
    case 0...4: return .constant(Constant(value(&chance)))
    case 5: return .evaluatedObject
    case 6:
      let keys = ["@count", "self", "description"]
      return .path(.evaluatedObject, [keys[Int.random(in: 0..<3, using: &chance)]])
    case 7: return .aggregate((0..<Int.random(in: 0..<4, using: &chance)).map { _ in next() })
    case 8...10:
      let functions = PredicateFunction.allCases
      let function = functions[Int.random(in: 0..<functions.count, using: &chance)]
      let most = min(function.arity.upperBound, 3)
      let count = Int.random(in: function.arity.lowerBound...most, using: &chance)
      return .function(function, (0..<count).map { _ in next() })
    case 11:
      let selectors = [
        "containsObject:", "objectAtIndex:", "hasPrefix:", "isEqual:", "objectForKey:",
      ]
      let selector = selectors[Int.random(in: 0..<selectors.count, using: &chance)]
      return .message(target: next(), selector: selector, arguments: [next()])
    case 12:
      return .subquery(next(), variable: "x", predicate(&chance, depth: depth + 1))
    case 13:
      let places: [IndexPlace] = [.first, .last, .size, .at(next())]
      return .index(next(), places[Int.random(in: 0..<4, using: &chance)])
    case 14:
      let types = CastType.allCases
      return .cast(next(), to: types[Int.random(in: 0..<types.count, using: &chance)])
    default:
      let operations = SetOperation.allCases
      let operation = operations[Int.random(in: 0..<operations.count, using: &chance)]
      if Bool.random(using: &chance) { return .set(operation, next(), next()) }
      return .conditional(predicate(&chance, depth: depth + 1), next(), next())
    }
  }

  private static func predicate(_ chance: inout Chance, depth: Int = 0) -> PredicateTree {
    switch Int.random(in: 0..<(depth < 2 ? 10 : 7), using: &chance) {
    case 7:
      return .and([predicate(&chance, depth: depth + 1), predicate(&chance, depth: depth + 1)])
    case 8:
      return .or([predicate(&chance, depth: depth + 1), predicate(&chance, depth: depth + 1)])
    case 9: return .not(predicate(&chance, depth: depth + 1))
    default:
      let operators = NSComparisonPredicate.Operator.allCases
      let modifiers = NSComparisonPredicate.Modifier.allCases
      let options: [NSComparisonPredicate.Options] = [
        [], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
        .localeSensitive,
      ]
      return .comparison(
        Comparison(
          expression(&chance, depth: depth + 1),
          operators[Int.random(in: 0..<operators.count, using: &chance)],
          expression(&chance, depth: depth + 1),
          modifier: modifiers[Int.random(in: 0..<modifiers.count, using: &chance)],
          options: options[Int.random(in: 0..<options.count, using: &chance)]
        )
      )
    }
  }

  @Test(arguments: 0..<8)
  func `no values stop an evaluation`(seed: Int) {
    var chance = Chance(state: UInt64(seed) &* 7919 &+ 1)
    for _ in 0..<1500 {
      let predicate = NSPredicate.of(Self.predicate(&chance))
      let expression = NSExpression(tree: Self.expression(&chance))
      let object = Self.value(&chance)
      _ = predicate.evaluate(with: object)
      _ = predicate.description
      #expect(predicate.isEqual(predicate))
      #expect(predicate.hash == predicate.hash)
      _ = expression.expressionValue(with: object, context: nil)
      _ = expression.description
    }
  }

  @Test func `every operator takes every pair of values`() {
    for op in NSComparisonPredicate.Operator.allCases {
      for left in Self.values {
        for right in Self.values {
          let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forConstantValue: left),
            rightExpression: NSExpression(forConstantValue: right),
            modifier: .direct,
            type: op
          )
          _ = predicate.evaluate(with: nil)
        }
      }
    }
  }

  @Test func `every function takes every value`() {
    for function in PredicateFunction.allCases {
      for first in Self.values {
        for second in function.arity.upperBound > 1 ? Self.values : [nil] {
          let arguments = [first, second].prefix(function.arity.upperBound)
            .map { NSExpression(forConstantValue: $0) }
          let expression = NSExpression(
            forFunction: function.rawValue,
            arguments: Array(arguments)
          )
          _ = expression.expressionValue(with: nil, context: nil)
        }
      }
    }
  }

  @Test func `every sort ends, whatever is in the list`() {
    let values = NSArray(array: Self.values.map { $0 ?? NSNull() })
    for selector in ["compare:", "caseInsensitiveCompare:", "localizedStandardCompare:"] {
      for ascending in [true, false] {
        let order = NSSortDescriptor(
          key: "self",
          ascending: ascending,
          selector: Selector(selector)
        )
        #expect(values.sortedArray(using: [order]).count == values.count)
      }
    }
  }
}

// MARK: - Dictionaries

struct DictionaryMemberTests {
  nonisolated(unsafe) private static let dictionaries: [Any] = [
    ["first": "Ada", "second": "Bob"], NSDictionary(dictionary: ["first": "Ada", "second": "Bob"]),
    [1: "Ada", 2: "Bob"],
  ]

  @Test func `a dictionary in IN stopped the program; its values are its members`() {
    for dictionary in Self.dictionaries {
      let predicate = NSPredicate(format: "name IN %@", argumentArray: [dictionary])
      #expect(predicate.evaluate(with: ["name": "Ada"]))
      #expect(!predicate.evaluate(with: ["name": "first"]))
      #expect(
        NSPredicate(format: "%@ CONTAINS name", argumentArray: [dictionary])
          .evaluate(with: ["name": "Bob"])
      )
      #expect(
        NSPredicate(format: "people CONTAINS[c] 'ADA' AND ANY people == 'Bob'")
          .evaluate(with: ["people": dictionary])
      )
      #expect(!NSPredicate(format: "ALL people == 'Bob'").evaluate(with: ["people": dictionary]))
    }
  }

  @Test func `dictionaries are equal by their entries, whatever their types`() throws {
    #expect(try holds("%@ == %@", for: nil, ["a": 1], NSDictionary(dictionary: ["a": 1.0])))
    #expect(try holds("%@ == %@", for: nil, ["a": 1] as [String: Any], ["a": 1] as [String: Any]))
    #expect(try !holds("%@ == %@", for: nil, ["a": 1], ["b": 1]))
    #expect(try holds("%@ IN %@", for: nil, ["a": 1], [["a": 1], ["b": 2]]))
  }

  @Test func `functions and sets of a dictionary are of its values`() throws {
    let stars = ["a": 1, "b": 4]
    #expect(Constant(try value("sum(SELF)", for: stars)) == Constant(5))
    #expect(Constant(try value("SELF.@max.self", for: stars)) == Constant(4))
    #expect(Constant(try value("(SELF UNION {4, 5}).@count", for: stars)) == Constant(3))
    #expect(Constant(try value("SUBQUERY(SELF, $x, $x > 1)[SIZE]", for: stars)) == Constant(1))
    #expect(Constant(try value("SELF['b']", for: stars)) == Constant(4))
    #expect(Constant(try value("SELF[2]", for: [1: "x", 2: "y"])) == Constant("y"))
    #expect(Constant(try value("SELF[SIZE]", for: stars)) == Constant(2))
  }
}

// MARK: - What does not fit

struct MisfitTests {
  @Test(arguments: [
    "title < 3", "title BEGINSWITH 3", "stars IN 5", "stars BETWEEN 3", "ANY stars == 1",
    "title MATCHES '['", "stars CONTAINS 'a'", "title.nowhere == 1", "1 + title == 1",
    "uppercase(stars) == 'A'", "FUNCTION(title, 'explode:', 1) == 1",
  ])
  func `values that do not fit stopped the program; the comparison does not hold`(format: String) {
    let note: [String: Any] = ["title": "x", "stars": 4]
    #expect(!NSPredicate(format: format).evaluate(with: note))
    // The rest of the predicate is answered all the same.
    #expect(NSPredicate(format: "\(format) OR stars == 4").evaluate(with: note))
    #expect(NSPredicate(format: "NOT \(format)").evaluate(with: note))
    #expect(throws: EvaluationError.self) { try holds(format, for: note) }
  }

  @Test func `an expression whose values do not fit is nil`() {
    let expression = NSExpression(format: "stars + title")
    #expect(expression.expressionValue(with: ["title": "x", "stars": 4], context: nil) == nil)
  }

  @Test func `a mistake in the predicate stops the program without a name of Swift's`() async {
    let unbound = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSPredicate(format: "title == $x").evaluate(with: ["title": "x"])
    }
    #expect(unbound.says("the variable $x has no value; pass one in the substitution variables"))
    let unknown = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      _ = NSPredicate(format: "nowhere == 1").evaluate(with: Tag("t"))
    }
    #expect(unknown.says(#"an object of the class Tag has no value for the key "nowhere""#))
  }

  @Test func `values of several kinds are sorted by their kinds`() {
    let list = NSArray(array: ["b", 2, Data([1]), NSNull(), "a", 1])
    let sorted = list.sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)])
    #expect(sorted[1...4].map { "\($0)" } == ["1", "2", "a", "b"])
    #expect(sorted.first is NSNull && sorted.last is Data)
  }
}

// MARK: - Constants

struct ConstantValueTests {
  @Test func `a truth value is a number, and a number any type that holds it`() {
    func constant(_ format: String) -> Any? {
      (NSPredicate(format: format) as? NSComparisonPredicate)?.rightExpression.constantValue
    }
    for word in ["true", "YES"] {
      #expect(constant("a = \(word)") as? Int == 1)
      #expect(constant("a = \(word)") as? Bool == true)
      #expect(constant("a = \(word)") as? NSNumber == 1)
    }
    #expect(constant("a = FALSE") as? Int == 0 && constant("a = NO") as? Bool == false)
    #expect(constant("a = 3") as? Int == 3 && constant("a = 3") as? Double == 3)
    #expect(constant("a = 3") as? Int16 == 3 && constant("a = 2.5") as? Int == nil)
    #expect(constant("a = 'x'") as? String == "x" && constant("a = nil") == nil)
    #expect(NSPredicate(format: "a = true").description == "a == 1")
  }

  @Test func `what an expression computes casts to every number type`() {
    let sum = NSExpression(format: "1 + 2").expressionValue(with: nil, context: nil)
    #expect(sum as? Int == 3 && sum as? Double == 3 && sum as? NSNumber == 3)
  }
}
