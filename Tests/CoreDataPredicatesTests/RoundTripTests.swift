import CoreDataPredicates
import Foundation
import Testing

/// Trees that grew at random, always the same ones: printed and parsed again, they are themselves.
struct RoundTripTests {
  @Test func `random trees come back from their own text`() throws {
    var growth = Growth(state: 20_260_101)
    for _ in 0..<2_000 {
      let tree = growth.predicate(depth: 4)
      let text = tree.description
      let parsed = try PredicateFormat.predicate(text)
      #expect(parsed.description == text)
      #expect(NSPredicate.of(parsed) == NSPredicate.of(tree), "\(text)")
      #expect(NSPredicate.of(parsed).hash == NSPredicate.of(tree).hash)
    }
  }

  @Test func `random text is parsed or refused, and never crashes`() {
    var growth = Growth(state: 42)
    let pieces = [
      "title", "==", "(", ")", "{", "}", "[", "]", "AND", "NOT", "ANY", "%@", "%K", "$x", ".",
      "'a'", "1", "-", "SUBQUERY", ",", "IN", "SELF", "@count", ":", "**", "now", "\u{e9}", "\\",
      "CAST", "\"", "#", "%", "TERNARY", "FUNCTION", "FETCH", "LIKE", "[cd]", "1e", "0x", ".5",
    ]
    var parsed = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...7, using: &growth))
        .compactMap { _ in pieces.randomElement(using: &growth) }
        .joined(separator: " ")
      if (try? PredicateFormat.predicate(text, arguments: ["a", 1])) != nil { parsed += 1 }
    }
    #expect(parsed > 0)
  }

  @Test func `a cached format is quick, and the clock says how quick`() throws {
    let formats: [(String, [Any?])] = [
      ("%K == nil", ["parent"]), ("%K CONTAINS[cd] %@", ["title", "swift"]),
      ("SELF.price < 12 AND (SELF.category=$FETCH_SOURCE)", []),
    ]
    let values: [String: Any] = ["title": "Swift", "price": 3, "category": 1]
    let note = KeyedNote(values)
    let clock = ContinuousClock()
    for (format, arguments) in formats {
      let first = try clock.measure {
        for number in 0..<2_000 {
          _ = try PredicateFormat.predicate("\(format) OR k\(number) == 1", arguments: arguments)
        }
      }
      let parsing = try clock.measure {
        for _ in 0..<10_000 { _ = try PredicateFormat.predicate(format, arguments: arguments) }
      }
      let tree = try PredicateFormat.predicate(format, arguments: arguments)
      let evaluating = try clock.measure {
        for _ in 0..<10_000 { _ = try tree.evaluate(with: note, variables: ["FETCH_SOURCE": 1]) }
      }
      let dictionary = try clock.measure {
        for _ in 0..<10_000 { _ = try tree.evaluate(with: values, variables: ["FETCH_SOURCE": 1]) }
      }
      print(
        "\(format): parsed first in \(first / 2_000), again in \(parsing / 10_000), evaluated in \(evaluating / 10_000), "
          + "for a dictionary in \(dictionary / 10_000)"
      )
      #expect(first < .seconds(5) && parsing < .seconds(5) && evaluating < .seconds(5))
    }
  }
}

