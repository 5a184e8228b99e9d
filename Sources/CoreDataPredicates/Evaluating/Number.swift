package import Foundation

/// A number of any kind, compared by its value alone.
///
/// `Int64.max` and `Double(Int64.max)` differ by one and are not equal here, though
/// `NSNumber` says so. A decimal meets a double in the double's shortest spelling,
/// so `0.1` is `0.1` whichever way it came.
enum Number {
  case integer(Int64)
  /// Only for numbers that `integer` cannot hold.
  case unsigned(UInt64)
  case real(Double)
  case decimal(Decimal)

  init(_ value: UInt64) {
    self = Int64(exactly: value).map(Number.integer) ?? .unsigned(value)
  }

  init(_ value: Decimal) {
    self = value.isNaN ? .real(.nan) : .decimal(value)
  }

  init(_ number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self.init(decimal.decimalValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"):
      self = .real(number.doubleValue)
    case UInt8(ascii: "Q"), UInt8(ascii: "L"):
      self.init(number.uint64Value)
    default:
      self = .integer(number.int64Value)
    }
  }
}

// MARK: - Comparing

extension Number: Hashable {
  static func == (one: Number, other: Number) -> Bool {
    if case .real(let x) = one, case .real(let y) = other, x.isNaN { return y.isNaN }
    return one.compare(other) == .orderedSame
  }

  /// Equal numbers are one double, whatever their kind; their integer parts may differ, where a decimal
  /// meets a large double.
  func hash(into hasher: inout Hasher) {
    let double = double
    hasher.combine(double.isNaN ? 0 : double)
  }

  /// Nil when one of them is not a number.
  func compare(_ other: Number) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let x), .integer(let y)):
      x.compared(to: y)
    case (.unsigned(let x), .unsigned(let y)):
      x.compared(to: y)
    case (.integer, .unsigned):
      .orderedAscending
    case (.unsigned, .integer):
      .orderedDescending
    case (.real(let x), .real(let y)):
      x.isNaN || y.isNaN ? nil : x.compared(to: y)
    case (.integer(let x), .real(let y)):
      x.compare(exactly: y)
    case (.unsigned(let x), .real(let y)):
      x.compare(exactly: y)
    case (.decimal(let x), .decimal(let y)):
      x.compared(to: y)
    case (.decimal(let x), .integer(let y)):
      x.compared(to: Decimal(y))
    case (.decimal(let x), .unsigned(let y)):
      x.compared(to: Decimal(y))
    case (.decimal(let x), .real(let y)):
      x.compare(spelledOut: y)
    case (.real, .integer), (.real, .unsigned), (.real, .decimal), (.integer, .decimal),
      (.unsigned, .decimal):
      other.compare(self)?.reversed
    }
  }
}

// MARK: - Reading as another kind

extension Number {
  /// `nil` for a NaN, which a column cannot have either.
  var known: Number? {
    if case .real(let value) = self, value.isNaN { nil } else { self }
  }

  var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .real(let value): value
    case .decimal(let value): Double(value.description) ?? .nan
    }
  }

  /// The whole number towards zero, as far as 64 bits reach.
  var integerPart: Int64 {
    switch self {
    case .integer(let value): value
    case .unsigned: .max
    case .real(let value): value.clampedInteger
    case .decimal(let value): value.clampedInteger
    }
  }

  /// `nil` for numbers that a decimal cannot express: infinity, and doubles far out.
  var exactDecimal: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .unsigned(let value): Decimal(value)
    case .real(let value): Decimal(spelling: value)
    case .decimal(let value): value
    }
  }

  /// The value as Swift and key-value coding hand it on.
  var value: Any {
    switch self {
    case .integer(let value): Int(value)
    case .unsigned(let value): value
    case .real(let value): value
    case .decimal(let value): value
    }
  }
}

// MARK: - One kind against another

extension ComparisonResult {
  var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

extension Comparable {
  func compared(to other: Self) -> ComparisonResult {
    self < other ? .orderedAscending : self == other ? .orderedSame : .orderedDescending
  }
}

extension FixedWidthInteger {
  fileprivate func compare(exactly real: Double) -> ComparisonResult? {
    guard !real.isNaN else { return nil }
    let whole = real.rounded(.towardZero)
    guard let integer = Self(exactly: whole) else {
      return real < 0 ? .orderedDescending : .orderedAscending
    }
    return self == integer ? whole.compared(to: real) : compared(to: integer)
  }
}

extension Double {
  /// The number that a text begins with, after white space; 0 if it does not begin with one.
  package init(beginning text: String) {
    let digits = text.prefixMatch(
      of: /[ \t\n\u{B}\f\r]*([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)/
    )
    self = digits.flatMap { Double($0.output.1) } ?? 0
  }

  fileprivate var clampedInteger: Int64 {
    isNaN ? 0 : Int64(exactly: rounded(.towardZero)) ?? (self < 0 ? .min : .max)
  }
}

extension Decimal {
  /// The number that a double is written as; `nil` for numbers that a decimal cannot express, infinity among them, at
  /// which Foundation's own initializer stops the program.
  package init?(spelling real: Double) {
    guard real.isFinite, real == 0 || (1e-100...1e100).contains(real.magnitude) else { return nil }
    self.init(string: "\(real)")
  }

  fileprivate func compare(spelledOut real: Double) -> ComparisonResult? {
    if real.isNaN { return nil }
    guard let other = Decimal(spelling: real) else {
      return Number.decimal(self).double.compared(to: real)
    }
    return compared(to: other)
  }

  fileprivate var clampedInteger: Int64 {
    var whole = Decimal()
    var exact = self
    NSDecimalRound(&whole, &exact, 0, self < 0 ? .up : .down)
    return Int64(whole.description) ?? (self < 0 ? .min : .max)
  }
}
