/// Archived predicates, read into trees.
///
/// An archived predicate is the graph of Foundation's private classes; each class says what kind of
/// node it is, and its operator object what it compares by.
extension PredicateTree {
  init(archived node: ArchivedNode, depth: Int = 0) throws(ArchiveError) {
    guard depth < ExpressionTree.greatestDepth else {
      throw ArchiveError("an archived predicate is nested too deeply or contains itself")
    }
    switch node.className {
    case "NSTruePredicate":
      self = .value(true)
    case "NSFalsePredicate":
      self = .value(false)
    case "NSCompoundPredicate":
      guard let kind = node["NSCompoundPredicateType"].integer.flatMap(Compound.init) else {
        throw ArchiveError("an archived compound predicate has an unknown type")
      }
      var parts: [PredicateTree] = []
      for part in node["NSSubpredicates"].elements {
        parts.append(try PredicateTree(archived: part, depth: depth + 1))
      }
      self = .compound(kind, parts)
    case "NSComparisonPredicate":
      self = .comparison(try Comparison(archived: node, depth: depth))
    case let other:
      throw ArchiveError("an archived predicate has the unknown class \(other ?? "(none)")")
    }
  }
}

extension PredicateTree.Comparison {
  fileprivate init(archived node: ArchivedNode, depth: Int) throws(ArchiveError) {
    let method = node["NSPredicateOperator"]
    guard let type = method["NSOperatorType"].integer,
      let comparator = PredicateTree.Comparator(rawValue: type)
    else {
      throw ArchiveError("an archived predicate compares by an operator that has no format")
    }
    // Operators that only work on texts call their options flags.
    let options = method["NSOptions"].integer ?? method["NSFlags"].integer ?? 0
    self.init(
      try ExpressionTree(archived: node["NSLeftExpression"], depth: depth + 1),
      comparator,
      try ExpressionTree(archived: node["NSRightExpression"], depth: depth + 1),
      options: PredicateTree.Options(rawValue: options),
      modifier: method["NSModifier"].integer.flatMap(PredicateTree.Modifier.init) ?? .direct
    )
  }
}

extension ExpressionTree {
  fileprivate static var greatestDepth: Int { 200 }

  init(archived node: ArchivedNode, depth: Int = 0) throws(ArchiveError) {
    guard depth < Self.greatestDepth else {
      throw ArchiveError("an archived expression is nested too deeply or contains itself")
    }
    switch node.className {
    case "NSSelfExpression": self = .evaluatedObject
    case "NSVariableExpression": self = .variable(node["NSVariable"].text ?? "")
    case "NSConstantValueExpression": self = try Self.constant(archived: node["NSConstantValue"])
    case "NSKeyPathSpecifierExpression": self = .keyPath(node["NSKeyPath"].text ?? "")
    case "NSKeyPathExpression", "NSFunctionExpression":
      self = try Self.call(archived: node, depth: depth)
    case "NSAggregateExpression":
      self = .aggregate(try Self.list(archived: node["NSCollection"], depth: depth))
    case "NSSetExpression", "NSUnionSetExpression", "NSIntersectSetExpression",
      "NSMinusSetExpression":
      self = try Self.combination(archived: node, depth: depth)
    case "NSSubqueryExpression":
      self = .subquery(
        try ExpressionTree(archived: node["NSCollection"], depth: depth + 1),
        variable: node["NSVariable"].text ?? node["NSVariable"]["NSVariable"].text ?? "",
        try PredicateTree(archived: node["NSPredicate"], depth: depth + 1)
      )
    case "NSTernaryExpression":
      self = .conditional(
        try PredicateTree(archived: node["NSPredicate"], depth: depth + 1),
        try ExpressionTree(archived: node["NSTrueExpression"], depth: depth + 1),
        try ExpressionTree(archived: node["NSFalseExpression"], depth: depth + 1)
      )
    case let other:
      throw ArchiveError("an archived expression has the unknown class \(other ?? "(none)")")
    }
  }

  private static func constant(archived node: ArchivedNode) throws(ArchiveError) -> ExpressionTree {
    guard ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet"].contains(node.className) else {
      return .constant(SchemaValue(archived: node))
    }
    return .aggregate(node.elements.map { .constant(SchemaValue(archived: $0)) })
  }

  /// A function call; reading a key path is one as well.
  private static func call(
    archived node: ArchivedNode,
    depth: Int
  ) throws(ArchiveError) -> ExpressionTree {
    let name = node["NSSelectorName"].text ?? ""
    let operand = node["NSOperand"]
    if name == "valueForKey:" || name == "valueForKeyPath:" {
      let argument = node["NSArguments"].elements.first
      let path = argument?["NSKeyPath"].text ?? argument?["NSConstantValue"].text
      guard let path else { throw ArchiveError("an archived key path has no keys") }
      return .keyPath(path, of: try ExpressionTree(archived: operand, depth: depth + 1))
    }
    let arguments = try list(archived: node["NSArguments"], depth: depth)
    // The class that Foundation's own functions belong to.
    if operand.isNull || !operand["NSConstantValueClassName"].isNull {
      return .function(name, arguments)
    }
    return .method(try ExpressionTree(archived: operand, depth: depth + 1), name, arguments)
  }

  private static func list(
    archived node: ArchivedNode,
    depth: Int
  ) throws(ArchiveError) -> [ExpressionTree] {
    var elements: [ExpressionTree] = []
    for element in node.elements {
      elements.append(try ExpressionTree(archived: element, depth: depth + 1))
    }
    return elements
  }

  /// A union, intersection or difference; its kind stands in its class or its expression type.
  private static func combination(
    archived node: ArchivedNode,
    depth: Int
  ) throws(ArchiveError) -> ExpressionTree {
    let operation: SetOperation =
      switch (node.className, node["NSExpressionType"].integer) {
      case ("NSUnionSetExpression", _), (_, 5): .union
      case ("NSIntersectSetExpression", _), (_, 6): .intersection
      case (_, _): .subtraction
      }
    return .combination(
      try ExpressionTree(archived: node["NSLeftExpression"], depth: depth + 1),
      operation,
      try ExpressionTree(archived: node["NSRightExpression"], depth: depth + 1)
    )
  }
}
