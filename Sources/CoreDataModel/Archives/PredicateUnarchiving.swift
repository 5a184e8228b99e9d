package import CoreDataPredicates

/// Archived predicates, read into trees.
///
/// An archived predicate is the graph of Foundation's private classes; each class is a kind of
/// node, and its operator object names the comparison.
extension PredicateTree {
  init(archived node: ArchivedNode) throws(ArchiveError) {
    var unarchiver = PredicateUnarchiver()
    self = try unarchiver.predicate(node)
  }
}

extension ExpressionTree {
  package init(archived node: ArchivedNode) throws(ArchiveError) {
    var unarchiver = PredicateUnarchiver()
    self = try unarchiver.expression(node)
  }
}

/// Reads one predicate or expression, with an eye on its size: objects of an archive may be shared,
/// so that a few of them could unfold into an endless tree.
private struct PredicateUnarchiver {
  private var depth = 0
  private var count = 0

  private static let greatestDepth = 200
  private static let greatestCount = 20_000

  mutating func predicate(_ node: ArchivedNode) throws(ArchiveError) -> PredicateTree {
    try enter()
    defer { depth -= 1 }
    switch node.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSComparisonPredicate": return .comparison(try comparison(node))
    case "NSCompoundPredicate": return try compound(node)
    case let other:
      throw ArchiveError("an archived predicate has the unknown class \(other ?? "(none)")")
    }
  }

  private mutating func compound(_ node: ArchivedNode) throws(ArchiveError) -> PredicateTree {
    var parts: [PredicateTree] = []
    for part in node["NSSubpredicates"].elements { parts.append(try predicate(part)) }
    switch (node["NSCompoundPredicateType"].integer, parts.count) {
    case (0, 1): return .not(parts[0])
    case (0, let count):
      throw ArchiveError("an archived NOT is of \(count) predicates, not of one")
    case (1, _): return .and(parts)
    case (2, _): return .or(parts)
    case (_, _): throw ArchiveError("an archived compound predicate has an unknown type")
    }
  }

  private mutating func enter() throws(ArchiveError) {
    depth += 1
    count += 1
    guard depth < Self.greatestDepth, count < Self.greatestCount else {
      throw ArchiveError("an archived predicate is too large or contains itself")
    }
  }

  private mutating func comparison(_ node: ArchivedNode) throws(ArchiveError) -> Comparison {
    let method = node["NSPredicateOperator"]
    guard let type = method["NSOperatorType"].integer.flatMap(UInt.init(exactly:)),
      let op = Comparison.Operator(rawValue: type)
    else {
      throw ArchiveError("an archived predicate compares by an operator that has no format")
    }
    // Operators that only work on texts call their options flags.
    let options = method["NSOptions"].integer ?? method["NSFlags"].integer ?? 0
    let modifier = method["NSModifier"].integer ?? 0
    return Comparison(
      try expression(node["NSLeftExpression"]),
      op,
      try expression(node["NSRightExpression"]),
      modifier: UInt(exactly: modifier).flatMap(Comparison.Modifier.init) ?? .direct,
      options: Comparison.Options(rawValue: UInt(exactly: options) ?? 0)
    )
  }
}

// MARK: - Expressions

extension PredicateUnarchiver {
  mutating func expression(_ node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    try enter()
    defer { depth -= 1 }
    switch node.className {
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression": return .variable(node["NSVariable"].text ?? "")
    case "NSAnyKeyExpression": return .anyKey
    case "NSConstantValueExpression": return try constant(node["NSConstantValue"])
    case "NSKeyPathSpecifierExpression": return .path(node["NSKeyPath"].text ?? "")
    case "NSKeyPathExpression", "NSFunctionExpression": return try call(node)
    case "NSAggregateExpression": return .aggregate(try list(node["NSCollection"]))
    case "NSSetExpression", "NSUnionSetExpression", "NSIntersectSetExpression",
      "NSMinusSetExpression":
      return try combination(node)
    case "NSSubqueryExpression":
      return .subquery(
        try expression(node["NSCollection"]),
        variable: node["NSVariable"].text ?? node["NSVariable"]["NSVariable"].text ?? "",
        try predicate(node["NSPredicate"])
      )
    case "NSFetchRequestExpression":
      return .fetch(
        request: try expression(node["NSFRExpression"]),
        context: try expression(node["NSMOCExpression"]),
        countOnly: node["NSCountOnlyFlag"].isTrue
      )
    case "NSTernaryExpression":
      return .conditional(
        try predicate(node["NSPredicate"]),
        try expression(node["NSTrueExpression"]),
        try expression(node["NSFalseExpression"])
      )
    case let other:
      throw ArchiveError("an archived expression has the unknown class \(other ?? "(none)")")
    }
  }

