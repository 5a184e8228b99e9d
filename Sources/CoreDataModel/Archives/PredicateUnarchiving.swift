/// Archived predicates, read into trees.
///
/// An archived predicate is the graph of Foundation's private classes; each class says what kind of
/// node it is, and its operator object what it compares by.
extension PredicateTree {
  init(archived node: ArchivedNode) throws(ArchiveError) {
    var unarchiver = PredicateUnarchiver()
    self = try unarchiver.predicate(node)
  }
}

extension ExpressionTree {
  init(archived node: ArchivedNode) throws(ArchiveError) {
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
    case "NSTruePredicate": return .value(true)
    case "NSFalsePredicate": return .value(false)
    case "NSComparisonPredicate": return .comparison(try comparison(node))
    case "NSCompoundPredicate":
      let type = node["NSCompoundPredicateType"].integer
      guard let kind = type.flatMap(PredicateTree.Compound.init) else {
        throw ArchiveError("an archived compound predicate has an unknown type")
      }
      var parts: [PredicateTree] = []
      for part in node["NSSubpredicates"].elements { parts.append(try predicate(part)) }
      return .compound(kind, parts)
    case let other:
      throw ArchiveError("an archived predicate has the unknown class \(other ?? "(none)")")
    }
  }

  private mutating func enter() throws(ArchiveError) {
    depth += 1
    count += 1
    guard depth < Self.greatestDepth, count < Self.greatestCount else {
      throw ArchiveError("an archived predicate is too large or contains itself")
    }
  }

  private mutating func comparison(
    _ node: ArchivedNode
  ) throws(ArchiveError) -> PredicateTree.Comparison {
    let method = node["NSPredicateOperator"]
    guard let type = method["NSOperatorType"].integer,
      let comparator = PredicateTree.Comparator(rawValue: type)
    else {
      throw ArchiveError("an archived predicate compares by an operator that has no format")
    }
    // Operators that only work on texts call their options flags.
    let options = method["NSOptions"].integer ?? method["NSFlags"].integer ?? 0
    return PredicateTree.Comparison(
      try expression(node["NSLeftExpression"]),
      comparator,
      try expression(node["NSRightExpression"]),
      options: PredicateTree.Options(rawValue: options),
      modifier: method["NSModifier"].integer.flatMap(PredicateTree.Modifier.init) ?? .direct
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
    case "NSConstantValueExpression": return constant(node["NSConstantValue"])
    case "NSKeyPathSpecifierExpression": return .keyPath(node["NSKeyPath"].text ?? "")
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

  private func constant(_ node: ArchivedNode) -> ExpressionTree {
    guard ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet"].contains(node.className) else {
      return .constant(SchemaValue(archived: node))
    }
    return .aggregate(node.elements.map { .constant(SchemaValue(archived: $0)) })
  }

  /// A function call; reading a key path is one as well.
  private mutating func call(_ node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    let name = node["NSSelectorName"].text ?? ""
    let operand = node["NSOperand"]
    if name == "valueForKey:" || name == "valueForKeyPath:" {
      let argument = node["NSArguments"].elements.first
      guard let path = argument?["NSKeyPath"].text ?? argument?["NSConstantValue"].text else {
        throw ArchiveError("an archived key path has no keys")
      }
      return .keyPath(path, of: try expression(operand))
    }
    let arguments = try list(node["NSArguments"])
    // Foundation's own functions are methods of a class, which stands as the operand.
    if operand.isNull || !operand["NSConstantValueClassName"].isNull {
      return .function(name, arguments)
    }
    return .method(try expression(operand), name, arguments)
  }

  private mutating func list(_ node: ArchivedNode) throws(ArchiveError) -> [ExpressionTree] {
    var elements: [ExpressionTree] = []
    for element in node.elements { elements.append(try expression(element)) }
    return elements
  }

  /// A union, intersection or difference; its kind stands in its class or its expression type.
  private mutating func combination(_ node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    let operation: ExpressionTree.SetOperation =
      switch (node.className, node["NSExpressionType"].integer) {
      case ("NSUnionSetExpression", _), (_, 5): .union
      case ("NSIntersectSetExpression", _), (_, 6): .intersection
      case (_, _): .subtraction
      }
    return .combination(
      try expression(node["NSLeftExpression"]),
      operation,
      try expression(node["NSRightExpression"])
    )
  }
}