/// Grows predicates from a seed.
private struct Growth: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  mutating func predicate(depth: Int) -> PredicateTree {
    switch below(depth > 0 ? 8 : 2) {
    case 0: return .constant(below(2) == 0)
    case 5: return .and((0..<below(4)).map { _ in predicate(depth: depth - 1) })
    case 6: return .or((0..<below(4)).map { _ in predicate(depth: depth - 1) })
    case 7: return .not(predicate(depth: depth - 1))
    default: return .comparison(comparison(depth: depth))
    }
  }

  mutating func comparison(depth: Int) -> Comparison {
    let op = Comparison.Operator.allCases[below(Comparison.Operator.allCases.count)]
    let modifier = Comparison.Modifier.allCases[below(3)]
    let options = Comparison.Options(rawValue: below(2) == 0 ? 0 : UInt(below(16)))
    return Comparison(
      expression(depth: depth),
      op,
      expression(depth: depth),
      modifier: modifier,
      options: options
    )
  }

  mutating func expression(depth: Int) -> ExpressionTree {
    if depth <= 0 { return leaf() }
    switch below(16) {
    case 0: return .path(expression(depth: depth - 1), [name()])
    case 1: return .aggregate((0..<below(4)).map { _ in expression(depth: depth - 1) })
    case 2, 3, 4: return call(depth: depth)
    case 5:
      return .message(
        target: expression(depth: depth - 1),
        selector: "hasPrefix:",
        arguments: [expression(depth: depth - 1)]
      )
    case 6:
      return .subquery(
        expression(depth: depth - 1),
        variable: "n",
        predicate(depth: depth - 1)
      )
    case 7: return .index(expression(depth: depth - 1), place(depth: depth - 1))
    case 8: return .cast(.path(name()), to: CastType.allCases[below(CastType.allCases.count)])
    case 9:
      return .conditional(
        predicate(depth: depth - 1),
        expression(depth: depth - 1),
        expression(depth: depth - 1)
      )
    case 10:
      return .set(
        SetOperation.allCases[below(3)],
        expression(depth: depth - 1),
        expression(depth: depth - 1)
      )
    case 11: return .assignment("x", expression(depth: depth - 1))
    case 12: return .variableKey(base: expression(depth: depth - 1), variable: "key")
    case 13:
      return .fetch(
        request: expression(depth: depth - 1),
        context: .variable("c"),
        countOnly: below(2) == 0
      )
    default: return leaf()
    }
  }

  private mutating func call(depth: Int) -> ExpressionTree {
    let function = PredicateFunction.allCases[below(PredicateFunction.allCases.count)]
    let count = function.arity.lowerBound
    return .function(function, (0..<count).map { _ in expression(depth: depth - 1) })
  }

  private mutating func place(depth: Int) -> IndexPlace {
    switch below(4) {
    case 0: .first
    case 1: .last
    case 2: .size
    default: .at(expression(depth: depth))
    }
  }

  private mutating func leaf() -> ExpressionTree {
    switch below(6) {
    case 0: .evaluatedObject
    case 1: .variable(["x", "FETCH_SOURCE"][below(2)])
    case 2: .path(.evaluatedObject, (0..<(1 + below(3))).map { _ in name() })
    case 3: .anyKey
    default: .constant(Constant(constant()))
    }
  }

  private mutating func name() -> String {
    ["title", "größe", "@count", "first", "in", "SUBQUERY", "_x1", "anykey"][below(8)]
  }

  private mutating func constant() -> Any? {
    let constants: [Any?] = [
      nil, 0, -3, Int.max, Int.min, UInt64.max, 1.5, -0.25, 1e300, 2e-7, true, "", "it's",
      "\"\\\n\té😀", Date(timeIntervalSinceReferenceDate: 631_152_000.1234567),
      Date(timeIntervalSinceReferenceDate: -5), [1, "a", nil] as [Any?], Set([7]),
      Decimal(string: "12345678901234567890.5"), Decimal(string: "-98765432109876543210"),
    ]
    return constants[below(constants.count)]
  }
}

@Suite struct LargeNumberTests {
  @Test(arguments: [
    "-9223372036854775808", "-9223372036854775809", "-9223744072544095156.0",
    "-18446744073709551615", "9223372036854775808",
  ])
  func `a number below the integers is one number, however it is spelled`(number: String) throws {
    let predicate = try NSPredicate(parsing: "stars == \(number)")
    let again = try NSPredicate(parsing: predicate.tree.description)
    #expect(again == predicate)
    #expect(!predicate.tree.description.contains("0 -"))
  }
}
