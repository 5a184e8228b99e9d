import CSQLite
import CoreData

// Objects from a store: all of them, and those of a predicate.

extension Work {
  static var fetching: [Work] {
    [
      Work(name: "fetch", title: "fetch 100,000 objects", bar: 0.9, published: "2.9, tracked 5.5") {
        let plain = PlainTables(path: $0.stand.filled.path)
        let context = try $0.stand.context(at: $0.stand.filled)
        warm(context)
        $0.plain { keep(plain.entries()) }
        try $0.ours { keep(try context.fetch(all)) }
      },
      Work(name: "read", title: "fetch 100,000 and read every attribute", bar: 1.2) {
        let plain = PlainTables(path: $0.stand.filled.path)
        let context = try $0.stand.context(at: $0.stand.filled)
        warm(context)
        var (sum, ours) = (0, 0)
        $0.plain { for entry in plain.entries() { sum &+= weight(of: entry) } }
        try $0.ours { for entry in try context.fetch(all) { ours &+= weight(of: entry) } }
        precondition(sum == ours, "both must have read the same")
      },
      Work(name: "again", title: "fetch again what is known", bar: 0.6) {
        let plain = PlainTables(path: $0.stand.filled.path)
        let context = try $0.stand.context(at: $0.stand.filled)
        let held = try context.fetch(all)
        for entry in held { _ = entry.i1 }
        $0.plain { keep(plain.entries()) }
        try $0.ours { keep(try context.fetch(all)) }
        keep(held)
      },
      Work(name: "dictionaries", title: "fetch 100,000 dictionaries", bar: 4) {
        let plain = PlainTables(path: $0.stand.filled.path)
        let context = try $0.stand.context(at: $0.stand.filled)
        warm(context)
        let request = NSFetchRequest<NSDictionary>(entityName: "Entry")
        request.resultType = .dictionaryResultType
        $0.plain { keep(plain.entries()) }
        try $0.ours { keep(try context.fetch(request)) }
      },
      Work(name: "rows", title: "fetch 100,000 rows of values", bar: 2.5) {
        let plain = PlainTables(path: $0.stand.filled.path)
        let context = try $0.stand.context(at: $0.stand.filled)
        warm(context)
        $0.plain { keep(plain.entries()) }
        try $0.ours { keep(try context.rows(of: all)) }
      },
      Work(name: "indexed", title: "1,000 hits by predicate, indexed", bar: 1.1, published: "1.8") {
        try hits(&$0, "i1 == 31", "WHERE ZI1 = 31")
      },
      Work(name: "scan", title: "1,000 hits by predicate, scan", bar: 1.1, published: "1.2") {
        try hits(&$0, "i2 == 34", "WHERE ZI2 = 34")
      },
      Work(name: "single", title: "10,000 single-object fetches", bar: 2.5, published: "10") {
        let plain = PlainTables(path: $0.stand.filled.path)
        let context = try $0.stand.context(at: $0.stand.filled)
        warm(context)
        let numbers = (0..<10_000).map { [count = $0.stand.count] in Int64($0 * 7919 % count + 1) }
        $0.plain { for number in numbers { keep(plain.entries("WHERE ZDATE = ?", number)) } }
        try $0.ours {
          for number in numbers {
            let request = NSFetchRequest<Entry>(entityName: "Entry")
            let date = Date(timeIntervalSinceReferenceDate: Double(number))
            request.predicate = NSPredicate(format: "date == %@", date as NSDate)
            keep(try context.fetch(request))
          }
        }
      },
      Work(
        name: "contains",
        title: "CONTAINS[cd] over 100,000 titles, beside LIKE",
        bar: 1.3,
        published: "6.6"
      ) {
        try hits(
          &$0,
          "title CONTAINS[cd] 'elan title of entry 99'",
          "WHERE ZTITLE LIKE '%lan title of entry 99%'"
        )
      },
    ]
  }

  static var all: NSFetchRequest<Entry> { NSFetchRequest<Entry>(entityName: "Entry") }

  private static func hits(_ round: inout Round, _ format: String, _ condition: String) throws {
    let plain = PlainTables(path: round.stand.filled.path)
    let context = try round.stand.context(at: round.stand.filled)
    warm(context)
    let request = all
    request.predicate = NSPredicate(format: format)
    var (few, ours) = (0, 0)
    round.plain { few = plain.entries(condition).count }
    try round.ours { ours = try context.fetch(request).count }
    precondition(few == ours, "both must have found the same")
  }

  /// Opens the connection, so that only the fetch counts.
  static func warm(_ context: NSManagedObjectContext) {
    let request = all
    request.fetchLimit = 1
    // A store that cannot be read shows it in the measured fetch.
    keep(try? context.fetch(request))
  }

  /// Results must not be optimised away.
  @inline(never)
  @_optimize(none)
  static func keep<Value>(_ value: Value) {}

  static func weight(of entry: Entry) -> Int {
    Int(entry.i1) &+ Int(entry.i2) &+ Int(entry.i3) &+ (entry.flag ? 1 : 0)
      &+ Int(entry.d1 + entry.d2) &+ Int(entry.date?.timeIntervalSinceReferenceDate ?? 0)
      &+ (entry.name?.utf8.count ?? 0) &+ (entry.note?.utf8.count ?? 0)
      &+ (entry.title?.utf8.count ?? 0)
  }

  private static func weight(of entry: PlainEntry) -> Int {
    Int(entry.i1) &+ Int(entry.i2) &+ Int(entry.i3) &+ (entry.flag ? 1 : 0)
      &+ Int(entry.d1 + entry.d2) &+ Int(entry.date) &+ (entry.name?.utf8.count ?? 0)
      &+ (entry.note?.utf8.count ?? 0) &+ (entry.title?.utf8.count ?? 0)
  }
}
