import CoreData
import CoreDataModel
import CoreDataPredicates
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// One object with everything that the store has of it.
struct ObjectCard {
  let store: OpenStore
  let key: StoredKey
  let entity: EntityLayout

  /// - Throws: A `Problem` with status 404 if the model does not have the entity.
  init(_ store: OpenStore, _ key: StoredKey) throws {
    self.store = store
    self.key = key
    entity = try store.layout(key.entity)
  }

  /// The values, the number of objects behind each relationship, and the statement of the row.
  ///
  /// - Throws: A `Problem` with status 404 if the object does not exist.
  func json() throws -> JSONValue {
    guard let found = try exactKey() else {
      throw Problem(404, "There is no object \(key.text); perhaps it was deleted.")
    }
    guard let exact = try store.coordinator.layout[found.entity] else { return .null }
    let choice = ColumnChoice(exact, store.schema, isDetailed: false)
    let columns = choice.all
    var values: [JSONValue] = []
    try RowReader(store, exact, columns).forEachRow([key.primaryKey]) { _, cells in
      values = zip(columns, cells).map { column, cell in
        [
          "column": column.described(in: store.schema, exact),
          "cell": CellText(cell, isWhole: true).json,
        ]
      }
    }
    let title = try ObjectTitles(store, exact).titles(of: [key.primaryKey])[key.primaryKey]
    let chain = store.schema.entityChain(of: exact.name).map { JSONValue.text($0.name) }
    return .object([
      .init(name: "id", value: .text(found.text)),
      .init(name: "entity", value: .text(exact.name)),
      .init(name: "chain", value: .array(chain)),
      .init(name: "title", value: title.map { .text($0) } ?? .null),
      .init(name: "values", value: .array(values)),
      .init(
        name: "uri",
        value: .text(try store.identity(found).uriRepresentation().absoluteString)
      ),
      .init(
        name: "sql",
        value: RowStatement.select(found, store.schema).map { .text($0) } ?? .null
      ),
    ])
  }

  /// The key with the entity of the object itself, which may be below that of the address.
  func exactKey() throws -> StoredKey? {
    var found: StoredKey?
    try RowReader(store, entity, []).forEachRow([key.primaryKey]) { key, _ in found = key }
    return found
  }
}

extension ShownColumn {
  /// The column with what a card says about its property.
  fileprivate func described(in schema: ModelSchema, _ entity: EntityLayout) -> JSONValue {
    let name = String(title.prefix { $0 != "." })
    guard case .object(var members) = json else { return json }
    if case .relationship(let relationship)? = schema.property(name, of: entity.name) {
      members.append(.init(name: "destination", value: .text(relationship.destinationName)))
      members.append(.init(name: "isToMany", value: .boolean(relationship.isToMany)))
      members.append(.init(name: "isOrdered", value: .boolean(relationship.isOrdered)))
      if let inverse = relationship.inverseName {
        members.append(.init(name: "inverse", value: .text(inverse)))
      }
    }
    return .object(members)
  }
}

/// The names by which people call objects of an entity.
struct ObjectTitles {
  private let store: OpenStore
  private let entity: EntityLayout

  init(_ store: OpenStore, _ entity: EntityLayout) {
    self.store = store
    self.entity = entity
  }

  /// The names of the objects that have one, by their numbers.
  func titles(of keys: [Int64]) throws -> [Int64: String] {
    let choice = ColumnChoice(entity, store.schema, isDetailed: false)
    guard let column = choice.name else { return [:] }
    var titles: [Int64: String] = [:]
    try RowReader(store, entity, [column]).forEachRow(keys) { key, cells in
      if case .text(let text)? = cells.first { titles[key.primaryKey] = String(text.prefix(240)) }
    }
    return titles
  }
}
