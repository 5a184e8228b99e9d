import CoreDataModel
import CoreDataPredicates
import Foundation

/// A predicate or expression of a model: as a file spells it, or as an object given in code.
///
/// A text is kept unchanged, so that a model which is read and written again is the same. It becomes an object when
/// the object is asked for.
enum Spelled<Value> {
  case text(String)
  case value(Value)
}

extension Spelled<NSPredicate> {
  var predicate: NSPredicate {
    switch self {
    case .text(let format): NSPredicate(format: format)
    case .value(let predicate): predicate
    }
  }

  var format: String {
    switch self {
    case .text(let format): format
    case .value(let predicate): predicate.spelling
    }
  }

  /// Whether a model file can hold the predicate: not if it contains code, or an object without a text.
  var isReadable: Bool {
    switch self {
    case .text: true
    // The error is ignored: code is allowed.
    case .value(let predicate): (try? PredicateFormat.predicate(predicate.spelling)) != nil
    }
  }

  /// With the predicate as an object, made once.
  var parsed: Self { .value(predicate) }
}

extension Spelled<NSExpression> {
  var expression: NSExpression {
    switch self {
    case .text(let format): NSExpression(format: format)
    case .value(let expression): expression
    }
  }

  var format: String {
    switch self {
    case .text(let format): format
    case .value(let expression): expression.tree.format
    }
  }

  /// With the expression as an object, made once.
  var parsed: Self { .value(expression) }
}

extension NSPredicate {
  /// The predicate as text that can be read again; Foundation's own `predicateFormat` says nothing
  /// on Linux.
  var spelling: String { tree.format }
}
