import Foundation

extension PredicateFunction {
  /// One argument is a collection of values; several are the values themselves.
  func elements(of arguments: [Any?]) throws(EvaluationError) -> [Any?] {
    guard arguments.count == 1 else { return arguments }
    let operand = Operand(arguments[0])
    if operand.isNothing { return [] }
    guard let members = operand.members else {
      throw EvaluationError("\"\(rawValue)\" expects a collection, not \(operand)")
    }
    return members.elements
  }

  func numbers(_ values: [Any?]) throws(EvaluationError) -> [Number] {
    do throws(EvaluationError) {
      return try Statistics.numbers(values)
    } catch {
      throw EvaluationError("\"\(rawValue)\" \(error)")
    }
  }
}

/// The statistics that functions and key-value operators compute from a collection's values.
enum Statistics {
  /// The values as numbers, nil left out.
  ///
  /// A value of another type counts as SQLite counts it: a text by the number that it begins with, a date by its
  /// seconds, and bytes as 0.
  static func numbers(_ values: [Any?]) throws(EvaluationError) -> [Number] {
    var numbers: [Number] = []
    for value in values {
      switch Operand(value) {
      case .nothing: continue
      case .number(let number): numbers.append(number)
      case .text(let text): numbers.append(.real(Double(beginning: text)))
      case .date(let date): numbers.append(.real(date.timeIntervalSinceReferenceDate))
      case .url(let url): numbers.append(.real(Double(beginning: url.absoluteString)))
      case .uuid, .data: numbers.append(.real(0))
      case .collection, .dictionary, .object:
        throw EvaluationError("expects numbers, not \(Operand(value))")
      }
    }
    return numbers
  }

  static func sum(_ numbers: [Number]) -> Number {
    numbers.reduce(.integer(0), +)
  }

  static func average(_ numbers: [Number]) -> Number? {
    guard !numbers.isEmpty else { return nil }
    let sum = sum(numbers)
    if case .decimal = sum { return sum / .integer(Int64(numbers.count)) }
    return .real(sum.double / Double(numbers.count))
  }

  static func median(_ numbers: [Number]) -> Number? {
    let sorted = numbers.sorted(by: <)
    guard let last = sorted.last else { return nil }
    let middle = sorted.count / 2
    if sorted.count == 1 { return last }
    return sorted.count.isMultiple(of: 2)
      ? average([sorted[middle - 1], sorted[middle]]) : sorted[middle]
  }

  /// The numbers that come most often, in the order they first came.
  static func modes(_ numbers: [Number]) -> [Number] {
    let counts = numbers.reduce(into: [Number: Int]()) { $0[$1, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    var seen: Set<Number> = []
    return numbers.filter { counts[$0] == most && seen.insert($0).inserted }
  }

  /// The standard deviation of the whole population.
  static func deviation(_ numbers: [Number]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let values = numbers.map(\.double)
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.map { ($0 - mean) * ($0 - mean) }
    return (squares.reduce(0, +) / Double(values.count)).squareRoot()
  }

  /// The value that comes first in an order; nil values, and those without order, are passed over.
  static func least(_ values: [Any?], _ order: ComparisonResult) -> Any? {
    var best: (operand: Operand, value: Any?)?
    for value in values {
      let operand = Operand(value)
      if case .nothing = operand { continue }
      if let best, operand.compare(best.operand) != order { continue }
      best = (operand, value)
    }
    return best?.value
  }
}
