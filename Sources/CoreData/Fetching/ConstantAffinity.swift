import CoreDataModel
package import CoreDataPredicates
import Foundation

/// Turns constants of a predicate into values of the attributes that they are compared with, as a
/// database does that compares a number with a column of texts.
///
/// ```
/// number IN {1, 2}       number is a text        number IN {"1", "2"}
/// stars == "3"           stars is a number       stars == 3
/// created > 700000000    created is a date       created > the date of that second
/// id == "e621e1f8-…"     id is a UUID            id == that UUID
/// ```
///
/// A quantifier over one value, such as `ANY number IN {1, 2}`, is left out. Constants that cannot be converted stay as they are. All kinds of stores get the converted constants, and unsaved
/// objects are compared with them.
package struct ConstantAffinity {
  private let layout: EntityLayout
  /// The entities of the variables of subqueries.
  private var variables: [String: EntityLayout] = [:]

  package init(_ layout: EntityLayout) {
    self.layout = layout
  }

  package func fitting(
    _ predicate: CoreDataPredicates.PredicateTree
  ) -> CoreDataPredicates.PredicateTree {
    switch predicate {
    case .constant, .block: predicate
    case .comparison(let comparison): .comparison(fitting(comparison))
    case .and(let terms): .and(terms.map(fitting))
    case .or(let terms): .or(terms.map(fitting))
    case .not(let term): .not(fitting(term))
    }
  }

  private func fitting(_ comparison: Comparison) -> Comparison {
    var fitted = comparison
    fitted.left = fitting(comparison.left)
    fitted.right = fitting(comparison.right)
    if comparison.modifier != .direct, isSingle(comparison.left) { fitted.modifier = .direct }
    guard let (left, right) = comparison.op.sides else { return fitted }
    if let path = path(of: comparison.left), path.isMany || left.isValue {
      fitted.right = fitting(fitted.right, to: path.type)
    } else if let path = path(of: comparison.right), path.isMany || right.isValue {
      fitted.left = fitting(fitted.left, to: path.type)
    }
    return fitted
  }

  /// The conditions inside an expression.
  private func fitting(
    _ expression: CoreDataPredicates.ExpressionTree
  ) -> CoreDataPredicates.ExpressionTree {
    switch expression {
    case .constant, .evaluatedObject, .variable, .keyPath(.evaluatedObject, _),
      .keyPath(.variable, _), .anyKey:
      return expression
    case .subquery(let collection, let variable, let predicate):
      var inner = self
      inner.variables[variable] = objects(of: collection)
      return .subquery(fitting(collection), variable: variable, inner.fitting(predicate))
    case .conditional(let predicate, let yes, let no):
      return .conditional(fitting(predicate), fitting(yes), fitting(no))
    case .keyPath, .variableKey, .aggregate, .function, .message, .index, .cast, .set, .assignment,
      .fetch, .block:
      return expression.mappingParts(fitting)
    }
  }
}

extension Comparison.Operator {
  /// The two sides of an operator that compares values; `nil` for the operators of texts.
  fileprivate var sides: (left: ComparedSide, right: ComparedSide)? {
    switch self {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
      .between:
      (.value, .value)
    case .in: (.value, .collection)
    case .contains: (.collection, .value)
    case .beginsWith, .endsWith, .like, .matches: nil
    }
  }
}

/// The kind of value that an operator expects on one of its sides.
private enum ComparedSide {
  case value
  case collection

  var isValue: Bool { self == .value }
}

// MARK: - Attributes

extension ConstantAffinity {
  private typealias Path = (type: CoreDataModel.AttributeType, isMany: Bool)

  /// The type of the attribute that a key path leads to, and whether it leads to several values of it.
  private func path(of expression: CoreDataPredicates.ExpressionTree) -> Path? {
    guard case .keyPath(let base, let names) = expression, var place = start(base) else {
      return nil
    }
    var isMany = false
    for (depth, name) in names.enumerated() {
      if ["self", "SELF"].contains(name) { continue }
      guard let slot = place.slot(named: name) else { return nil }
      if let end = place.slots[slot].end {
        guard let next = place.model[number: end.destination] else { return nil }
        if place.kinds[slot] != .toOne { isMany = true }
        place = next
        continue
      }
      var attribute = place.slots[slot].attribute
      for name in names[(depth + 1)...] {
        attribute = attribute?.elements.first { $0.name == name }
      }
      return attribute.map { ($0.type, isMany) }
    }
    return nil
  }

  /// Whether a key path leads to one plain value or one object, so that `ANY` and `ALL` of it mean the value, as in
  /// Apple's SQLite stores.
  private func isSingle(_ expression: CoreDataPredicates.ExpressionTree) -> Bool {
    if let path = path(of: expression) {
      return !path.isMany && ![.transformable, .undefined, .composite].contains(path.type)
    }
    guard case .keyPath(let base, let names) = expression, var place = start(base) else {
      return false
    }
    for name in names {
      guard let slot = place.slot(named: name), place.kinds[slot] == .toOne,
        let end = place.slots[slot].end, let next = place.model[number: end.destination]
      else { return false }
      place = next
    }
    return true
  }

  private func start(_ base: CoreDataPredicates.ExpressionTree) -> EntityLayout? {
    switch base {
    case .evaluatedObject: layout
    case .variable(let name): variables[name]
    case .constant, .keyPath, .variableKey, .aggregate, .function, .message, .subquery, .index,
      .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block:
      nil
    }
  }

