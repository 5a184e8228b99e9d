package import CoreData
package import CoreDataModel
package import CoreDataPredicates
import Foundation

/// Makes values of the texts that a condition compares with dates, UUIDs, URLs, numbers and objects.
///
/// ```
/// created > "2024-05-10"          created > the last moment of that day
/// created == "2024-05-10"         created BETWEEN its first and its last moment
/// uuid == "6B29FC40-…"            uuid == the UUID
/// folder == "Folder/p1"           folder == the object's identity
/// notes CONTAINS "Note/p3"        notes CONTAINS the object's identity
/// isFavourite == "yes"            isFavourite == true
/// stars == "3"                    stars == 3
/// ```
///
/// A format string cannot express most of these; a program passes them as arguments, which somebody who types a command
/// cannot. A text that cannot be converted is refused with the forms that can.
package struct TypedConstants {
  package let schema: ModelSchema
  package let coordinator: NSPersistentStoreCoordinator
  /// The whole condition, where errors mark a place.
  package let text: String

  package init(schema: ModelSchema, coordinator: NSPersistentStoreCoordinator, text: String) {
    self.schema = schema
    self.coordinator = coordinator
    self.text = text
  }

  /// The condition with values in the place of texts, asked of objects of the entity.
  package func rewriting(_ tree: PredicateTree, of entity: String) throws -> PredicateTree {
    try rewriting(tree, Scope(entity: entity))
  }

  /// The entities of `SELF` and of variables.
  private struct Scope {
    var entity: String
    var variables: [String: String] = [:]
  }

  /// The type of an expression's value.
  package enum Meaning {
    case date(String)
    case uuid(String)
    case url(String)
    case truth(String)
    case number(String)
    case object(of: String, String)
  }

  private func rewriting(_ tree: PredicateTree, _ scope: Scope) throws -> PredicateTree {
    switch tree {
    case .constant, .block: return tree
    case .and(let terms): return .and(try terms.map { try rewriting($0, scope) })
    case .or(let terms): return .or(try terms.map { try rewriting($0, scope) })
    case .not(let term): return .not(try rewriting(term, scope))
    case .comparison(var comparison):
      comparison.left = try rewriting(comparison.left, scope)
      comparison.right = try rewriting(comparison.right, scope)
      return try rewriting(comparison, scope)
    }
  }

  /// The conditions inside an expression.
  private func rewriting(_ expression: ExpressionTree, _ scope: Scope) throws -> ExpressionTree {
    switch expression {
    case .subquery(let collection, let variable, let condition):
      var inner = scope
      if case .object(let entity, _)? = meaning(of: collection, scope) {
        inner.variables[variable] = entity
      }
      return .subquery(collection, variable: variable, try rewriting(condition, inner))
    case .conditional(let condition, let yes, let no):
      return .conditional(try rewriting(condition, scope), yes, no)
    case .cast(.constant(let constant), let type):
      // A cast that has a value is that value already.
      guard let word = constant.value as? String else { return expression }
      throw refusal(
        "\"\(word)\" is not a valid \(type.rawValue)"
          + (type == .date ? "; write a date as \(WrittenDate.forms)" : ""),
        at: word
      )
    case .constant, .evaluatedObject, .variable, .keyPath, .variableKey, .aggregate, .function,
      .message, .index, .cast, .set, .assignment, .fetch, .anyKey, .block:
      return try expression.mappingParts { part throws in try rewriting(part, scope) }
    }
  }
}

// MARK: - Comparisons

extension TypedConstants {
  private func rewriting(_ comparison: Comparison, _ scope: Scope) throws -> PredicateTree {
    if let member = try memberNamed(in: comparison, scope) { return .comparison(member) }
    if let meaning = meaning(of: comparison.left, scope) {
      return try rewriting(comparison, meaning)
    }
    if comparison.op == .in, let word = comparison.left.word,
      case .object(let entity, let place)? = meaning(of: comparison.right, scope)
    {
      var changed = comparison
      changed.left = try value(of: word, .object(of: entity, place))
      return .comparison(changed)
    }
    guard let meaning = meaning(of: comparison.right, scope), let op = comparison.op.turned,
      comparison.left.word != nil
    else { return .comparison(comparison) }
    var turned = comparison
    (turned.left, turned.right, turned.op) = (comparison.right, comparison.left, op)
    return try rewriting(turned, meaning)
  }

  private func rewriting(_ comparison: Comparison, _ meaning: Meaning) throws -> PredicateTree {
    switch comparison.op {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      guard let word = comparison.right.word else { return .comparison(comparison) }
      if case .date(let place) = meaning {
        return try comparison.with(date(word, place))
      }
      var changed = comparison
      changed.right = try value(of: word, meaning)
      return .comparison(changed)
    case .contains:
      // Objects are not compared in the question whether a text contains another.
      guard case .object = meaning, let word = comparison.right.word else {
        return .comparison(comparison)
      }
      var changed = comparison
      changed.right = try value(of: word, meaning)
      return .comparison(changed)
    case .in, .between:
      guard case .aggregate(let elements) = comparison.right,
        elements.contains(where: { $0.word != nil })
      else { return .comparison(comparison) }
      return try rewriting(comparison, elements, meaning)
    case .matches, .like, .beginsWith, .endsWith:
      return .comparison(comparison)
    }
  }

