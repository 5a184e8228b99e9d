import Foundation
import TestSupport

@testable import CoreData

/// A request as text, which becomes one for each of the two stores.
struct DifferentialRequest: CustomStringConvertible {
  var format: String
  var arguments: [Argument]
  var sort: [(key: String, ascending: Bool, selector: Selector?)] = []
  var limit = 0
  var offset = 0
  var entity = "Note"

  /// A value, or an object that each store has its own of.
  enum Argument {
    case value(Any)
    case object(String, Int)
    case objects(String, [Int])
    case objectIDs(String, [Int])
    case entity(String)
  }

  var description: String {
    "\(entity) where \(format) \(arguments) by \(sort) limit \(limit) offset \(offset)"
  }

  func request(in context: NSManagedObjectContext) throws -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = try NSPredicate(
      parsing: format,
      arguments: arguments.map { try $0.value(in: context) }
    )
    request.sortDescriptors = sort.map {
      NSSortDescriptor(key: $0.key, ascending: $0.ascending, selector: $0.selector)
    }
    request.fetchLimit = limit
    request.fetchOffset = offset
    return request
  }
}

extension DifferentialRequest.Argument {
  fileprivate func value(in context: NSManagedObjectContext) throws -> Any? {
    switch self {
    case .value(let value): return value
    case .object(let entity, let index): return try Self.all(entity, in: context)[index]
    case .objects(let entity, let indexes):
      let all = try Self.all(entity, in: context)
      return indexes.map { all[$0] }
    case .objectIDs(let entity, let indexes):
      let all = try Self.all(entity, in: context)
      return indexes.map { all[$0].objectID }
    case .entity(let name):
      return context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
    }
  }

  /// As they are in the store, in the order of their keys.
  private static func all(
    _ entity: String,
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesPendingChanges = false
    return try context.fetch(request)
  }
}

/// Draws requests for notes that memory can answer, and SQLite stores do not refuse.
struct DifferentialRequests {
  var random: SeededGenerator
  private var arguments: [DifferentialRequest.Argument] = []

  init(seed: UInt64) {
    random = SeededGenerator(state: seed)
  }

  mutating func request() -> DifferentialRequest {
    arguments = []
    var request = DifferentialRequest(format: predicate(depth: 2), arguments: [])
    request.arguments = arguments
    if random.chance(1, of: 2) {
      request.sort = (0..<(1 + random.index(below: 3))).map { _ in order() }
    }
    if random.chance(1, of: 3) { request.limit = 1 + random.index(below: 12) }
    if random.chance(1, of: 4) { request.offset = random.index(below: 8) }
    return request
  }

  private mutating func order() -> (key: String, ascending: Bool, selector: Selector?) {
    let ascending = random.chance(1, of: 2)
    if random.chance(1, of: 3) {
      let selectors = [
        "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
        "localizedStandardCompare:",
      ]
      let key = random.one(of: ["title", "text", "folder.name"])
      return (key, ascending, Selector(random.one(of: selectors)))
    }
    let keys = [
      "title", "text", "stars", "views", "rating", "price", "created", "uuid", "isFavourite",
      "link",
      "folder.name", "folder.parent.name", "folder.cover.views", "pinnedIn.name",
    ]
    return (random.one(of: keys), ascending, nil)
  }

  mutating func predicate(depth: Int, of row: String = "") -> String {
    switch random.index(below: depth > 0 ? 8 : 5) {
    case 5: "(\(predicate(depth: depth - 1, of: row)) AND \(predicate(depth: depth - 1, of: row)))"
    case 6: "(\(predicate(depth: depth - 1, of: row)) OR \(predicate(depth: depth - 1, of: row)))"
    case 7: "NOT (\(predicate(depth: depth - 1, of: row)))"
    case 4: objects(row)
    case 3: collection(row, depth: depth)
    case _: single(row)
    }
  }

  /// The place of an argument.
  private mutating func argument(_ value: Any) -> String {
    arguments.append(.value(value))
    return "%@"
  }

  private mutating func argument(_ argument: DifferentialRequest.Argument) -> String {
    arguments.append(argument)
    return "%@"
  }
}

