import Foundation

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

/// The facts about a function.
struct FunctionFacts {
  let computation: Computation
  /// The sign between two operands in format strings, and how tightly it binds.
  let infix: (sign: Token.Sign, precedence: PredicateParser.Precedence)?
  /// The operator of key-value coding that computes the same of a collection.
  let collectionOperator: CollectionOperator?
  let result: PredicateFunction.Result
  /// Whether equal arguments have equal results.
  let isPure: Bool
  let sql: PredicateFunction.SQLOperator?

  /// The arguments of a function, and how its result is computed from them.
  enum Computation {
    /// A collection of values, or several values.
    case values(([Any?]) -> Any?)
    /// The same, but of numbers; values that are `nil` are left out.
    case numbers(([Number]) -> Any?)
    case twoNumbers((Number, Number) -> Number?)
    case oneNumber((Number) -> Number?)
    case text((String) -> Any)
    /// The result is the argument itself.
    case anything
    case nothing(() -> Any)
  }

  init(
    _ computation: Computation,
    infix: (sign: Token.Sign, precedence: PredicateParser.Precedence)? = nil,
    _ collectionOperator: CollectionOperator? = nil,
    result: PredicateFunction.Result = .likeArguments,
    isPure: Bool = true,
    sql: PredicateFunction.SQLOperator? = nil
  ) {
    self.computation = computation
    self.infix = infix
    self.collectionOperator = collectionOperator
    self.result = result
    self.isPure = isPure
    self.sql = sql
  }
}

extension PredicateFunction {
  /// The kind of value that a function gives.
  package enum Result {
    case text, integer, real, date
    /// An integer if all arguments are integers, otherwise a floating-point number.
    case power
    /// The widest kind of number among the arguments.
    case likeArguments
  }

  /// An operator of SQL that gives what memory does, but only of certain numbers.
  package enum SQLOperator {
    case ofIntegers(String)
    case ofAllButDecimals(String)
  }

  /// The facts about the function; everything else that is said of functions is read from here.
  var facts: FunctionFacts {
    switch self {
    case .sum: .init(.numbers { Statistics.sum($0).value }, .sum)
    case .count: .init(.values { $0.count }, .count, result: .integer)
    case .min: .init(.values { Statistics.least($0, .orderedAscending) }, .minimum)
    case .max: .init(.values { Statistics.least($0, .orderedDescending) }, .maximum)
    case .average: .init(.numbers { Statistics.average($0)?.value }, .average)
    case .median: .init(.numbers { Statistics.median($0)?.value })
    case .mode: .init(.numbers { ValueCollection(.list, Statistics.modes($0).map(\.value)) })
    case .standardDeviation: .init(.numbers { Statistics.deviation($0) }, result: .real)

    case .add:
      .init(.twoNumbers { $0 + $1 }, infix: (.plus, .additive), sql: .ofAllButDecimals("+"))
    case .subtract:
      .init(.twoNumbers { $0 - $1 }, infix: (.minus, .additive), sql: .ofAllButDecimals("-"))
    case .multiply:
      .init(.twoNumbers { $0 * $1 }, infix: (.star, .multiplicative), sql: .ofAllButDecimals("*"))
    case .divide:
      .init(.twoNumbers { $0 / $1 }, infix: (.slash, .multiplicative), sql: .ofIntegers("/"))
    case .modulus: .init(.twoNumbers { $0 % $1 }, sql: .ofIntegers("%"))
    case .power:
      .init(.twoNumbers { $0.raised(to: $1) }, infix: (.doubleStar, .power), result: .power)
    case .bitwiseAnd: .bits((.and, .bitwise), sql: .ofIntegers("&")) { $0 & $1 }
    case .bitwiseOr: .bits((.bar, .bitwise), sql: .ofIntegers("|")) { $0 | $1 }
    case .bitwiseXor: .bits((.caret, .bitwise)) { $0 ^ $1 }
    case .leftShift: .bits((.shiftLeft, .bitwise), sql: .ofIntegers("<<")) { $0 << $1 }
    case .rightShift: .bits((.shiftRight, .bitwise), sql: .ofIntegers(">>")) { $0 >> $1 }

    case .squareRoot: .init(.oneNumber { .real($0.double.squareRoot()) }, result: .real)
    case .logarithm: .init(.oneNumber { .real(log10($0.double)) }, result: .real)
    case .naturalLogarithm: .init(.oneNumber { .real(log($0.double)) }, result: .real)
    case .exponential: .init(.oneNumber { .real(exp($0.double)) }, result: .real)
    case .floor: .init(.oneNumber { $0.rounded(.down) })
    case .ceiling: .init(.oneNumber { $0.rounded(.up) })
    case .absolute: .init(.oneNumber { $0 < .integer(0) ? .integer(0) - $0 : $0 })
    case .truncate: .init(.oneNumber { $0.rounded(.towardZero) })
    case .onesComplement: .init(.oneNumber { .integer(~$0.integerPart) }, result: .integer)
    case .randomBelow: .init(.oneNumber(Number.random), result: .integer, isPure: false)

    case .uppercase: .init(.text { $0.uppercased() }, result: .text)
    case .lowercase: .init(.text { $0.lowercased() }, result: .text)
    case .canonical:
      .init(
        .text { $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) },
        result: .text
      )
    case .length: .init(.text { $0.utf16.count }, result: .integer)

    case .noIndex: .init(.anything)

    case .random: .init(.nothing { Double.random(in: 0..<1) }, result: .real, isPure: false)
    case .now: .init(.nothing { Date() }, result: .date, isPure: false)
    }
  }
}

extension FunctionFacts {
  fileprivate static func bits(
    _ infix: (Token.Sign, PredicateParser.Precedence),
    sql: PredicateFunction.SQLOperator? = nil,
    _ combine: @escaping (Int64, Int64) -> Int64
  ) -> Self {
    Self(
      .twoNumbers { .integer(combine($0.integerPart, $1.integerPart)) },
      infix: infix,
      result: .integer,
      sql: sql
    )
  }
}

extension Number {
  fileprivate static func random(below limit: Number) -> Number? {
    limit.integerPart > 0 ? .integer(Int64.random(in: 0..<limit.integerPart)) : nil
  }
}

// MARK: - Facts that follow

extension PredicateFunction {
  /// The function that an operator such as `@sum` computes, or `nil` for an operator without one.
  package init?(collectionOperator name: String) {
    guard let function = Self.allCases.first(where: { $0.collectionOperator == name }) else {
      return nil
    }
    self = function
  }

  /// The operator of key-value coding that computes the same, such as `@sum`.
  package var collectionOperator: String? { facts.collectionOperator?.rawValue }

  /// The sign that format strings write between two operands.
  package var infix: String? { facts.infix?.sign.rawValue }

  package var result: Result { facts.result }

  package var isPure: Bool { facts.isPure }

  package var sqlOperator: SQLOperator? { facts.sql }

  /// How many arguments a call has; functions of collections take one or more.
  package var arity: ClosedRange<Int> {
    switch facts.computation {
    case .values, .numbers: 1...Int.max
    case .twoNumbers: 2...2
    case .oneNumber, .text, .anything: 1...1
    case .nothing: 0...0
    }
  }

  package var isOfCollection: Bool { arity.upperBound == .max }

  package var isOfText: Bool { if case .text = facts.computation { true } else { false } }

  /// Whether it makes a number of numbers, for which it takes a date as its seconds; functions of
  /// whole numbers do not.
  var isCalculation: Bool {
    switch facts.computation {
    case .oneNumber, .twoNumbers: result != .integer
    case .values, .numbers, .text, .anything, .nothing: false
    }
  }
}
