import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation

@testable import CoreData

/// A small desk of folders, notes and tags, once as objects in memory and once as rows.
final class Desk {
  let objects: [DeskObject]
  let connection: Connection

  /// Everything about it follows from the seed.
  init(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let tags = (1...7).map { DeskObject("Tag", $0, .tag(&random)) }
    let folders = (1...9).map { DeskObject("Folder", $0, .folder(&random)) }
    let notes = (1...60).map { number in
      DeskObject(number % 5 == 0 ? "Memo" : "Note", number, .note(&random))
    }
    for folder in folders.dropFirst(2) where random.chance(3, of: 4) {
      let parent = folders[random.index(below: folder.number - 1)]
      folder.values["parent"] = parent
      parent.append(folder, to: "children")
    }
    for note in notes {
      if random.chance(4, of: 5) {
        let folder = folders[random.index(below: 6)]
        note.values["folder"] = folder
        folder.append(note, to: "notes")
      }
      for tag in tags where random.chance(1, of: 4) {
        note.append(tag, to: "tags")
        tag.append(note, to: "notes")
      }
      if random.chance(1, of: 3) {
        let other = notes[random.index(below: notes.count)]
        note.append(other, to: "links")
        other.append(note, to: "links")
      }
    }
    for tag in tags where random.chance(2, of: 3) {
      notes[random.index(below: notes.count)].append(tag, to: "pins")
    }
    objects = tags + folders + notes
    connection = try Connection(path: ":memory:")
    TextFunctions.register(on: connection)
    for statement in TablesWriter(.desk).statements { try connection.run(statement) }
    try fill(connection)
  }

  /// Puts the objects into the tables of a database; `zone` is the value of the first column there.
  func fill(_ connection: some SQLConnection, zone: SQLFragment? = nil) throws {
    for object in objects { try object.insert(in: .desk, on: connection, zone) }
    for object in objects { try object.insertPairs(in: .desk, on: connection, zone) }
  }

  func objects(of entity: String) -> [DeskObject] {
    objects.filter { ModelSchema.desk.isEntity($0.entityName, kindOf: entity) }
  }
}

// MARK: - Objects

/// An object of the desk, with the values that a managed object would have.
final class DeskObject: Hashable, KeyValueReadable, ComparedByIdentity, CustomStringConvertible {
  let entityName: String
  let number: Int
  var values: [String: Any]

  init(_ entityName: String, _ number: Int, _ values: [String: Any]) {
    self.entityName = entityName
    self.number = number
    self.values = values
  }

  func append(_ object: DeskObject, to key: String) {
    values[key] = ((values[key] as? Set<DeskObject>) ?? []).union([object])
  }

  var compiledKey: CompiledKey {
    .row(root: TableMap.desk[entityName]?.rootNumber ?? 0, number: Int64(number))
  }

  var comparedIdentity: AnyHashable { AnyHashable(compiledKey) }
  var description: String { "\(entityName)/\(number)" }

  func keyValue(_ key: String) -> Any? {
    switch key {
    case "self", "objectID":
      return self
    case "entity":
      return Stand.entity(entityName)
    case _:
      guard case .relationship(let relationship)? = ModelSchema.desk.property(key, of: entityName),
        relationship.isToMany
      else { return values[key] }
      return values[key] ?? Set<DeskObject>()
    }
  }

  static func == (one: DeskObject, other: DeskObject) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Rows

extension DeskObject {
  fileprivate func insert(
    in tables: TableMap,
    on connection: some SQLConnection,
    _ zone: SQLFragment?
  ) throws {
    guard let map = tables[entityName] else { return }
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var bound = [number, map.number, 1].map { SQLValue.integer(Int64($0)) }
    for (key, value) in values {
      switch map[key] {
      case .attribute(let column)?:
        columns.append(column)
        bound.append(SQLValue(stored: value))
      case .toOne(let column, let entityColumn, _)?:
        guard let object = value as? DeskObject else { continue }
        columns.append(column)
        bound.append(.integer(Int64(object.number)))
        guard let entityColumn else { continue }
        columns.append(entityColumn)
        bound.append(.integer(Int64(tables[object.entityName]?.number ?? 0)))
      case _:
        continue
      }
    }
    let names = (zone == nil ? [] : ["z_zone"]) + columns.map { SQLFragment.column($0) }
    let places = [zone].compactMap { $0 } + columns.map { _ in SQLFragment.parameter }
    let statement = try connection.statement(
      """
      INSERT INTO \(name: map.tableName) (\(names.joined(separator: ", "))) \
      VALUES (\(places.joined(separator: ", ")))
      """
    )
    for (index, value) in bound.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    try statement.run()
  }