  private func rewriting(
    _ comparison: Comparison,
    _ elements: [ExpressionTree],
    _ meaning: Meaning
  ) throws -> PredicateTree {
    var changed = comparison
    guard case .date(let place) = meaning else {
      let values = try elements.map { element in
        try element.word.map { try value(of: $0, meaning) } ?? element
      }
      changed.right = .aggregate(values)
      return .comparison(changed)
    }
    if comparison.op == .between {
      let ends = try elements.enumerated().map { index, element in
        try element.word.map { word in
          let date = try date(word, place)
          return .constant(Constant(index == 0 ? date.start : date.last))
        } ?? element
      }
      changed.right = .aggregate(ends)
      return .comparison(changed)
    }
    return .or(
      try elements.map { element in
        var single = comparison
        (single.op, single.right) = (.equalTo, element)
        return try rewriting(single, meaning)
      }
    )
  }
}

extension TypedConstants {
  /// `cars CONTAINS "Car/p1"` and `"Car/p1" IN cars` with the object in the place of its name; nil for
  /// anything else.
  private func memberNamed(in comparison: Comparison, _ scope: Scope) throws -> Comparison? {
    var changed = comparison
    switch comparison.op {
    case .contains:
      guard let word = comparison.right.word, let meaning = meaning(of: comparison.left, scope)
      else {
        return nil
      }
      changed.right = try value(of: word, meaning)
    case .in:
      guard let word = comparison.left.word, let meaning = meaning(of: comparison.right, scope)
      else {
        return nil
      }
      changed.left = try value(of: word, meaning)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
      .matches, .like, .beginsWith, .endsWith, .between:
      return nil
    }
    return changed
  }
}

extension Comparison {
  /// Stored dates are compared as far as the date is written: no part of the written second comes after it.
  fileprivate func with(_ date: WrittenDate) -> PredicateTree {
    func compared(_ op: Operator, _ value: ExpressionTree) -> PredicateTree {
      var comparison = self
      (comparison.op, comparison.right) = (op, value)
      return .comparison(comparison)
    }
    let start = ExpressionTree.constant(Constant(date.start))
    let last = ExpressionTree.constant(Constant(date.last))
    switch op {
    case .lessThan: return compared(.lessThan, start)
    case .lessThanOrEqualTo: return compared(.lessThanOrEqualTo, last)
    case .greaterThan: return compared(.greaterThan, last)
    case .greaterThanOrEqualTo: return compared(.greaterThanOrEqualTo, start)
    case .notEqualTo where modifier == .all:
      var any = self
      any.modifier = .any
      any.op = .equalTo
      return .not(any.with(date))
    case .notEqualTo:
      let outside = [compared(.lessThan, start), compared(.greaterThan, last)]
      // Nothing is another date too.
      return .or(
        modifier == .direct ? outside + [compared(.equalTo, .constant(Constant(nil)))] : outside
      )
    case .equalTo, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between:
      return compared(.between, .aggregate([start, last]))
    }
  }
}

extension Comparison.Operator {
  /// The operator with its sides exchanged; `nil` if that means something else.
  fileprivate var turned: Comparison.Operator? {
    switch self {
    case .equalTo, .notEqualTo: self
    case .lessThan: .greaterThan
    case .lessThanOrEqualTo: .greaterThanOrEqualTo
    case .greaterThan: .lessThan
    case .greaterThanOrEqualTo: .lessThanOrEqualTo
    case .matches, .like, .beginsWith, .endsWith, .in, .contains, .between: nil
    }
  }
}

extension ExpressionTree {
  /// The text of a constant.
  fileprivate var word: String? {
    if case .constant(let constant) = self { constant.value as? String } else { nil }
  }
}

// MARK: - What expressions give

extension TypedConstants {
  private func meaning(of expression: ExpressionTree, _ scope: Scope) -> Meaning? {
    switch expression {
    case .evaluatedObject: return .object(of: scope.entity, "SELF")
    case .variable(let name):
      return scope.variables[name].map { .object(of: $0, "$" + name) }
    case .keyPath(.evaluatedObject, let names):
      return meaning(of: names, from: scope.entity)
    case .keyPath(.variable(let name), let names):
      return scope.variables[name].flatMap { meaning(of: names, from: $0) }
    case .constant, .keyPath, .variableKey, .aggregate, .function, .message, .subquery, .index,
      .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block:
      return nil
    }
  }

  private func meaning(of names: [String], from entity: String) -> Meaning? {
    var place = entity
    for (depth, name) in names.enumerated() {
      if ["self", "SELF", "objectID", "@min", "@max"].contains(name) { continue }
      switch schema.property(name, of: place) {
      case .relationship(let relationship)?: place = relationship.destinationName
      case .attribute(var attribute)?:
        for name in names.dropFirst(depth + 1) {
          attribute = attribute.elements.first { $0.name == name } ?? attribute
        }
        let words = "\(place).\(names.dropFirst(depth).joined(separator: "."))"
        switch attribute.type {
        case .date: return .date(words)
        case .uuid: return .uuid(words)
        case .uri: return .url(words)
        case .boolean: return .truth(words)
        case .integer16, .integer32, .integer64, .decimal, .double, .float: return .number(words)
        case .undefined, .string, .binaryData, .transformable, .objectID, .composite: return nil
        }
      case .fetched?, nil: return nil
      }
    }
    return .object(of: place, "\(entity).\(names.joined(separator: "."))")
  }
}
