import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// An object and those that its relationships lead to, as JSON to take away.
///
/// ```json
/// {"root": "Note/p1", "isCut": false, "objects": [
///   {"id": "Note/p1", "values": {"title": "Shopping"}, "one": {"folder": "Folder/p1"}, "many": {"tags": ["Tag/p1"]}}]}
/// ```
struct ObjectGraph {
  let card: ObjectCard
  /// The number of relationships that are followed from the first object on.
  let depth: Int

  static let mostDepth = 5
  private static let mostObjects = 1_000
  private static let mostMembers = 1_000
  private static let mostBytes = 64 << 20

  private struct Found {
    var keys: [StoredKey] = []
    var known: Set<String> = []
    var isCut = false

    mutating func add(_ key: StoredKey) {
      guard !known.contains(key.text) else { return }
      if known.count == ObjectGraph.mostObjects {
        isCut = true
        return
      }
      known.insert(key.text)
      keys.append(key)
    }
  }

  /// The file with all objects that are found within the bounds.
  ///
  /// - Throws: A `Problem` with status 404 if the first object does not exist.
  func response() throws -> Response {
    let json = try json()
    return .data(Data((json.pretty + "\n").utf8), contentType: "application/json; charset=utf-8")
      .downloaded(as: "\(card.key.entity)-\(card.key.primaryKey).json")
      .with("Cache-Control", "no-store")
  }

  private func json() throws -> JSONValue {
    guard let root = try card.exactKey() else {
      throw Problem(404, "There is no object \(card.key.text); perhaps it was deleted.")
    }
    var found = Found()
    found.add(root)
    var objects: [JSONValue] = []
    var bytes = 0
    for round in 0...depth {
      let keys = found.keys
      found.keys = []
      for key in keys {
        let object = try object(key, &found, follows: round < depth)
        bytes += object.compact.utf8.count
        if bytes > Self.mostBytes {
          throw Problem(413, "These objects are larger than 64 MB. Follow fewer relationships.")
        }
        objects.append(object)
      }
    }
    return [
      "root": .text(root.text), "depth": .integer(depth), "isCut": .boolean(found.isCut),
      "objects": .array(objects),
    ]
  }

  private func object(
    _ key: StoredKey,
    _ found: inout Found,
    follows: Bool
  ) throws -> JSONValue {
    let layout = try card.store.layout(key.entity)
    let columns = ColumnChoice(layout, card.store.schema, isDetailed: true).all
    var (values, one, many) = ([JSONValue.Member](), [JSONValue.Member](), [JSONValue.Member]())
    var relationships: [String] = []
    try RowReader(card.store, layout, columns).forEachRow([key.primaryKey]) { _, cells in
      for (column, cell) in zip(columns, cells) {
        switch (column.kind, cell) {
        case (.members(let name), _): relationships.append(name)
        case (.object, .object(let target, _)):
          one.append(.init(name: column.title, value: .text(target.text)))
          if follows { found.add(target) }
        case (.object, _): one.append(.init(name: column.title, value: .null))
        case (_, _): values.append(.init(name: column.title, value: cell.inJSON))
        }
      }
    }
    for name in relationships {
      let members = try members(of: key, name, &found)
      many.append(.init(name: name, value: .array(members.map { .text($0.text) })))
      if follows { for member in members { found.add(member) } }
    }
    return [
      "id": .text(key.text), "values": .object(values), "one": .object(one), "many": .object(many),
    ]
  }

  private struct Enough: Error {}

  private func members(
    of key: StoredKey,
    _ relationship: String,
    _ found: inout Found
  ) throws -> [StoredKey] {
    var members: [StoredKey] = []
    do {
      try card.store.coordinator.forEachMember(of: key, relationship) { member in
        if members.count == Self.mostMembers { throw Enough() }
        members.append(member)
      }
    } catch is Enough {
      found.isCut = true
    }
    return members
  }
}