  fileprivate func insertPairs(
    in tables: TableMap,
    on connection: some SQLConnection,
    _ zone: SQLFragment?
  ) throws {
    guard let map = tables[entityName] else { return }
    for (key, value) in values {
      for object in (value as? Set<DeskObject>) ?? [] {
        switch map[key] {
        case .join(let side)? where !side.isReflexive || number <= object.number:
          try connection.run(
            """
            INSERT INTO \(name: side.table) \
            (\(zone == nil ? "" : "z_zone, " as SQLFragment)\(column: side.ownColumn), \
            \(column: side.otherColumn)) \
            VALUES (\(zone.map { "\($0), " } ?? "" as SQLFragment)\(.integer(Int64(number))), \
            \(.integer(Int64(object.number)))) ON CONFLICT DO NOTHING
            """
          )
        case .toManyForeignKey(let key)?:
          try connection.run(
            """
            UPDATE \(name: key.table) SET \(column: key.column) = \(.integer(Int64(number))) \
            WHERE \(SQLFragment.ownRows)"Z_PK" = \(.integer(Int64(object.number)))
            """
          )
        case _:
          continue
        }
      }
    }
  }
}

extension SQLValue {
  /// As a store writes the value.
  fileprivate init(stored value: Any) {
    switch value {
    case let text as String: self = .text(text)
    case let flag as Bool: self = .integer(flag ? 1 : 0)
    case let integer as Int: self = .integer(Int64(integer))
    case let real as Double: self = .real(real)
    case let decimal as Decimal: self = .text("\(decimal)")
    case let date as Date: self = .real(date.timeIntervalSinceReferenceDate)
    case let uuid as UUID: self = withUnsafeBytes(of: uuid.uuid) { .blob([UInt8]($0)) }
    case let url as URL: self = .text(url.absoluteString)
    case let data as Data: self = .blob([UInt8](data))
    case _: self = .null
    }
  }
}

// MARK: - Values

extension [String: Any] {
  fileprivate static func tag(_ random: inout SeededGenerator) -> [String: Any] {
    var values: [String: Any] = [:]
    values["label"] = random.perhaps(DeskValues.texts)
    values["weight"] = random.perhaps(DeskValues.integers)
    return values
  }

  fileprivate static func folder(_ random: inout SeededGenerator) -> [String: Any] {
    var values: [String: Any] = [:]
    values["name"] = random.perhaps(DeskValues.texts)
    values["rank"] = random.perhaps(DeskValues.integers)
    return values
  }

  fileprivate static func note(_ random: inout SeededGenerator) -> [String: Any] {
    var values: [String: Any] = [:]
    values["title"] = random.perhaps(DeskValues.texts)
    values["body"] = random.perhaps(DeskValues.texts)
    values["stars"] = random.perhaps(DeskValues.integers)
    values["isDone"] = random.perhaps([true, false])
    values["createdAt"] = random.perhaps(DeskValues.dates)
    values["price"] = random.perhaps(DeskValues.decimals)
    values["ratio"] = random.perhaps(DeskValues.reals)
    values["code"] = random.perhaps(DeskValues.codes)
    values["link"] = random.perhaps(DeskValues.links)
    values["payload"] = random.perhaps(DeskValues.payloads)
    return values
  }
}

/// The few values that are drawn from, so that predicates meet them.
enum DeskValues {
  static let texts = [
    "", "Swift", "swift", "SWIFT guide", "Café", "cafe", "Ärger", "ärger", "a_b%c", "O'Brien",
    "日本語", "straße", "STRASSE", "a.b", "note 2", "note 10", "i", "I", "İ", "ﬁne", "fine", "*?\\",
  ]
  static let integers = [-2, 0, 1, 2, 3, 5, 7]
  static let reals = [-1.5, 0, 0.1, 0.30000000000000004, 1, 2.5, 1e300]
  static let dates = [-3600.0, 0, 1, 0.1, 700_000_000.123456].map {
    Date(timeIntervalSinceReferenceDate: $0)
  }
  static let decimals = ["0", "0.1", "0.3", "1", "2.50", "-7", "12345.6789"]
    .compactMap { Decimal(string: $0) }
  static let codes = [0, 1, 0x7F, 0xFF].map { byte in
    UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }
  static let links = ["https://swift.org", "https://swift.org/a", "note:1"]
    .compactMap { URL(string: $0) }
  static let payloads = [Data(), Data([0]), Data([0, 1]), Data([255])]
}

/// Random numbers that come in the same order for every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func index(below count: Int) -> Int { Int(next() % UInt64(count)) }

  mutating func chance(_ hits: Int, of all: Int) -> Bool { index(below: all) < hits }

  mutating func one<Value>(of values: [Value]) -> Value { values[index(below: values.count)] }

  /// One of the values, or now and then none.
  mutating func perhaps<Value>(_ values: [Value]) -> Value? {
    chance(1, of: 5) ? nil : one(of: values)
  }
}
