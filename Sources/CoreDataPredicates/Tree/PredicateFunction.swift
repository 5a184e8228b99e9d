/// The functions an expression can call, under the names `NSExpression(forFunction:arguments:)` has.
package enum PredicateFunction: String, Hashable, Sendable, CaseIterable {
  // Of collections
  case sum = "sum:"
  case count = "count:"
  case min = "min:"
  case max = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"

  // Of two numbers
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"

  // Of one number
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case absolute = "abs:"
  case truncate = "trunc:"
  case onesComplement = "onesComplement:"
  case randomBelow = "randomn:"

  // Of one text
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"

  // Of anything
  case noIndex = "noindex:"

  // Of nothing
  case random = "random"
  case now = "now"
}

extension PredicateFunction {
  /// Whether it makes a number of numbers, for which it takes a date as its seconds.
  var isCalculation: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate:
      true
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .bitwiseAnd,
      .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement, .randomBelow, .uppercase,
      .lowercase, .canonical, .length, .noIndex, .random, .now:
      false
    }
  }

  /// How many arguments a call has; functions of collections take one or more.
  package var arity: ClosedRange<Int> {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation:
      1...Int.max
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift:
      2...2
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute,
      .truncate, .onesComplement, .randomBelow, .uppercase, .lowercase, .canonical, .length,
      .noIndex:
      1...1
    case .random, .now:
      0...0
    }
  }

  /// The sign that format strings write between two operands.
  package var infix: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .power: "**"
    case .bitwiseAnd: "&"
    case .bitwiseOr: "|"
    case .bitwiseXor: "^"
    case .leftShift: "<<"
    case .rightShift: ">>"
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .modulus,
      .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute,
      .truncate, .onesComplement, .randomBelow, .uppercase, .lowercase, .canonical, .length,
      .noIndex, .random, .now:
      nil
    }
  }
}
