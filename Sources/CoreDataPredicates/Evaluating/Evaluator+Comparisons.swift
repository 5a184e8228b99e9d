import Foundation

extension Evaluator {
  func holds(_ comparison: Comparison) throws(EvaluationError) -> Bool {
    if let problem = comparison.op.problem(with: comparison.options) {
      throw .mistake("\(problem) in: \(comparison)")
    }
    if let answer = try isMember(comparison) { return answer }
    let left = Operand(try value(of: comparison.left))
    let right = Operand(try value(of: comparison.right))
    switch comparison.modifier {
    case .direct:
      return try comparison.holds(left, right)
    case .any:
      for element in try comparison.elements(of: left) where try comparison.holds(element, right) {
        return true
      }
      return false
    case .all:
      for element in try comparison.elements(of: left) where try !comparison.holds(element, right) {
        return false
      }
      return true
    }
  }

  /// `id IN %@` with a constant collection, which is hashed once; nil for any other comparison.
  private func isMember(_ comparison: Comparison) throws(EvaluationError) -> Bool? {
    guard comparison.modifier == .direct, !comparison.isOfCalculation else { return nil }
    switch (comparison.op, comparison.left, comparison.right) {
    case (.in, let part, .constant(let whole)), (.contains, .constant(let whole), let part):
      guard let members = whole.members else { return nil }
      if comparison.options.contains(.wordBased) {
        throw .mistake(Comparison.Operator.collectionProblem + " in: \(comparison)")
      }
      return members.contains(Operand(try value(of: part)), comparison.options)
    case (.lessThan, _, _), (.lessThanOrEqualTo, _, _), (.greaterThan, _, _),
      (.greaterThanOrEqualTo, _, _), (.equalTo, _, _), (.notEqualTo, _, _), (.matches, _, _),
      (.like, _, _), (.beginsWith, _, _), (.endsWith, _, _), (.in, _, _), (.contains, _, _),
      (.between, _, _):
      return nil
    }
  }
}

extension Comparison {
  /// The elements that ANY and ALL run through; `nil` has none.
  fileprivate func elements(of operand: Operand) throws(EvaluationError) -> [Operand] {
    if operand.isNothing { return [] }
    guard let members = operand.members else {
      throw EvaluationError("ANY and ALL expect a collection, \(left) is \(operand) in: \(self)")
    }
    return members.elements.map(Operand.init)
  }

  fileprivate func holds(_ left: Operand, _ right: Operand) throws(EvaluationError) -> Bool {
    switch op {
    case .equalTo: areEqual(left, right)
    case .notEqualTo: !areEqual(left, right)
    case .lessThan: try order(left, right) == .orderedAscending
    case .greaterThan: try order(left, right) == .orderedDescending
    case .lessThanOrEqualTo: try order(left, right).map { $0 != .orderedDescending } ?? false
    case .greaterThanOrEqualTo: try order(left, right).map { $0 != .orderedAscending } ?? false
    case .between: try isBetween(left, right)
    case .in: try isIn(left, right)
    case .contains: try isIn(right, left)
    case .beginsWith, .endsWith, .like, .matches: try textHolds(left, right)
    }
  }
}

// MARK: - Equality and order

extension Comparison {
  private func areEqual(_ left: Operand, _ right: Operand) -> Bool {
    if !options.isEmpty, case .text(let one) = left, case .text(let other) = right {
      return TextComparison(options).areEqual(one, other)
    }
    let (left, right) = calculated(left, right)
    return left == right
  }

  /// Beside what is calculated, a date is its seconds, as it is within the calculation.
  private func calculated(_ left: Operand, _ right: Operand) -> (Operand, Operand) {
    switch (left, right) {
    case (.number, .date(let date)) where isOfCalculation:
      (left, .number(.real(date.timeIntervalSinceReferenceDate)))
    case (.date(let date), .number) where isOfCalculation:
      (.number(.real(date.timeIntervalSinceReferenceDate)), right)
    case (.nothing, _), (.number, _), (.text, _), (.date, _), (.uuid, _), (.url, _), (.data, _),
      (.collection, _), (.dictionary, _), (.object, _):
      (left, right)
    }
  }

  /// `nil` if one side is `nil`, or a collection: then no order holds.
  ///
  /// A path through a to-many relationship without ANY or ALL gives a collection.
  private func order(
    _ left: Operand,
    _ right: Operand
  ) throws(EvaluationError) -> ComparisonResult? {
    let (left, right) = calculated(left, right)
    switch (left, right) {
    case (.nothing, _), (_, .nothing), (.collection, _), (_, .collection), (.dictionary, _),
      (_, .dictionary):
      return nil
    case (.text(let one), .text(let other)) where !options.isEmpty:
      return TextComparison(options).order(one, other)
    case (.number(let one), .number(let other)):
      return one.compare(other)
    case (.number, _), (.text, _), (.date, _), (.uuid, _), (.url, _), (.data, _), (.object, _):
      guard let order = left.compare(right) else { throw mismatch(left, right) }
      return order
    }
  }

  private func isBetween(_ value: Operand, _ bounds: Operand) throws(EvaluationError) -> Bool {
    if bounds.isNothing { return false }
    guard case .collection(let collection) = bounds, collection.count == 2 else {
      throw EvaluationError("BETWEEN expects two bounds such as {1, 5}, not \(bounds) in: \(self)")
    }
    guard let low = try order(Operand(collection.elements[0]), value),
      let high = try order(value, Operand(collection.elements[1]))
    else { return false }
    return low != .orderedDescending && high != .orderedDescending
  }

  private func mismatch(_ left: Operand, _ right: Operand) -> EvaluationError {
    EvaluationError("cannot compare \(left) with \(right) in: \(self)")
  }
}

// MARK: - Containing

extension Comparison {
  private func isIn(_ part: Operand, _ whole: Operand) throws(EvaluationError) -> Bool {
    if let members = whole.members {
      if options.contains(.wordBased) {
        throw .mistake(Operator.collectionProblem + " in: \(self)")
      }
      return members.elements.contains { areEqual(Operand($0), part) }
    }
    switch (whole, part) {
    case (.nothing, _):
      return false
    case (.text, .nothing):
      return false
    case (.text(let text), .text(let part)):
      return TextComparison(options).contains(text, part)
    case (.number, _), (.text, _), (.date, _), (.uuid, _), (.url, _), (.data, _), (.object, _),
      (.collection, _), (.dictionary, _):
      throw EvaluationError(
        "\(op.sign) expects a collection, or two texts, not \(whole) and \(part) in: \(self)"
      )
    }
  }
}

// MARK: - Texts

extension Comparison {
  private func textHolds(_ left: Operand, _ right: Operand) throws(EvaluationError) -> Bool {
    switch (left, right) {
    case (.nothing, _), (_, .nothing), (.collection, _), (_, .collection), (.dictionary, _),
      (_, .dictionary):
      return false
    case (.text(let text), .text(let pattern)):
      return try TextComparison(options).holds(text, op, pattern)
    case (.number, _), (.text, _), (.date, _), (.uuid, _), (.url, _), (.data, _), (.object, _):
      throw EvaluationError("\(op.sign) expects two texts, not \(left) and \(right) in: \(self)")
    }
  }
}
