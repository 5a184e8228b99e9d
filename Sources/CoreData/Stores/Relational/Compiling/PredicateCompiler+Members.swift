import CoreDataPredicates

/// Many questions for the members of one relationship, asked as one.
///
/// ```
/// ANY tags.name == "a" OR ANY tags.name == "b" OR …        more than sixteen of them
/// ANY tags.name IN {"a", "b", …}
/// ```
///
/// Each `ANY` is a subselect, and SQLite closes one by walking over all that are open: with some thousands in an `OR`,
/// each row would take seconds.
extension PredicateCompiler {
  private static let mostSubselects = 16

  /// The terms of an `OR` with one question in the place of many.
  func gatheringMembers(
    _ terms: [CoreDataPredicates.PredicateTree]
  ) -> [CoreDataPredicates.PredicateTree] {
    guard terms.count > Self.mostSubselects else { return terms }
    var values: [MemberQuestion: [CoreDataPredicates.ExpressionTree]] = [:]
    for case .comparison(let comparison) in terms {
      if let question = MemberQuestion(comparison) {
        values[question, default: []].append(comparison.right)
      }
    }
    values = values.filter { $1.count > Self.mostSubselects }
    var asked: Set<MemberQuestion> = []
    return terms.compactMap { term in
      guard case .comparison(let comparison) = term, let question = MemberQuestion(comparison),
        let all = values[question]
      else { return term }
      guard asked.insert(question).inserted else { return nil }
      return .comparison(Comparison(question.path, .in, .aggregate(all), modifier: .any))
    }
  }
}

/// Whether any member has a value.
private struct MemberQuestion: Hashable {
  let path: CoreDataPredicates.ExpressionTree
  /// Values of different kinds are not in one list.
  private let isText: Bool

  init?(_ comparison: Comparison) {
    guard comparison.modifier == .any, comparison.op == .equalTo, comparison.options.isEmpty,
      comparison.left.names != nil, case .constant(let constant) = comparison.right
    else { return nil }
    switch constant.kind {
    case .text: isText = true
    case .integer: isText = false
    case .nothing, .real, .decimal, .date, .uuid, .url, .data, .collection, .object: return nil
    }
    path = comparison.left
  }
}
