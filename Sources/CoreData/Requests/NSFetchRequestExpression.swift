public import CoreDataPredicates
import Foundation

/// An expression whose value is the result of a fetch request or the number of its results.
///
/// In the predicate of a fetch, the expression is evaluated once, with one statement, before the
/// rows are compared. In a format string it is written as:
///
/// ```
/// FETCH($request, $context, NO)
/// ```
public final class NSFetchRequestExpression: CoreDataPredicates.NSExpression {
  /// Returns an expression that executes a fetch request each time it is evaluated.
  ///
  /// - Parameters:
  ///   - fetch: An expression whose value is the fetch request.
  ///   - context: An expression whose value is the context that executes the request.
  ///   - countFlag: `true` to return the number of results instead of the results.
  /// - Returns: The expression.
  public class func expression(
    forFetch fetch: CoreDataPredicates.NSExpression,
    context: CoreDataPredicates.NSExpression,
    countOnly countFlag: Bool
  ) -> CoreDataPredicates.NSExpression {
    NSFetchRequestExpression(
      tree: .fetch(request: fetch.tree, context: context.tree, countOnly: countFlag)
    )
  }

  private var parts: (request: ExpressionTree, context: ExpressionTree, countOnly: Bool) {
    guard case .fetch(let request, let context, let countOnly) = tree else {
      stop("\(tree) is not a fetch; make one with NSFetchRequestExpression.expression(forFetch:…)")
    }
    return (request, context, countOnly)
  }

  /// The expression whose value is the fetch request.
  public var requestExpression: CoreDataPredicates.NSExpression {
    CoreDataPredicates.NSExpression(tree: parts.request)
  }

  /// The expression whose value is the context that executes the request.
  public var contextExpression: CoreDataPredicates.NSExpression {
    CoreDataPredicates.NSExpression(tree: parts.context)
  }

  /// A Boolean value that indicates whether the expression returns the number of results.
  public var isCountOnlyRequest: Bool { parts.countOnly }
}

/// The expression type of an ``NSFetchRequestExpression``.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSFetchRequestExpressionType = CoreDataPredicates.NSExpression.ExpressionType
  .fetchRequest

// MARK: - Answering FETCH

/// A fetch request, whatever it gives.
protocol FetchableByExpression {
  func results(in context: NSManagedObjectContext) throws -> [Any]
  func count(in context: NSManagedObjectContext) throws -> Int
}

extension NSFetchRequest: FetchableByExpression {
  func results(in context: NSManagedObjectContext) throws -> [Any] { try context.fetch(self) }

  func count(in context: NSManagedObjectContext) throws -> Int { try context.count(for: self) }
}

extension NSManagedObjectContext: FetchPerforming {
  package func fetch(_ request: Any, countOnly: Bool) throws -> Any? {
    guard let request = request as? any FetchableByExpression else {
      throw EvaluationError(
        "FETCH needs a fetch request, not an object of type \(type(of: request))"
      )
    }
    return countOnly ? try request.count(in: self) : try request.results(in: self).comparable
  }
}

extension [Any] {
  /// Dictionaries of one value each are compared by that value.
  fileprivate var comparable: [Any] {
    guard let dictionaries = self as? [NSDictionary],
      dictionaries.allSatisfy({ $0.count <= 1 })
    else { return self }
    return dictionaries.compactMap { $0.allValues.first }
  }
}

// MARK: - In stores

extension CoreDataPredicates.PredicateTree {
  /// The same predicate with the results of its `FETCH`es, if these are the same for every object.
  ///
  /// A store evaluates a predicate for every row, and the fetch once.
  func replacingFetches() throws -> Self {
    try mappingExpressions { side throws in try side.replacingFetches() }
  }
}

extension CoreDataPredicates.ExpressionTree {
  func replacingFetches() throws -> Self {
    if case .fetch = self, isConstant { return .constant(Constant(try found())) }
    return try mappingParts { part throws in try part.replacingFetches() }
  }

  private func found() throws -> Any? {
    do {
      return try value(with: nil)
    } catch {
      let cause = StoreFailure.Cause.untranslatable(
        part: description,
        problem: error.description,
        remedy: "give FETCH a fetch request and the context that performs it"
      )
      throw StoreFailure(cause, path: "memory").error()
    }
  }
}
