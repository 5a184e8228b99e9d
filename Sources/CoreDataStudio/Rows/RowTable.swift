import CoreData
import CoreDataModel
import CoreDataPredicates
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The objects of an entity as the rows of a table: a condition, an order, and columns.
struct RowTable {
  let store: OpenStore
  let entity: EntityLayout
  let columns: [ShownColumn]
  private let question: RowOrders.Question
  private let plan: FetchPlan

  /// The most rows that one answer has.
  static let most = 200
  /// The most columns that a table has.
  static let mostColumns = 60

  /// Creates the table of an entity.
  ///
  /// - Parameters:
  ///   - store: The open store.
  ///   - entity: The name of an entity; objects of its subentities are included.
  ///   - condition: As in `NSPredicate(format:)`; empty for all objects.
  ///   - sort: Keys with a minus sign to descend, separated by commas; empty for the order of the store.
  ///   - columns: Keys and key paths; `nil` for those that are shown first.
  /// - Throws: A `Refusal` with the place of a mistake.
  init(
    _ store: OpenStore,
    of entity: String,
    where condition: String = "",
    sort: String = "",
    columns: [String]? = nil
  ) throws {
    self.store = store
    self.entity = try store.layout(entity)
    let choice = ColumnChoice(self.entity, store.schema, isDetailed: false)
    if let columns, columns.count > Self.mostColumns {
      throw Problem(400, "A table has \(Self.mostColumns) columns at most.")
    }
    self.columns = try columns.map { try $0.map(choice.column) } ?? Self.first(of: choice.all)
    question = .objects(of: entity, condition: condition, sort: sort)
    plan = try Self.plan(store, self.entity, condition, sort)
  }

  /// Large data stay in the card until somebody wants them in the table.
  private static func first(of columns: [ShownColumn]) -> [ShownColumn] {
    Array(columns.prefix(30))
  }

  /// The statement that finds the objects of a table.
  static func plan(
    _ store: OpenStore,
    _ entity: EntityLayout,
    _ condition: String,
    _ sort: String
  ) throws -> FetchPlan {
    var plan = FetchPlan(entity)
    if condition.contains(where: { !$0.isWhitespace }) {
      let constants = TypedConstants(
        schema: store.schema,
        coordinator: try store.coordinator,
        text: condition
      )
      plan.predicate = try constants.rewriting(PredicateTree(written: condition), of: entity.name)
    }
    plan.sort = sort.split(separator: ",").prefix(8).map { SortTerm(spelled: $0) }
    let choice = ColumnChoice(entity, store.schema, isDetailed: false)
    for term in plan.sort { try choice.check(term.keyPath) }
    return plan
  }
}

// MARK: - Reading

extension RowTable {
  /// Reads some of the rows, in order.
  ///
  /// - Parameters:
  ///   - first: The number of the first row, from 0.
  ///   - count: How many rows at most.
  ///   - isFresh: Whether rows that others have written since have to be among them.
  /// - Returns: The rows with the columns, and the number of rows that are known so far.
  /// - Throws: The failure of the statement.
  func rows(from first: Int, count: Int, isFresh: Bool) throws -> JSONValue {
    let began = ContinuousClock.now
    guard let key = RecordColumn([], from: entity) else { return .null }
    let coordinator = try store.coordinator
    var plan = plan
    plan.includesValues = false
    let order = try store.orders.order(for: question, isFresh: isFresh) { [plan] hand in
      try RecordStream([key], of: plan, in: coordinator)?.read { record in
        if case .identity(let number, _)? = record.values.first { try hand(number) }
      }
    }
    let part: RowOrder.Part
    do {
      part = try order.part(from: first, count: count, patience: 1)
    } catch {
      store.orders.forget(question)
      throw error
    }
    let rows = try RowReader(store, entity, columns).rows(part.keys)
    return [
      "total": .integer(part.total),
      "isComplete": .boolean(part.isComplete),
      "isCut": .boolean(part.isCut),
      "from": .integer(first),
      "columns": .array(columns.map(\.json)),
      "rows": .array(rows),
      "milliseconds": .milliseconds(since: began),
    ]
  }
}

extension RowTable {
  /// Hands over every row, in order, one at a time.
  func forEachRow(_ body: (StoredKey, [ShownCell]) throws -> Void) throws {
    try RowReader(store, entity, columns).forEachRow(of: plan, body)
  }
}

/// Reads the rows with some keys.
struct RowReader {
  private let store: OpenStore
  private let entity: EntityLayout
  private let columns: [ShownColumn]

  init(_ store: OpenStore, _ entity: EntityLayout, _ columns: [ShownColumn]) {
    self.store = store
    self.entity = entity
    self.columns = columns
  }

  /// The rows in the order of the keys; one that was deleted meanwhile lacks cells.
  func rows(_ keys: [Int64], isWhole: Bool = false) throws -> [JSONValue] {
    var found: [Int64: JSONValue] = [:]
    try forEachRow(keys) { key, cells in
      let cells = cells.map { CellText($0, isWhole: isWhole).json }
      found[key.primaryKey] = ["id": .text(key.text), "cells": .array(cells)]
    }
    return keys.map { key in
      found[key] ?? ["id": .text("\(entity.name)/p\(key)"), "isGone": true]
    }
  }

  /// Hands over each row that exists, in any order.
  func forEachRow(
    _ keys: [Int64],
    _ body: (StoredKey, [ShownCell]) throws -> Void
  ) throws {
    guard !keys.isEmpty else { return }
    let identities = try keys.map {
      try store.identity(StoredKey(entity: entity.name, primaryKey: $0))
    }
    var plan = FetchPlan(entity)
    plan.predicate = NSPredicate(format: "SELF IN %@", identities).tree
    try forEachRow(of: plan, body)
  }

  /// Hands over each row that a plan finds, in its order.
  func forEachRow(
    of plan: FetchPlan,
    _ body: (StoredKey, [ShownCell]) throws -> Void
  ) throws {
    try columns.forEachRow(of: plan, entity, in: store.coordinator, body)
  }
}
