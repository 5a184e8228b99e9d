package import CoreDataPredicates
import Foundation

/// Predicates and expressions as text that a model can keep.
///
/// A schema has text, `CoreDataPredicates` has trees, and text has to become the same tree again.
/// So the text is that of `predicateFormat`, except for values that it prints in an unreadable
/// form:
///
///     description   id == 6F9619FF-8B86-D011-B42D-00C04FC964FF
///     format        id == CAST("6F9619FF-8B86-D011-B42D-00C04FC964FF", "NSUUID")
extension PredicateTree {
  package var format: String { spelled.description }

  fileprivate var spelled: PredicateTree {
    switch self {
    case .constant, .block: self
    case .comparison(let comparison): .comparison(comparison.spelled)
    case .and(let terms): .and(terms.map(\.spelled))
    case .or(let terms): .or(terms.map(\.spelled))
    case .not(let term): .not(term.spelled)
    }
  }
}

extension Comparison {
  fileprivate var spelled: Comparison {
    Comparison(left.spelled, op, right.spelled, modifier: modifier, options: options)
  }
}

extension ExpressionTree {
  package var format: String { spelled.description }

  fileprivate var spelled: ExpressionTree {
    switch self {
    case .constant(let constant): constant.spelled
    case .evaluatedObject, .variable, .anyKey: self
    case .keyPath(let base, let names): .keyPath(base: base.spelled, names: names)
    case .variableKey(let base, let variable): .variableKey(base: base.spelled, variable: variable)
    case .aggregate(let elements): .aggregate(elements.map(\.spelled))
    case .function(let function, let arguments): .function(function, arguments.map(\.spelled))
    case .message(let target, let selector, let arguments):
      .message(
        target: target.spelled,
        selector: selector,
        arguments: arguments.map(\.spelled)
      )
    case .subquery(let collection, let variable, let predicate):
      .subquery(collection.spelled, variable: variable, predicate.spelled)
    case .index(let list, .at(let place)): .index(list.spelled, .at(place.spelled))
    case .index(let list, let place): .index(list.spelled, place)
    case .cast(let expression, let type): .cast(expression.spelled, to: type)
    case .conditional(let predicate, let yes, let no):
      .conditional(predicate.spelled, yes.spelled, no.spelled)
    case .set(let operation, let one, let other): .set(operation, one.spelled, other.spelled)
    case .assignment(let name, let expression): .assignment(name, expression.spelled)
    case .fetch(let request, let context, let countOnly):
      .fetch(request: request.spelled, context: context.spelled, countOnly: countOnly)
    case .block(let block, let arguments): .block(block, arguments.map(\.spelled))
    }
  }
}

extension Constant {
  /// A value that cannot be a literal, as a cast of its text; collections element by element.
  fileprivate var spelled: ExpressionTree {
    switch value {
    case let uuid as UUID: .cast(.constant(Constant(uuid.uuidString)), to: .uuid)
    case let url as URL: .cast(.constant(Constant(url.absoluteString)), to: .url)
    case let list as [Any]: .aggregate(list.map { Constant($0).spelled })
    case let set as Set<AnyHashable>: .aggregate(set.map { Constant($0.base).spelled })
    default: .constant(self)
    }
  }
}

// MARK: - Reading again

/// The texts of a compiled model, which are those of `predicateFormat` wherever they come from.
enum ModelFormat {
  /// The canonical text of a predicate.
  ///
  /// A text that cannot be read stays as it is: the code that needs its tree reports the problem.
  static func canonical(_ text: String) -> String {
    (try? PredicateFormat.predicate(text))?.format ?? text
  }
}
