import CoreDataModel
import CoreDataPredicates

/// Holds the keys of a request to a store in memory against the model, before any object is asked.
///
/// Refuses what a database would: keys that the entity does not have, and properties that no store
/// keeps, though an object would have an answer for them.
struct StoredKeys {
  private let layout: EntityLayout
  /// The entities of the variables of subqueries.
  private var variables: [String: EntityLayout] = [:]
  /// Objects that are of an entity below the one that the model names, where a condition has asked for it.
  private var narrowings: [(path: CoreDataPredicates.ExpressionTree, layout: EntityLayout)] = []

  init(_ layout: EntityLayout) {
    self.layout = layout
  }

  func check(_ predicate: CoreDataPredicates.PredicateTree) throws {
    _ = try predicate.mappingExpressions { side throws in
      try check(side)
      return side
    }
  }

  func check(_ expression: CoreDataPredicates.ExpressionTree) throws {
    if let (start, names) = start(of: expression) { try check(names, from: start, in: expression) }
    if case .subquery(let collection, let variable, let predicate) = expression {
      try check(collection)
      var inner = self
      inner.variables[variable] = start(of: collection).flatMap { $0.0.destination(of: $0.1) }
      return try inner.check(predicate)
    }
    if case .conditional(let predicate, let yes, let no) = expression,
      let narrowing = narrowing(by: predicate)
    {
      try check(predicate)
      var inner = self
      inner.narrowings.append(narrowing)
      try inner.check(yes)
      return try check(no)
    }
    _ = try expression.mappingParts { part throws in
      try check(part)
      return part
    }
  }

  /// The object of which `entity IN {Car, Racer}` asks for an entity, and the first that it names.
  private func narrowing(
    by predicate: CoreDataPredicates.PredicateTree
  ) -> (path: CoreDataPredicates.ExpressionTree, layout: EntityLayout)? {
    guard case .comparison(let comparison) = predicate, comparison.op == .in,
      case .keyPath(let base, let names) = comparison.left, names.last == "entity",
      case .aggregate(let entities) = comparison.right,
      case .constant(let constant)? = entities.first,
      let narrowed = constant.value.flatMap(layout.entity(describedBy:))
    else { return nil }
    return (.path(base, names.dropLast()), narrowed)
  }

  /// The entity that a path begins at, as far as it is known, and its keys.
  private func start(
    of expression: CoreDataPredicates.ExpressionTree
  ) -> (EntityLayout, [String])? {
    for (path, layout) in narrowings.reversed() {
      if let names = expression.names(behind: path) { return (layout, names) }
    }
    return switch expression {
    case .keyPath(.evaluatedObject, let names): (layout, names)
    case .keyPath(.variable(let variable), let names): variables[variable].map { ($0, names) }
    case .constant, .evaluatedObject, .variable, .keyPath, .variableKey, .aggregate, .function,
      .message, .subquery, .index, .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block:
      nil
    }
  }

  private func check(
    _ names: [String],
    from start: EntityLayout,
    in part: CoreDataPredicates.ExpressionTree
  ) throws {
    if case .unstored = RecordPath(names, from: start).end {
      throw refusal(
        part,
        "\(names.joined(separator: ".")) of \(start.name) is not kept in the store",
        PredicateCompilationError.filterInMemory
      )
    }
    if let (owner, name) = start.unknownKey(in: names) {
      throw refusal(
        part,
        "\(owner) has no property \"\(name)\"",
        "correct the name, or fetch the entity that has it"
      )
    }
  }

  private func refusal(
    _ part: CoreDataPredicates.ExpressionTree,
    _ problem: String,
    _ remedy: Advice
  ) -> any Error {
    let reason = StoreFailure.Cause.untranslatable(
      part: part.description,
      problem: problem,
      remedy: remedy
    )
    return StoreFailure(reason, path: "memory").error()
  }
}

extension CoreDataPredicates.ExpressionTree {
  /// The keys of a path that follow another path; `nil` if it does not begin so.
  fileprivate func names(behind path: Self) -> [String]? {
    guard case .keyPath(let base, let names) = self else { return nil }
    if base == path { return names }
    guard case .keyPath(base, let first) = path, names.count > first.count,
      names.starts(with: first)
    else { return nil }
    return Array(names.dropFirst(first.count))
  }
}

extension EntityLayout {
  /// The first key of a path that is nowhere in the model, and the entity that should have it.
  ///
  /// Keys that follow a value, such as the `length` of a text, are left to the value.
  fileprivate func unknownKey(in names: [String]) -> (owner: String, name: String)? {
    var layout = self
    for (place, name) in names.enumerated() {
      if name.hasPrefix("@") || ["self", "SELF", "objectID"].contains(name) { continue }
      if name == "entity" { return nil }
      guard let slot = layout.slot(named: name) else { return ("the entity \(layout.name)", name) }
      if layout.kinds[slot] == .composite {
        var part = layout.slots[slot].attribute
        for name in names[(place + 1)...] where !name.hasPrefix("@") {
          part = part?.elements.first { $0.name == name }
          if part == nil { return ("\(layout.name).\(layout.slots[slot].name)", name) }
        }
        return nil
      }
      guard let end = layout.slots[slot].end, let next = layout.model[number: end.destination]
      else {
        return nil
      }
      layout = next
    }
    return nil
  }

  /// The entity of the objects that a path leads to, if it leads to some.
  fileprivate func destination(of names: [String]) -> EntityLayout? {
    names.reduce(self as EntityLayout?) { layout, name in
      guard let layout, let slot = layout.slot(named: name), let end = layout.slots[slot].end
      else { return nil }
      return layout.model[number: end.destination]
    }
  }
}
