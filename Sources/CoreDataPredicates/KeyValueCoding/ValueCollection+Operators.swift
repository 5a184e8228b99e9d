import Foundation

/// The operators of key-value coding: `notes.@count`, `notes.@sum.stars`.
enum CollectionOperator: String, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case union = "@unionOfObjects"
  case distinctUnion = "@distinctUnionOfObjects"
  case unionOfArrays = "@unionOfArrays"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfSets = "@unionOfSets"
  case distinctUnionOfSets = "@distinctUnionOfSets"
}

extension ValueCollection {
  /// The result of an operator; it takes the keys behind it, up to another operator.
  func value(
    ofOperator name: String,
    _ rest: inout ArraySlice<String>,
    _ inner: InnerCollections
  ) throws(EvaluationError) -> Any? {
    guard let op = CollectionOperator(rawValue: name) else {
      let known = CollectionOperator.allCases.map(\.rawValue).joined(separator: ", ")
      throw .mistake("there is no operator \(name), only \(known)")
    }
    if op == .count { return count }
    let path = rest.prefix { $0.utf8.first != UInt8(ascii: "@") }
    guard !path.isEmpty else {
      throw .mistake("\(name) needs a key behind it, such as \(name).stars or \(name).self")
    }
    rest = rest.dropFirst(path.count)
    return try result(of: op, try values(ofPath: path, inner))
  }

  /// One value for each element, `nil` included; collections stay whole.
  private func values(
    ofPath path: ArraySlice<String>,
    _ inner: InnerCollections
  ) throws(EvaluationError) -> [Any?] {
    var values: [Any?] = []
    values.reserveCapacity(count)
    for element in elements { values.append(try KeyValues.value(ofPath: path, in: element, inner)) }
    return values
  }

  private func result(
    of op: CollectionOperator,
    _ values: [Any?]
  ) throws(EvaluationError) -> Any? {
    switch op {
    case .count:
      return count
    case .sum:
      return Statistics.sum(try Statistics.numbers(values, for: op)).value
    case .average:
      return (Statistics.average(try Statistics.numbers(values, for: op)) ?? .integer(0)).value
    case .minimum:
      return Statistics.least(values, .orderedAscending)
    case .maximum:
      return Statistics.least(values, .orderedDescending)
    case .union:
      return ValueCollection(.list, values.filter { !Operand($0).isNothing })
    case .distinctUnion:
      return ValueCollection(.list, values.withoutDoubles)
    case .unionOfArrays, .unionOfSets:
      return ValueCollection(.list, values.flattened.filter { !Operand($0).isNothing })
    case .distinctUnionOfArrays:
      return ValueCollection(.list, values.flattened.withoutDoubles)
    case .distinctUnionOfSets:
      return ValueCollection(.set, values.flattened.withoutDoubles)
    }
  }
}

extension Statistics {
  fileprivate static func numbers(
    _ values: [Any?],
    for op: CollectionOperator
  ) throws(EvaluationError) -> [Number] {
    do throws(EvaluationError) {
      return try numbers(values)
    } catch {
      throw EvaluationError("\(op.rawValue) \(error)")
    }
  }
}

extension [Any?] {
  /// The elements of the collections among the values.
  fileprivate var flattened: [Any?] {
    flatMap { $0.flatMap(ValueCollection.init)?.elements ?? [$0] }
  }
}
