import Foundation

/// Turns what `#Predicate` and `#Expression` make into trees.
///
/// The macros nest generic structures whose types tell what they do. Each of them knows here
/// which piece of a tree it is:
///
/// ```
/// #Predicate<Note> { $0.stars > 3 && $0.folder?.name == "Work" }
///
/// Conjunction                          and
/// ├── Comparison                       ├── comparison  stars > 3
/// │   ├── KeyPath  \Note.stars         │
/// │   └── Value  3                     │
/// └── Equal                            └── comparison  folder.name == "Work"
///     ├── OptionalFlatMap  …
///     └── Value  "Work"
/// ```
struct Conversion {
  /// The expressions that the variables of closures mean.
  private var meanings: [PredicateExpressions.VariableID: ExpressionTree] = [:]
  private var subqueries = 0

  /// The converted expression; throws for one that only Swift can run.
  mutating func convert(
    _ expression: any PredicateExpression
  ) throws(ConversionError) -> Converted {
    guard let convertible = expression as? any TreeConvertible else {
      throw ConversionError("\(type(of: expression)) is not a part of predicates")
    }
    return try convertible.converted(by: &self)
  }

  mutating func value(
    of expression: any PredicateExpression
  ) throws(ConversionError) -> ExpressionTree {
    try convert(expression).value
  }

  mutating func condition(
    of expression: any PredicateExpression
  ) throws(ConversionError) -> PredicateTree {
    try convert(expression).condition
  }
}

/// A structure of `PredicateExpressions` that has a meaning in a tree.
protocol TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted
}

/// The reason why a Swift predicate cannot be a tree.
package struct ConversionError: Error, CustomStringConvertible {
  package let description: String
  /// Whether there may be one when the model of a class is loaded.
  var isForNow = false

  package init(_ description: String) {
    self.description = description
  }
}

// MARK: - Variables

extension Conversion {
  func meaning(
    of variable: PredicateExpressions.VariableID
  ) throws(ConversionError) -> ExpressionTree {
    guard let meaning = meanings[variable] else {
      throw ConversionError("a variable of another predicate is used")
    }
    return meaning
  }

  mutating func bind<Value>(
    _ variable: PredicateExpressions.Variable<Value>,
    to meaning: ExpressionTree
  ) {
    meanings[variable.key] = meaning
  }

  /// The elements that a test holds for: `SUBQUERY(tags, $x1, $x1.name == "swift")`.
  mutating func subquery<Element>(
    of collection: any PredicateExpression,
    _ variable: PredicateExpressions.Variable<Element>,
    where test: any PredicateExpression,
    isNegated: Bool = false
  ) throws(ConversionError) -> ExpressionTree {
    let elements = try value(of: collection)
    subqueries += 1
    let name = "x\(subqueries)"
    bind(variable, to: .variable(name))
    let condition = try condition(of: test)
    return .subquery(elements, variable: name, isNegated ? .not(condition) : condition)
  }
}

// MARK: - Whole predicates

extension PredicateTree {
  /// Throws for code that only Swift can run.
  init<Input>(converting predicate: Predicate<Input>) throws(ConversionError) {
    var conversion = Conversion()
    conversion.bind(predicate.variable, to: .evaluatedObject)
    self = try conversion.condition(of: predicate.expression)
  }
}

extension ExpressionTree {
  /// `nil`, with a sentence in the log, for code that only Swift can run.
  init?<Input, Output>(_ expression: Expression<Input, Output>) {
    var conversion = Conversion()
    conversion.bind(expression.variable, to: .evaluatedObject)
    do throws(ConversionError) {
      self = try conversion.value(of: expression.expression)
    } catch {
      error.log("an expression", of: Input.self)
      return nil
    }
  }
}

extension ConversionError {
  func log(_ what: String, of input: Any.Type) {
    NSLog("CoreData: warning: %@ of %@ cannot be converted: %@", what, "\(input)", description)
  }
}
