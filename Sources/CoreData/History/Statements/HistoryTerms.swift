import CoreDataPredicates
import CoreDataSQL
import Foundation

/// Puts conditions on a history into the words of its tables.
///
/// ```
/// token > <a token>               transactionNumber > 7
/// author != "import"              author.name != "import"
/// changedEntity == Note           changedEntity == 2
/// changedObjectID == Note/4       changedEntity BETWEEN {2, 3} AND changedObjectNumber == 4
/// ```
///
/// A condition on changes may speak of the transaction as if it were the change: `author`, `token`.
struct HistoryTerms: Sendable {
  let subject: HistoryPlan.Subject
  let shape: HistoryTables.Shape
  let model: ModelLayout
  let store: StoreNumber
  let identifier: String

  /// The key of the object that has changed, which is part of an identity only.
  static let objectNumber = "changedObjectNumber"
  private static let objectID = "changedObjectID"

  private typealias Expression = CoreDataPredicates.ExpressionTree
}

// MARK: - Predicates

extension HistoryTerms {
  func rewritten(
    _ tree: CoreDataPredicates.PredicateTree
  ) throws(PredicateCompilationError) -> CoreDataPredicates.PredicateTree {
    switch tree {
    case .constant, .block:
      return tree
    case .and(let terms):
      return .and(try terms.map { term throws(PredicateCompilationError) in try rewritten(term) })
    case .or(let terms):
      return .or(try terms.map { term throws(PredicateCompilationError) in try rewritten(term) })
    case .not(let term):
      return .not(try rewritten(term))
    case .comparison(var comparison):
      if let object = try objectComparison(comparison) { return object }
      comparison.left = try rewritten(comparison.left)
      comparison.right = try rewritten(comparison.right)
      return .comparison(comparison)
    }
  }

  private func rewritten(
    _ expression: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> CoreDataPredicates.ExpressionTree {
    switch expression {
    case .constant(let constant):
      return .constant(Constant(stored(constant.value)))
    case .keyPath(let base, let names):
      if names.last == "storeID" { return .constant(Constant(identifier)) }
      let isOwn = base == .evaluatedObject
      return .keyPath(
        base: isOwn ? base : try rewritten(base),
        names: rewritten(names, isOwn: isOwn)
      )
    case .subquery(let collection, let variable, let predicate):
      return .subquery(
        try rewritten(collection),
        variable: variable,
        try rewritten(predicate)
      )
    case .conditional(let predicate, let yes, let no):
      return .conditional(try rewritten(predicate), try rewritten(yes), try rewritten(no))
    case .evaluatedObject, .variable, .variableKey, .aggregate, .function, .message, .index, .cast,
      .set, .assignment, .fetch, .anyKey, .block:
      return try expression.mappingParts { part throws(PredicateCompilationError) in
        try rewritten(part)
      }
    }
  }
}

// MARK: - Names

extension HistoryTerms {
  func rewritten(_ term: SortTerm) -> SortTerm {
    var term = term
    term.keyPath = rewritten(term.keyPath, isOwn: true)
    return term
  }

  private func rewritten(_ names: [String], isOwn: Bool) -> [String] {
    var names = names
    if isOwn, subject == .changes, let first = names.first, Self.ofTransactions.contains(first) {
      names.insert("transaction", at: 0)
    }
    guard let last = names.last else { return names }
    if last == "token" { names[names.count - 1] = "transactionNumber" }
    if shape == .sharedTexts, HistoryOrigin.Field(rawValue: last) != nil { names.append("name") }
    return names
  }

  private static let ofTransactions = Set(
    HistoryOrigin.Field.allCases.map(\.rawValue) + [
      "timestamp", "token", "transactionNumber", "storeID",
    ]
  )
}

// MARK: - Values

extension HistoryTerms {
  /// Tokens and entities are numbers in the tables.
  private func stored(_ value: Any?) -> Any? {
    switch value {
    case let token as NSPersistentHistoryToken: token[identifier] ?? 0
    case let entity as NSEntityDescription:
      entity.name.flatMap { model[$0] }.map { Int64($0.number) } ?? -1
    case let list as [Any]: list.map { stored($0) ?? NSNull() }
    case let set as Set<NSEntityDescription>: set.map { stored($0) ?? NSNull() }
    case let other: other
    }
  }
}

// MARK: - Objects

extension HistoryTerms {
  /// The condition on the object that has changed; nil for a comparison of something else.
  private func objectComparison(
    _ comparison: Comparison
  ) throws(PredicateCompilationError) -> CoreDataPredicates.PredicateTree? {
    let (path, value) =
      names(comparison.left, Self.objectID)
      ? (comparison.left, comparison.right) : (comparison.right, comparison.left)
    guard case .keyPath(let base, let names) = path, names.last == Self.objectID else { return nil }
    guard case .constant(let constant) = value, comparison.modifier == .direct else {
      throw objectRefusal(comparison)
    }
    let place = { (name: String) -> Expression in
      .keyPath(base: base, names: rewritten(names.dropLast() + [name], isOwn: false))
    }
    switch comparison.op {
    case .equalTo:
      return object(constant.value, place)
    case .notEqualTo:
      return .not(object(constant.value, place))
    case .in where path == comparison.left:
      return .or(Self.elements(of: constant.value).map { object($0, place) })
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .matches, .like,
      .beginsWith, .endsWith, .in, .contains, .between:
      throw objectRefusal(comparison)
    }
  }

  private func names(_ expression: CoreDataPredicates.ExpressionTree, _ name: String) -> Bool {
    if case .keyPath(_, let names) = expression { names.last == name } else { false }
  }

  private func object(
    _ value: Any?,
    _ place: (String) -> CoreDataPredicates.ExpressionTree
  ) -> CoreDataPredicates.PredicateTree {
    guard let (entities, number) = row(of: value) else { return .constant(false) }
    let integer = { (value: Int64) in Expression.constant(Constant(value)) }
    let entity = place("changedEntity")
    return .and([
      .comparison(Comparison(place(Self.objectNumber), .equalTo, integer(number))),
      .comparison(
        Comparison(entity, .greaterThanOrEqualTo, integer(Int64(entities.lowerBound)))
      ),
      .comparison(Comparison(entity, .lessThanOrEqualTo, integer(Int64(entities.upperBound)))),
    ])
  }

  /// The row of an object in this store; nil for one of another.
  private func row(of value: Any?) -> (entities: ClosedRange<Int32>, number: Int64)? {
    let id: NSManagedObjectID
    switch value {
    case let object as NSManagedObject: id = object.objectID
    case let given as NSManagedObjectID: id = given
    case _: return nil
    }
    let isHere =
      id.key.store == store || StoreHome.ofStore(id.key.store)?.identifier == identifier
    guard isHere, !id.isTemporaryID, let layout = model[id.layout.name],
      let root = model[number: layout.rootNumber]
    else { return nil }
    return (root.numbers, id.key.number)
  }

  private static func elements(of value: Any?) -> [Any] {
    switch value {
    case let set as Set<NSManagedObjectID>: Array(set)
    case let set as Set<NSManagedObject>: Array(set)
    case let set as NSSet: set.allObjects
    case let list as [Any]: list
    case let list as NSArray: list.map { $0 }
    case _: []
    }
  }

  private func objectRefusal(_ comparison: Comparison) -> PredicateCompilationError {
    PredicateCompilationError(
      CoreDataPredicates.PredicateTree.comparison(comparison),
      "the object that has changed can be compared with identities by ==, != and IN",
      remedy: "fetch changes with changedObjectID IN a list of NSManagedObjectIDs"
    )
  }
}
