import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

extension ObjectCard {
  /// Some of the objects at the other end of a to-many relationship, with their titles, in its order.
  func members(_ name: String, from first: Int, count: Int, isFresh: Bool) throws -> JSONValue {
    guard case .relationship(let relationship)? = store.schema.property(name, of: entity.name),
      relationship.isToMany, !relationship.isTransient
    else {
      throw Problem(404, "\(entity.name) has no to-many relationship “\(name.prefix(200))”.")
    }
    let destination = try store.layout(relationship.destinationName)
    let (key, coordinator) = (key, try store.coordinator)
    let question = RowOrders.Question.members(
      of: key.entity,
      number: key.primaryKey,
      relationship: name
    )
    let order = try store.orders.order(for: question, isFresh: isFresh) { hand in
      try coordinator.forEachMember(of: key, name) { try hand($0.primaryKey) }
    }
    let part: RowOrder.Part
    do {
      part = try order.part(from: first, count: count, patience: 1)
    } catch {
      store.orders.forget(question)
      throw error
    }
    var names: [Int64: String] = [:]
    try RowReader(store, destination, []).forEachRow(part.keys) { key, _ in
      names[key.primaryKey] = key.text
    }
    let titles = try ObjectTitles(store, destination).titles(of: part.keys)
    let members = part.keys.map { number -> JSONValue in
      [
        "id": .text(names[number] ?? "\(destination.name)/p\(number)"),
        "name": titles[number].map { .text($0) } ?? .null,
      ]
    }
    return [
      "total": .integer(part.total), "isComplete": .boolean(part.isComplete),
      "from": .integer(first), "members": .array(members),
    ]
  }
}

// MARK: - Objects that point here

extension ObjectCard {
  /// The relationships of all entities that lead to the object, with the condition that finds their owners.
  ///
  /// Relationships whose inverse the card shows are left out.
  func pointers() throws -> JSONValue {
    var pointers: [JSONValue] = []
    for owner in store.schema.entities {
      for relationship in owner.relationships where !relationship.isTransient {
        guard store.schema.isEntity(key.entity, kindOf: relationship.destinationName),
          relationship.inverseName == nil
        else { continue }
        let any = relationship.isToMany ? "ANY " : ""
        let condition = "\(any)\(relationship.name) == \"\(key.text)\""
        let count = try count(of: owner.name, where: condition)
        pointers.append(
          .object(
            [
              .init(name: "total", value: .integer(min(count, Self.mostPointers))),
              .init(name: "isComplete", value: .boolean(count <= Self.mostPointers)),
              .init(name: "entity", value: .text(owner.name)),
              .init(name: "relationship", value: .text(relationship.name)),
              .init(name: "condition", value: .text(condition)),
            ]
          )
        )
      }
    }
    return ["pointers": .array(pointers)]
  }
}

extension ObjectCard {
  /// More owners are not counted.
  private static let mostPointers = 1_000

  private func count(of owner: String, where condition: String) throws -> Int {
    let layout = try store.layout(owner)
    guard let key = RecordColumn([], from: layout) else { return 0 }
    var plan = try RowTable.plan(store, layout, condition, "")
    plan.limit = Self.mostPointers + 1
    var count = 0
    try RecordStream([key], of: plan, in: store.coordinator)?.read { _ in count += 1 }
    return count
  }
}

// MARK: - Values as files

extension ObjectCard {
  /// The bytes of one value, to be shown as a picture or saved.
  ///
  /// - Throws: A `Problem` with status 404 if the object or the value does not exist.
  func file(_ name: String, asPicture: Bool) throws -> Response {
    let column = try ColumnChoice(entity, store.schema, isDetailed: false).column(name)
    var content: Data?
    try RowReader(store, entity, [column]).forEachRow([key.primaryKey]) { _, cells in
      content =
        switch cells.first {
        case .data(let data)?, .archived(_, let data)?: data
        case .file(let file)?: file.contents
        case .text(let text)?: Data(text.utf8)
        case .nothing?, .number?, .boolean?, .date?, .object?, .members?, nil: nil
        }
    }
    guard let content else {
      throw Problem(404, "\(key.text) has no data under “\(name.prefix(200))”.")
    }
    let picture = PictureType(content)
    if asPicture {
      guard let picture else { throw Problem(404, "\(name.prefix(200)) is no picture.") }
      return .data(content, contentType: picture.rawValue)
        .with("Cache-Control", "no-store")
    }
    let ending = picture.map { "." + $0.rawValue.dropFirst("image/".count) } ?? ".bin"
    return .data(content, contentType: "application/octet-stream")
      .downloaded(as: "\(entity.name)-\(key.primaryKey)-\(name)\(ending)")
      .with("Cache-Control", "no-store")
  }
}