// MARK: - Single values

extension DifferentialRequests {
  private mutating func single(_ row: String) -> String {
    switch random.index(below: 6) {
    case 0: return dates(row)
    case 1: return "\(row)uuid \(equality()) \(argument(code()))"
    case 2: return random.chance(1, of: 3) ? nothing(row) : text(textPath(row), row)
    case 3: return text(textPath(row), row)
    case _: return numbers(row)
    }
  }

  private mutating func code() -> UUID {
    DifferentialValues.code(random.index(below: DifferentialDesk.noteCount))
  }

  private mutating func equality() -> String { random.one(of: ["==", "!="]) }

  private mutating func sign() -> String { random.one(of: ["==", "!=", "<", "<=", ">", ">="]) }

  private mutating func nothing(_ row: String) -> String {
    let keys = ["title", "views", "price", "created", "link", "folder", "folder.cover", "keywords"]
    return "\(row)\(random.one(of: keys)) \(equality()) nil"
  }

  private mutating func dates(_ row: String) -> String {
    let path = row + random.one(of: ["created", "folder.cover.created"])
    switch random.index(below: 4) {
    case 0:
      let bounds = [
        random.one(of: DifferentialValues.dates), random.one(of: DifferentialValues.dates),
      ]
      .sorted()
      return "\(path) BETWEEN {\(argument(bounds[0])), \(argument(bounds[1]))}"
    case 1: return "CAST(\(path), 'NSNumber') \(sign()) \(argument(700_000.5))"
    case _: return "\(path) \(sign()) \(argument(random.one(of: DifferentialValues.dates)))"
    }
  }

  private mutating func textPath(_ row: String) -> String {
    let paths = ["title", "text", "folder.name", "folder.parent.name", "folder.cover.title"]
    let path = row + random.one(of: paths)
    switch random.index(below: 12) {
    case 0: return "uppercase:(\(path))"
    case 1: return "lowercase:(\(path))"
    case 2: return "entity.name" == path ? path : "\(row)entity.name"
    case _: return path
    }
  }

  private mutating func options() -> String {
    random.one(of: ["", "[c]", "[d]", "[cd]", "[n]"])
  }

  private mutating func text(_ path: String, _ row: String) -> String {
    let options = options()
    switch random.index(below: 7) {
    case 0, 1:
      let parts = [
        "", "s", "S", "wif", "é", "E", "Ä", "a", "i", "SS", "ß", "'", "%", "_", "本", "fi", "\"",
        "\0",
        "😀", "Ł", "NAÏVE", "λλ", "\u{301}", "“",
      ]
      let op = random.one(of: ["CONTAINS", "BEGINSWITH", "ENDSWITH"])
      return "\(path) \(op)\(options) \(argument(random.one(of: parts)))"
    case 2:
      let patterns = [
        "*", "s*t", "?wift", "caf?", "", "*\\*?", "*ß*", "n*?ve*", "a%c", "a?b*", "*\n*",
      ]
      return "\(path) LIKE\(options) \(argument(random.one(of: patterns)))"
    case 3:
      let patterns = ["S.*", "[a-z]+", "note \\d+", "(?i)i", ".*ß.*", "", "a.b"]
      return "\(path) MATCHES\(options) \(argument(random.one(of: patterns)))"
    case 4:
      let texts = (0..<random.one(of: [0, 1, 3, 5, 20])).map { _ in
        random.one(of: DifferentialValues.texts)
      }
      return "\(path) IN\(options) \(argument(texts))"
    case 5:
      return "\(path) \(sign())\(options) \(row)\(random.one(of: ["title", "text"]))"
    case _:
      return "\(path) \(sign())\(options) \(argument(random.one(of: DifferentialValues.texts)))"
    }
  }

  private mutating func numberPath(_ row: String) -> String {
    let paths = [
      "stars", "views", "rating", "price", "isFavourite", "folder.notes.@count", "tags.@count",
      "tags[SIZE]", "related.@sum.stars", "related.@avg.stars", "folder.notes.@max.views",
      "tags.notes.@count", "related.@min.stars", "folder.pinned.@count", "folder.children.@count",
      "related.tags.@count", "folder.cover.stars",
    ]
    return row + random.one(of: paths)
  }