  /// The entity of the objects that a key path leads to.
  private func objects(of expression: CoreDataPredicates.ExpressionTree) -> EntityLayout? {
    guard case .keyPath(let base, let names) = expression else { return nil }
    return names.reduce(start(base)) { place, name in
      guard let place, let slot = place.slot(named: name), let end = place.slots[slot].end else {
        return nil
      }
      return place.model[number: end.destination]
    }
  }
}

// MARK: - Constants

extension ConstantAffinity {
  private func fitting(
    _ expression: CoreDataPredicates.ExpressionTree,
    to type: CoreDataModel.AttributeType
  ) -> CoreDataPredicates.ExpressionTree {
    switch expression {
    case .constant(let constant):
      if type.isType(of: constant.value) { return expression }
      if case .collection(let values) = constant.kind { return fitting(values, expression, type) }
      return type.value(for: constant.kind).map { .constant(Constant($0)) } ?? expression
    case .aggregate(let elements):
      return .aggregate(elements.map { fitting($0, to: type) })
    case .evaluatedObject, .variable, .keyPath, .variableKey, .function, .message, .subquery,
      .index, .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block:
      return expression
    }
  }

  /// The list itself where all of its values fit: its elements may be hashed already.
  private func fitting(
    _ values: [Any?],
    _ list: CoreDataPredicates.ExpressionTree,
    _ type: CoreDataModel.AttributeType
  ) -> CoreDataPredicates.ExpressionTree {
    guard type.turnsConstants else { return list }
    var isChanged = false
    let fitted = values.map { value in
      guard !type.isType(of: value), let turned = type.value(for: Constant(value).kind) else {
        return value
      }
      isChanged = true
      return turned
    }
    return isChanged ? .constant(Constant(fitted)) : list
  }
}

extension CoreDataModel.AttributeType {
  /// Whether constants of other types can become values of this one.
  fileprivate var turnsConstants: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .string, .date,
      .uri, .uuid:
      true
    case .undefined, .binaryData, .transformable, .objectID, .composite: false
    }
  }

  /// Whether a constant is of this type, as nearly all are: looking takes less time than turning.
  ///
  /// False also if it is uncertain.
  fileprivate func isType(of constant: Any?) -> Bool {
    guard let constant else { return true }
    let kind = Swift.type(of: constant)
    return switch self {
    case .string: kind == String.self || kind == NSString.self
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean:
      kind == Int.self || kind == Double.self || kind == Bool.self || kind == NSNumber.self
    case .date: kind == Date.self || kind == NSDate.self
    case .uri: kind == URL.self
    case .uuid: kind == UUID.self || kind == NSUUID.self
    case .undefined, .binaryData, .transformable, .objectID, .composite: false
    }
  }

  /// The value of this type that a constant of another type becomes; nil for one that stays as it is.
  fileprivate func value(for constant: ConstantKind) -> Any? {
    switch self {
    case .string: constant.asText
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: constant.asNumber
    case .date: constant.asDate
    case .uri: constant.asURL
    case .uuid: constant.asUUID
    case .undefined, .binaryData, .transformable, .objectID, .composite: nil
    }
  }
}

extension ConstantKind {
  /// As a database writes a number into a column of texts.
  fileprivate var asText: String? {
    switch self {
    case .integer(let value): value.description
    case .real(let value): value.isFinite ? Self.spelling(value) : nil
    case .decimal(let value):
      Int64(value.description).map(\.description)
        ?? Double(value.description).map(Self.spelling)
    case .url(let url): url.absoluteString
    case .uuid(let uuid): uuid.uuidString
    case .nothing, .text, .date, .data, .collection, .object: nil
    }
  }

  /// With fifteen digits, and a point in any case: `3.0`, `1.0e+20`.
  private static func spelling(_ real: Double) -> String {
    let digits = String(format: "%.15g", real)
    guard !digits.contains(".") else { return digits }
    let mantissa = digits.prefix { $0 != "e" }
    return mantissa + ".0" + digits.dropFirst(mantissa.count)
  }

  /// A text that is a number from its first to its last character, but for blanks around it.
  fileprivate var asNumber: Any? {
    switch self {
    case .text(let text):
      let digits = text.trimmingCharacters(in: .whitespaces)
      guard digits.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }) else { return nil }
      if let integer = Int64(digits) { return integer }
      return Double(digits)
    case .date(let date): return date.timeIntervalSinceReferenceDate
    case .nothing, .integer, .real, .decimal, .uuid, .url, .data, .collection, .object: return nil
    }
  }

  fileprivate var asDate: Date? {
    let seconds: Double? =
      switch self {
      case .integer(let value): Double(value)
      case .real(let value): value.isFinite ? value : nil
      case .decimal(let value): Double(value.description)
      case .text: (asNumber as? any BinaryInteger).map { Double($0) } ?? asNumber as? Double
      case .nothing, .date, .uuid, .url, .data, .collection, .object: nil
      }
    return seconds.map(Date.init(timeIntervalSinceReferenceDate:))
  }

  /// The UUID that a text spells in any case, or that 16 bytes are, as the store keeps it.
  fileprivate var asUUID: UUID? {
    switch self {
    case .text(let text): UUID(uuidString: text)
    case .data(let data) where data.count == 16:
      data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case .nothing, .integer, .real, .decimal, .date, .uuid, .url, .data, .collection, .object: nil
    }
  }

  fileprivate var asURL: URL? {
    guard case .text(let text) = self, let url = URL(string: text), url.absoluteString == text
    else {
      return nil
    }
    return url
  }
}
