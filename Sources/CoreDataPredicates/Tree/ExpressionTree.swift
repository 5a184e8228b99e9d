/// An expression as a value: each side of a comparison, and everything inside.
///
/// ```
/// SUBQUERY(notes, $n, $n.stars > 3).@count
///
/// keyPath  @count
/// └── subquery  $n
///     ├── keyPath  notes
///     │   └── evaluatedObject
///     └── comparison  $n.stars > 3
/// ```
package indirect enum ExpressionTree: Hashable, Sendable {
  case constant(Constant)
  /// `SELF`.
  case evaluatedObject
  /// `$name`, without the dollar sign.
  case variable(String)
  /// One or more keys read from a base: `folder.name`, `$n.stars`, `notes.@avg.stars`.
  ///
  /// `title` and `SELF.title` are the same, and a base is never itself a key path.
  /// Make one with `ExpressionTree.path(_:_:)`, which sees to both.
  case keyPath(base: ExpressionTree, names: [String])
  /// A key that a variable names: `$note.$attribute`. Substituting the variable gives a key path.
  case variableKey(base: ExpressionTree, variable: String)
  /// `{1, 2, stars}`.
  case aggregate([ExpressionTree])
  /// A predefined function, operators such as `+` included.
  case function(PredicateFunction, [ExpressionTree])
  /// `FUNCTION(target, "selector:", argument)`.
  case message(target: ExpressionTree, selector: String, arguments: [ExpressionTree])
  /// `SUBQUERY(collection, $variable, predicate)`.
  case subquery(ExpressionTree, variable: String, PredicateTree)
  /// `notes[0]`, `notes[FIRST]`, `counts["red"]`.
  case index(ExpressionTree, IndexPlace)
  /// `CAST(expression, "NSDate")`.
  case cast(ExpressionTree, to: CastType)
  /// `TERNARY(predicate, expression, expression)`.
  case conditional(PredicateTree, ExpressionTree, ExpressionTree)
  /// `tags UNION folder.tags`.
  case set(SetOperation, ExpressionTree, ExpressionTree)
  /// `$name := expression`; binds the variable for later expressions.
  case assignment(String, ExpressionTree)
  /// `FETCH(request, context, countOnly)`.
  case fetch(request: ExpressionTree, context: ExpressionTree, countOnly: Bool)
  /// `ANYKEY`, the key of a Spotlight query.
  case anyKey
  /// Code that only memory can run.
  case block(ExpressionBlock, [ExpressionTree])
}

/// The content of the brackets in `notes[…]`.
package indirect enum IndexPlace: Hashable, Sendable {
  case first
  case last
  case size
  /// A position in a list, or the key of a dictionary.
  case at(ExpressionTree)
}

package enum SetOperation: String, Hashable, Sendable, CaseIterable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}

/// A type that `CAST` can turn a value into, under the name that a format string uses.
package enum CastType: String, Hashable, Sendable, CaseIterable {
  case date = "NSDate"
  case number = "NSNumber"
  case decimal = "NSDecimalNumber"
  case string = "NSString"
  case uuid = "NSUUID"
  case url = "NSURL"
}

// MARK: - Making key paths

extension ExpressionTree {
  /// Keys read from a base, with nested paths joined and a leading `self` dropped.
  package static func path(_ base: ExpressionTree, _ names: [String]) -> ExpressionTree {
    if names.isEmpty { return base }
    if case .keyPath(let root, let first) = base {
      return .keyPath(base: root, names: first + names)
    }
    if names.first == "self" { return path(base, Array(names.dropFirst())) }
    return .keyPath(base: base, names: names)
  }

  /// A dotted key path of the evaluated object: `folder.name`.
  package static func path(_ dotted: String) -> ExpressionTree {
    path(.evaluatedObject, dotted.keys)
  }

  /// The keys, when this is a plain path of the evaluated object.
  package var names: [String]? {
    guard case .keyPath(.evaluatedObject, let names) = self else { return nil }
    return names
  }
}
