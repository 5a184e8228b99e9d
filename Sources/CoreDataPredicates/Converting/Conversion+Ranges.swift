import Foundation

extension PredicateExpressions.Range: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let low = try conversion.value(of: lower)
    let high = try conversion.value(of: upper)
    return .range(Bounds(lower: low, upper: high, includesUpper: false))
  }
}

extension PredicateExpressions.ClosedRange: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let low = try conversion.value(of: lower)
    let high = try conversion.value(of: upper)
    return .range(Bounds(lower: low, upper: high, includesUpper: true))
  }
}

extension PredicateExpressions.RangeExpressionContains: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    guard case .range(let bounds) = try conversion.convert(range) else {
      throw ConversionError("\(RangeExpression.Output.self) is not a range that predicates know")
    }
    return .condition(bounds.contain(try conversion.value(of: element)))
  }
}

extension Bounds {
  /// `BETWEEN` where both ends are included, else one comparison for each end.
  func contain(_ value: ExpressionTree) -> PredicateTree {
    if includesUpper, let lower, let upper {
      return .comparison(Comparison(value, .between, .aggregate([lower, upper])))
    }
    let low = lower.map { PredicateTree.comparison(Comparison(value, .greaterThanOrEqualTo, $0)) }
    let high = upper.map {
      PredicateTree.comparison(
        Comparison(value, includesUpper ? .lessThanOrEqualTo : .lessThan, $0)
      )
    }
    let ends = [low, high].compactMap(\.self)
    return ends.count == 1 ? ends[0] : .and(ends)
  }
}

// MARK: - Swift's own ranges

/// A range of values, whatever their type.
protocol BoundsListing {
  var bounds: Bounds { get }
}

extension Bounds {
  fileprivate init(from lower: Any? = nil, to upper: Any? = nil, includesUpper: Bool = false) {
    self.lower = lower.map { .constant(Constant($0)) }
    self.upper = upper.map { .constant(Constant($0)) }
    self.includesUpper = includesUpper
  }
}

extension Range: BoundsListing {
  var bounds: Bounds { Bounds(from: lowerBound, to: upperBound) }
}

extension ClosedRange: BoundsListing {
  var bounds: Bounds { Bounds(from: lowerBound, to: upperBound, includesUpper: true) }
}

extension PartialRangeFrom: BoundsListing {
  var bounds: Bounds { Bounds(from: lowerBound) }
}

extension PartialRangeUpTo: BoundsListing {
  var bounds: Bounds { Bounds(to: upperBound) }
}

extension PartialRangeThrough: BoundsListing {
  var bounds: Bounds { Bounds(to: upperBound, includesUpper: true) }
}
