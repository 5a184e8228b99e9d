import CoreDataStoreCare
import Foundation

/// The room that entities take in the store's file, and its indexes with what each of them is for.
struct StoreRoom {
  static let name = "room"

  let store: OpenStore
  let url: URL

  /// The time that a count of pages may take.
  private static let time = Duration.seconds(20)

  func measured(_ job: Job) throws -> JSONValue {
    job.tell(0, of: 1, "the pages of the file")
    let space = try StoreSpace(at: url, store.schema, within: Self.time)
    return [
      "isEstimated": .boolean(space.isEstimated),
      "fileBytes": .integer(space.fileBytes),
      "freeBytes": .integer(space.freeBytes),
      "externalFiles": space.externalFiles.map {
        ["count": .integer($0.count), "bytes": .integer($0.bytes)]
      } ?? .null,
      "tables": .array(space.tables.map(json)),
      "missing": .array(space.missingIndexes.map { json($0) }),
      "advice": .array(advice()),
    ]
  }

  private func json(_ table: MeasuredTable) -> JSONValue {
    [
      "name": .text(table.name), "kind": .text(table.kind.rawValue),
      "entities": .array(table.entities.map { .text($0) }), "bytes": .integer(table.bytes),
      "indexes": .array(table.indexes.map { json($0) }),
    ]
  }

  private func json(_ index: MeasuredIndex) -> JSONValue {
    [
      "name": .text(index.name), "table": .text(index.table),
      "properties": .array(index.properties.map { .text($0) }),
      "isOfModel": .boolean(index.isOfModel), "isUnique": .boolean(index.isUnique),
      "bytes": index.bytes.map { .integer($0) } ?? .null, "help": .text(help(of: index)),
    ]
  }

  /// A sentence about the questions that an index answers.
  private func help(of index: MeasuredIndex) -> String {
    guard let first = index.properties.first else { return "" }
    let rest = index.properties.dropFirst()
    var sentence = "Finds by \(first), and has the rows in its order"
    if !rest.isEmpty { sentence += "; among equal ones by \(rest.joined(separator: ", then "))" }
    if index.isUnique { sentence += "; keeps its values unique" }
    if !index.coversAllRows { sentence += "; for some of the rows only" }
    return sentence + "."
  }

  /// The advice on conditions that were asked on the pages.
  private func advice() -> [JSONValue] {
    store.orders.questions.compactMap { question in
      guard case .objects(let entity, let condition, let sort) = question,
        !(condition.isEmpty && sort.isEmpty),
        // A condition that cannot be explained is left out.
        let told = try? Explanation(store: store).advice(of: entity, where: condition, sort: sort),
        !told.isEmpty
      else { return nil }
      return [
        "entity": .text(entity), "condition": .text(condition), "sort": .text(sort),
        "sentences": .array(told.map { .text($0) }),
      ]
    }
  }
}
