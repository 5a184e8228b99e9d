import CSQLite
import CoreData

// From objects to their relatives.

extension Work {
  static var relationships: [Work] {
    [
      Work(
        name: "lazily",
        title: "1,000 parents, 100 children each, lazily",
        bar: 1.3,
        published: "2.8"
      ) {
        let request = NSFetchRequest<Shelf>(entityName: "Shelf")
        try children(&$0, request) { plain, shelves in
          shelves.reduce(0) { $0 &+ sum(plain.entries("WHERE ZSHELF = ?", $1)) }
        }
      },
      Work(
        name: "prefetched",
        title: "1,000 parents, 100 children each, prefetched",
        bar: 1.2,
        published: "2.2"
      ) {
        let request = NSFetchRequest<Shelf>(entityName: "Shelf")
        request.relationshipKeyPathsForPrefetching = ["entries"]
        try children(&$0, request) { plain, shelves in
          let entries = plain.entries("WHERE ZSHELF IN (SELECT Z_PK FROM ZSHELF)")
          return sum(Dictionary(grouping: entries, by: \.shelf).values.joined())
        }
      },
      Work(
        name: "lazily-array",
        title: "1,000 parents, 100 children each, lazily, as arrays",
        bar: 1.25
      ) {
        let request = NSFetchRequest<Shelf>(entityName: "Shelf")
        try children(&$0, request, asArrays: true) { plain, shelves in
          shelves.reduce(0) { $0 &+ sum(plain.entries("WHERE ZSHELF = ?", $1)) }
        }
      },
      Work(
        name: "prefetched-array",
        title: "1,000 parents, 100 children each, prefetched, as arrays",
        bar: 1.15
      ) {
        let request = NSFetchRequest<Shelf>(entityName: "Shelf")
        request.relationshipKeyPathsForPrefetching = ["entries"]
        try children(&$0, request, asArrays: true) { plain, shelves in
          let entries = plain.entries("WHERE ZSHELF IN (SELECT Z_PK FROM ZSHELF)")
          return sum(Dictionary(grouping: entries, by: \.shelf).values.joined())
        }
      },
      many("many", "10,000 objects × 2 many-to-many members", bar: 1.5) { entry in
        var sum = 0
        for case let label as Label in entry.labels ?? NSSet() {
          sum &+= label.name?.utf8.count ?? 0
        }
        return sum
      },
      many("many-array", "10,000 objects × 2 many-to-many members, as arrays", bar: 1.3) { entry in
        var sum = 0
        for label in entry.members(of: \.labels, as: Label.self) {
          sum &+= label.name?.utf8.count ?? 0
        }
        return sum
      },
    ]
  }

  private static func many(
    _ name: String,
    _ title: String,
    bar: Double,
    _ read: @escaping (Entry) -> Int
  ) -> Work {
    Work(name: name, title: title, bar: bar) {
      let plain = PlainTables(path: $0.stand.filled.path)
      let context = try $0.stand.context(at: $0.stand.filled)
      let request = all
      request.predicate = NSPredicate(format: "i1 < 10")
      let entries = try context.fetch(request)
      let numbers = plain.entries("WHERE ZI1 < 10").map(\.number)
      var (sum, ours) = (0, 0)
      let (table, entry, label) = plain.pairs
      $0.plain {
        for number in numbers {
          plain.each(
            "SELECT t0.Z_PK, t0.ZNAME FROM ZLABEL t0 JOIN \(table) t1 ON t1.\(label) = t0.Z_PK WHERE t1.\(entry) = ?",
            number
          ) { sum &+= plain.text($0, 1)?.utf8.count ?? 0 }
        }
      }
      $0.ours { for entry in entries { ours &+= read(entry) } }
      precondition(sum == ours, "both must have read the same")
    }
  }

  private static func children(
    _ round: inout Round,
    _ request: NSFetchRequest<Shelf>,
    asArrays: Bool = false,
    plain read: (PlainTables, [Int64]) -> Int
  ) throws {
    let plain = PlainTables(path: round.stand.filled.path)
    let context = try round.stand.context(at: round.stand.filled)
    warm(context)
    var (theirs, ours) = (0, 0)
    round.plain {
      var shelves: [Int64] = []
      plain.each("SELECT Z_PK, ZNAME FROM ZSHELF") { shelves.append(sqlite3_column_int64($0, 0)) }
      theirs = read(plain, shelves)
    }
    try round.ours {
      let shelves = try context.fetch(request)
      for shelf in shelves where asArrays {
        for entry in shelf.members(of: \.entries, as: Entry.self) {
          ours &+= Int(entry.i1) &+ (entry.title?.utf8.count ?? 0)
        }
      }
      for shelf in shelves where !asArrays {
        for case let entry as Entry in shelf.entries ?? NSSet() {
          ours &+= Int(entry.i1) &+ (entry.title?.utf8.count ?? 0)
        }
      }
    }
    precondition(theirs == ours, "both must have read the same")
  }

  private static func sum(_ entries: some Sequence<PlainEntry>) -> Int {
    entries.reduce(0) { $0 &+ Int($1.i1) &+ ($1.title?.utf8.count ?? 0) }
  }
}
