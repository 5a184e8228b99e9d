import Foundation

/// Integers stay integers while they fit, decimals stay decimals, all else is a double.
extension Number {
  static func + (one: Number, other: Number) -> Number {
    combine(one, other, { $0.addingReportingOverflow($1) }, +, +)
  }

  static func - (one: Number, other: Number) -> Number {
    combine(one, other, { $0.subtractingReportingOverflow($1) }, -, -)
  }

  static func * (one: Number, other: Number) -> Number {
    combine(one, other, { $0.multipliedReportingOverflow(by: $1) }, *, *)
  }

  /// Two integers divide as integers, and not at all by zero.
  static func / (one: Number, other: Number) -> Number? {
    if other.isWhole, other == .integer(0) {
      return one.isWhole ? nil : .real(one.double / 0)
    }
    return combine(one, other, { $0.dividedReportingOverflow(by: $1) }, /, /)
  }

  static func % (one: Number, other: Number) -> Number? {
    if other.isWhole, other == .integer(0) { return nil }
    return combine(
      one,
      other,
      { $0.remainderReportingOverflow(dividingBy: $1) },
      { (x: Decimal, y: Decimal) in x - (x / y).rounded(.towardZero) * y },
      { (x: Double, y: Double) in x.truncatingRemainder(dividingBy: y) }
    )
  }

  static func < (one: Number, other: Number) -> Bool {
    one.compare(other) == .orderedAscending
  }

  func raised(to exponent: Number) -> Number {
    let power = pow(double, exponent.double)
    guard isWhole, exponent.isWhole, let whole = Int64(exactly: power),
      whole.magnitude < 1 << 53
    else {
      return .real(power)
    }
    return .integer(whole)
  }

  func rounded(_ rule: FloatingPointRoundingRule) -> Number {
    switch self {
    case .integer, .unsigned: self
    case .real(let value): .real(value.rounded(rule))
    case .decimal(let value): .decimal(value.rounded(rule))
    }
  }

  private var isWhole: Bool {
    switch self {
    case .integer, .unsigned: true
    case .real, .decimal: false
    }
  }

  private static func combine(
    _ one: Number,
    _ other: Number,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ decimals: (Decimal, Decimal) -> Decimal,
    _ doubles: (Double, Double) -> Double
  ) -> Number {
    switch (one, other) {
    case (.integer(let x), .integer(let y)):
      let result = integers(x, y)
      return result.overflow ? .real(doubles(Double(x), Double(y))) : .integer(result.partialValue)
    case (.decimal, _), (_, .decimal):
      guard let x = one.exactDecimal, let y = other.exactDecimal else { fallthrough }
      return Number(decimals(x, y))
    case (.integer, _), (.unsigned, _), (.real, _):
      return .real(doubles(one.double, other.double))
    }
  }
}

extension Decimal {
  fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> Decimal {
    var exact = self
    var result = Decimal()
    let mode: NSDecimalNumber.RoundingMode =
      switch rule {
      case .up: .up
      case .down: .down
      case .towardZero: self < 0 ? .up : .down
      default: .plain
      }
    NSDecimalRound(&result, &exact, 0, mode)
    return result
  }
}
