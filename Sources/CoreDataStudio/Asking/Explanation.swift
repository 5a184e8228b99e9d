import CoreData
import CoreDataPredicates
import CoreDataSQL
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The statement of a condition and an order, its plan, and an index that would help.
struct Explanation {
  let store: OpenStore

  func json(of entity: String, where condition: String, sort: String) throws -> JSONValue {
    let explained = try explained(entity, condition, sort)
    return [
      "sql": .text(explained.sql),
      "bindings": .array(
        explained.bindings.prefix(200).map { .text(String($0.description.prefix(200))) }
      ),
      "plan": .array(
        explained.plan.prefix(200).map { ["depth": .integer($0.depth), "text": .text($0.detail)] }
      ),
      "advice": .array(explained.advice.map { .text($0) }),
    ]
  }

  /// The changes that would make the statement faster, in sentences.
  func advice(of entity: String, where condition: String, sort: String) throws -> [String] {
    try explained(entity, condition, sort).advice
  }

  private func explained(
    _ entity: String,
    _ condition: String,
    _ sort: String
  ) throws -> QueryExplanation {
    let layout = try store.layout(entity)
    var plan = try RowTable.plan(store, layout, condition, sort)
    plan.limit = RowTable.most
    return try Self.marking(condition) { try QueryExplanation(plan, in: store.coordinator) }
  }

  /// Adds to a refusal the place of the refused part.
  static func marking<Result>(
    _ condition: String,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as PredicateCompilationError {
      throw Refusal(error.description, in: condition, at: condition.place(ofPart: error.part))
    }
  }
}