  private func constant(_ node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    if ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet"].contains(node.className) {
      var elements: [ExpressionTree] = []
      for element in node.elements { elements.append(try value(element)) }
      return .aggregate(elements)
    }
    return try value(node)
  }

  private func value(_ node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    guard let value = SchemaValue(archived: node) else { return .constant(Constant(nil)) }
    guard let constant = value.constant else {
      throw ArchiveError(
        "an archived predicate has a value of \(node.className ?? "data"), which no format can say"
      )
    }
    return .constant(constant)
  }

  private mutating func list(_ node: ArchivedNode) throws(ArchiveError) -> [ExpressionTree] {
    var elements: [ExpressionTree] = []
    for element in node.elements { elements.append(try expression(element)) }
    return elements
  }

  /// A union, intersection or difference; its kind is in its class or its expression type.
  private mutating func combination(_ node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    let operation: SetOperation =
      switch (node.className, node["NSExpressionType"].integer) {
      case ("NSUnionSetExpression", _), (_, 5): .union
      case ("NSIntersectSetExpression", _), (_, 6): .intersect
      case (_, _): .minus
      }
    return .set(
      operation,
      try expression(node["NSLeftExpression"]),
      try expression(node["NSRightExpression"])
    )
  }
}

// MARK: - Calls

extension PredicateUnarchiver {
  /// A function call; reading a key path is one as well.
  private mutating func call(_ node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    let name = node["NSSelectorName"].text ?? ""
    let operand = node["NSOperand"]
    if name == "valueForKey:" || name == "valueForKeyPath:" {
      return try keyPath(node["NSArguments"].elements.first, of: expression(operand))
    }
    // Foundation's own functions are methods of a class, which is the operand.
    guard operand.isNull || !operand["NSConstantValueClassName"].isNull else {
      let target = try expression(operand)
      return .message(
        target: target,
        selector: name,
        arguments: try list(node["NSArguments"])
      )
    }
    if name == FunctionName.index { return try element(node["NSArguments"].elements) }
    return try function(name, try list(node["NSArguments"]))
  }

  private func keyPath(
    _ argument: ArchivedNode?,
    of base: ExpressionTree
  ) throws(ArchiveError) -> ExpressionTree {
    if argument?.className == "NSVariableExpression", let name = argument?["NSVariable"].text {
      return .variableKey(base: base, variable: name)
    }
    let path = argument?["NSKeyPath"].text ?? argument?["NSConstantValue"].text
    guard let keys = path?.keys, !keys.isEmpty else {
      throw ArchiveError("an archived key path has no keys")
    }
    return .path(base, keys)
  }

  private mutating func element(_ arguments: [ArchivedNode]) throws(ArchiveError) -> ExpressionTree
  {
    guard arguments.count == 2 else {
      throw ArchiveError("an archived index is of \(arguments.count) expressions, not of two")
    }
    let list = try expression(arguments[0])
    guard arguments[1].className == "NSSymbolicExpression" else {
      return .index(list, .at(try expression(arguments[1])))
    }
    let places = [IndexPlace.first, .last, .size]
    guard let place = places.first(where: { $0.description == arguments[1]["NSSymbol"].text })
    else {
      throw ArchiveError("an archived index has an unknown symbol")
    }
    return .index(list, place)
  }

  private func function(
    _ name: String,
    _ arguments: [ExpressionTree]
  ) throws(ArchiveError) -> ExpressionTree {
    if name == FunctionName.cast, arguments.count == 2, case .constant(let word) = arguments[1],
      let type = (word.value as? String).flatMap(CastType.init)
    {
      return .cast(arguments[0], to: type)
    }
    guard let function = PredicateFunction(rawValue: name),
      function.arity.contains(arguments.count)
    else {
      throw ArchiveError(
        "an archived expression calls \(name) with \(arguments.count) arguments; no such function is known"
      )
    }
    return .function(function, arguments)
  }
}