  private mutating func number() -> Any {
    switch random.index(below: 3) {
    case 0: random.one(of: DifferentialValues.integers)
    case 1: random.one(of: DifferentialValues.reals)
    case _: random.one(of: DifferentialValues.decimals)
    }
  }

  private mutating func numbers(_ row: String) -> String {
    let path = numberPath(row)
    switch random.index(below: 8) {
    case 0: return "\(path) BETWEEN {\(argument(0)), \(row)stars + \(argument(2))}"
    case 1:
      let numbers = (0..<random.one(of: [1, 3, 40])).map { _ in number() }
      return "\(path) IN \(argument(numbers))"
    case 2:
      let op = random.one(of: ["+", "-", "*", "/", "&", "|", "^"])
      return
        "\(row)stars \(op) \(argument(1 + random.index(below: 4))) \(sign()) \(numberPath(row))"
    case 3: return "TERNARY(\(row)isFavourite == YES, \(row)stars, 2) \(sign()) \(argument(2))"
    case 4: return "length:(\(row)title) \(sign()) \(argument(random.index(below: 9)))"
    case 5: return "abs:(\(row)rating) \(sign()) \(numberPath(row))"
    case _: return "\(path) \(sign()) \(argument(number()))"
    }
  }
}

// MARK: - Collections and objects

extension DifferentialRequests {
  private mutating func collection(_ row: String, depth: Int) -> String {
    switch random.index(below: 4) {
    case 0 where depth > 0:
      let variable = "$v\(depth)"
      let path = random.one(of: ["related", "folder.notes", "tags.notes", "folder.pinned"])
      let inner = predicate(depth: depth - 1, of: "\(variable).")
      let count = random.one(of: ["@count", "@count", "@min.stars"])
      return "SUBQUERY(\(row)\(path), \(variable), \(inner)).\(count) \(sign()) \(argument(1))"
    case 1:
      let path = random.one(of: ["related.stars", "folder.notes.views", "tags.notes.rating"])
      return "\(modifier()) \(row)\(path) \(sign()) \(argument(number()))"
    case _:
      let paths = [
        "tags.name", "related.title", "folder.notes.title", "tags.notes.folder.name",
        "folder.children.name", "folder.pinned.text",
      ]
      return "\(modifier()) \(text(row + random.one(of: paths), row))"
    }
  }

  private mutating func modifier() -> String { random.one(of: ["ANY", "SOME", "ALL", "NONE"]) }

  private mutating func note() -> DifferentialRequest.Argument {
    .object("Note", random.index(below: DifferentialDesk.noteCount))
  }

  private mutating func folder() -> DifferentialRequest.Argument {
    .object("Folder", random.index(below: DifferentialDesk.folderCount))
  }

  private mutating func tag() -> DifferentialRequest.Argument {
    .object("Tag", random.index(below: DifferentialDesk.tagCount))
  }

  private mutating func objects(_ row: String) -> String {
    let object = row.isEmpty ? "SELF" : String(row.dropLast())
    let some = (0..<random.one(of: [0, 1, 3, 20])).map { _ in
      random.index(below: DifferentialDesk.noteCount)
    }
    switch random.index(below: 10) {
    case 0: return "\(row)folder \(equality()) \(argument(folder()))"
    case 1: return "\(row)folder.parent \(equality()) \(argument(folder()))"
    case 2: return "\(argument(tag())) IN \(row)tags"
    case 3: return "\(row)related CONTAINS \(argument(note()))"
    case 4: return "\(modifier()) \(row)tags \(equality()) \(argument(tag()))"
    case 5: return "\(object) IN \(argument(.objects("Note", some)))"
    case 6: return "\(row)objectID IN \(argument(.objectIDs("Note", some)))"
    case 7: return "\(row)folder.cover \(equality()) \(object)"
    case 8: return "\(row)entity \(equality()) \(argument(.entity("Checklist")))"
    case _: return "ANY \(row)folder.notes.folder.cover == \(object)"
    }
  }
}
