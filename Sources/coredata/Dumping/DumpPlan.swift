import CoreData
import CoreDataModel
import CoreDataPredicates
import CoreDataStoreCare
import Foundation

/// The objects of an entity that are printed, and their columns.
struct DumpPlan {
  let entity: EntityLayout
  let columns: [ShownColumn]
  /// The heading of the objects' own names: an entity may have a property of the usual one, even if it is not printed.
  let keyTitle: String
  var rows: FetchPlan
  /// The text of the condition and the order, where errors mark a place.
  private(set) var predicate: String?
  private(set) var order: String?
  private let schema: ModelSchema

  /// One printed object: its key, and a cell for each column.
  struct Row {
    let key: StoredKey
    let cells: [ShownCell]
  }

  /// All properties, unless columns are named; with details, to-many relationships are lists.
  init(
    _ entity: EntityLayout,
    _ schema: ModelSchema,
    columns names: [String]? = nil,
    isDetailed: Bool
  ) throws {
    self.entity = entity
    self.schema = schema
    keyTitle = schema.property("id", of: entity.name) == nil ? "id" : "objectID"
    rows = FetchPlan(entity)
    for (place, name) in (names ?? []).enumerated() where names?[..<place].contains(name) == true {
      throw Refusal("--columns lists \(name) twice")
    }
    let choice = ColumnChoice(entity, schema, isDetailed: isDetailed)
    columns = try names.map { try $0.map(choice.column) } ?? choice.all
  }

  private init(_ plan: DumpPlan, columns: [ShownColumn]) {
    self.columns = columns
    entity = plan.entity
    keyTitle = plan.keyTitle
    rows = plan.rows
    predicate = plan.predicate
    order = plan.order
    schema = plan.schema
  }

  /// The same objects with other columns.
  func with(_ columns: [ShownColumn]) -> DumpPlan { DumpPlan(self, columns: columns) }

  /// One more than the limit is asked for, which shows whether there are more.
  mutating func limit(to limit: Int?, from offset: Int) {
    rows.limit = limit.map { $0 == Int.max ? $0 : $0 + 1 }
    rows.offset = offset
  }

  mutating func filter(by format: String, in coordinator: NSPersistentStoreCoordinator) throws {
    predicate = format
    rows.predicate = try TypedConstants(schema: schema, coordinator: coordinator, text: format)
      .rewriting(try PredicateTree(written: format), of: entity.name)
  }

  mutating func sort(by text: String) throws {
    order = text
    rows.sort = text.split(separator: ",").map { SortTerm(spelled: $0) }
    let choice = ColumnChoice(entity, schema, isDetailed: false)
    for term in rows.sort { try choice.check(term.keyPath) }
  }
}

// MARK: - Reading

extension DumpPlan {
  func forEachRow(
    in coordinator: NSPersistentStoreCoordinator,
    _ body: (Row) throws -> Void
  ) throws {
    try columns.forEachRow(of: rows, entity, in: coordinator) { key, cells in
      try body(Row(key: key, cells: cells))
    }
  }

  /// Reads one object at most, whatever its values, to see whether the columns are there.
  func forFirstRow(in coordinator: NSPersistentStoreCoordinator) throws {
    var plan = self
    plan.rows = FetchPlan(entity)
    plan.rows.limit = 1
    try plan.forEachRow(in: coordinator) { _ in }
  }

  /// Adds to a refusal the place of the refused part in the condition or the order.
  static func refusals(in plan: DumpPlan, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as PredicateCompilationError {
      for text in [plan.predicate, plan.order].compactMap(\.self) {
        guard let place = text.place(ofPart: error.part) else { continue }
        throw Refusal(error.wordsOfTheTool, in: text, at: place)
      }
      throw Refusal(error.wordsOfTheTool)
    }
  }
}
