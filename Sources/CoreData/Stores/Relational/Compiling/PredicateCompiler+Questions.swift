import CoreDataPredicates

/// Many questions for one value, or for the members of one relationship, asked as one.
///
/// ```
/// title == "a" OR title == "b" OR …                        more than sixty-four of them
/// title IN {"a", "b", …}
///
/// ANY tags.name == "a" OR ANY tags.name == "b" OR …        more than sixteen of them
/// ANY tags.name IN {"a", "b", …}
/// ```
///
/// SQLite compares the terms of an `OR` with each other: with some thousands it takes seconds before the first row. Each
/// `ANY` is a subselect, and SQLite closes one by walking over all that are open: each row would take seconds.
extension PredicateCompiler {
  private static let (mostTerms, mostSubselects) = (64, 16)

  /// The terms of an `OR` with one question in the place of many.
  func gatheringQuestions(
    _ terms: [CoreDataPredicates.PredicateTree]
  ) -> [CoreDataPredicates.PredicateTree] {
    guard terms.count > Self.mostSubselects else { return terms }
    var values: [EqualityQuestion: [CoreDataPredicates.ExpressionTree]] = [:]
    for case .comparison(let comparison) in terms {
      if let question = EqualityQuestion(comparison) {
        values[question, default: []].append(comparison.right)
      }
    }
    values = values.filter {
      $1.count > ($0.modifier == .any ? Self.mostSubselects : Self.mostTerms)
    }
    var asked: Set<EqualityQuestion> = []
    return terms.compactMap { term in
      guard case .comparison(let comparison) = term, let question = EqualityQuestion(comparison),
        let all = values[question]
      else { return term }
      guard asked.insert(question).inserted else { return nil }
      return .comparison(
        Comparison(question.path, .in, .aggregate(all), modifier: question.modifier)
      )
    }
  }
}

/// Whether a value, or that of any member, equals a constant.
private struct EqualityQuestion: Hashable {
  let path: CoreDataPredicates.ExpressionTree
  let modifier: Comparison.Modifier
  /// Values of different kinds are not in one list.
  private let kind: Kind

  private enum Kind {
    case text
    case integer
    case uuid
  }

  init?(_ comparison: Comparison) {
    guard [.direct, .any].contains(comparison.modifier), comparison.op == .equalTo,
      comparison.options.isEmpty, comparison.left.names != nil,
      case .constant(let constant) = comparison.right
    else { return nil }
    switch constant.kind {
    case .text: kind = .text
    case .integer: kind = .integer
    case .uuid: kind = .uuid
    case .nothing, .real, .decimal, .date, .url, .data, .collection, .object: return nil
    }
    path = comparison.left
    modifier = comparison.modifier
  }
}
