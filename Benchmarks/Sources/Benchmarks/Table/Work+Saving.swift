import CSQLite
import CoreData

// Works that write: new rows, changed rows, rows that go.

extension Work {
  static var saving: [Work] {
    [
      Work(
        name: "insert",
        title: "create and save 100,000 objects, 3 indexes",
        bar: 1.4,
        published: "2.4"
      ) {
        try insertion(&$0, into: "ZENTRY", "Entry") { set($1, of: Entry(context: $0)) }
      },
      Work(
        name: "insert-bare",
        title: "create and save 100,000 objects, no index",
        bar: 1.8,
        published: "5.7"
      ) {
        try insertion(&$0, into: "ZLOOSE", "Loose") { set($1, of: Loose(context: $0)) }
      },
      Work(name: "saves", title: "1,000 saves of one object", bar: 1.3, published: "1.2") {
        let (plain, context) = try copies(&$0, empty: true)
        let entity = plain.number(ofEntity: "Entry")
        $0.plain {
          for number in 1...1000 {
            plain.each("BEGIN IMMEDIATE")
            plain.each("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", Int64(number), entity)
            var next: PlainEntry? = PlainEntry(EntryValues(number), shelf: 0)
            plain.insert(into: "ZENTRY", entity: entity) {
              defer { next = nil }
              return next
            }
            plain.each("COMMIT")
          }
        }
        try $0.ours {
          for number in 1...1000 {
            set(EntryValues(number), of: Entry(context: context))
            try context.save()
          }
        }
      },
      Work(name: "find-or-create", title: "find or create 5,000 objects, then save", bar: 2.5) {
        let (plain, context) = try copies(&$0, empty: true)
        let entity = plain.number(ofEntity: "Entry")
        $0.plain {
          plain.each("BEGIN IMMEDIATE")
          for number in 1...5000 where plain.entries("WHERE ZDATE = ?", Int64(number)).isEmpty {
            var next: PlainEntry? = PlainEntry(EntryValues(number), shelf: 0)
            plain.insert(into: "ZENTRY", entity: entity) {
              defer { next = nil }
              return next
            }
          }
          plain.each("COMMIT")
        }
        try $0.ours {
          for number in 1...5000 {
            let values = EntryValues(number)
            let request = NSFetchRequest<Entry>(entityName: "Entry")
            let date = Date(timeIntervalSinceReferenceDate: values.date)
            request.predicate = NSPredicate(format: "date == %@", date as NSDate)
            request.fetchLimit = 1
            if try context.fetch(request).isEmpty { set(values, of: Entry(context: context)) }
          }
          try context.save()
        }
      },
      Work(
        name: "find-or-create-many",
        title: "find or create 5,000 objects in one call, then save",
        bar: 2
      ) {
        let (plain, context) = try copies(&$0, empty: true)
        let entity = plain.number(ofEntity: "Entry")
        $0.plain {
          plain.each("BEGIN IMMEDIATE")
          for number in 1...5000 where plain.entries("WHERE ZDATE = ?", Int64(number)).isEmpty {
            var next: PlainEntry? = PlainEntry(EntryValues(number), shelf: 0)
            plain.insert(into: "ZENTRY", entity: entity) {
              defer { next = nil }
              return next
            }
          }
          plain.each("COMMIT")
        }
        try $0.ours {
          let dates = (1...5000).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
          _ = try context.findOrCreate(Entry.self, where: \.date, in: dates) { entry, date in
            set(EntryValues(Int(date.timeIntervalSinceReferenceDate)), of: entry)
          }
          try context.save()
        }
      },
      Work(
        name: "update",
        title: "update one attribute of 10,000 and save",
        bar: 1.2,
        published: "2.1"
      ) {
        let (plain, context) = try copies(&$0)
        let request = all
        request.predicate = NSPredicate(format: "i1 < 10")
        let entries = try context.fetch(request)
        for entry in entries { _ = entry.i1 }
        let numbers = plain.entries("WHERE ZI1 < 10").map(\.number)
        $0.plain {
          plain.each("BEGIN IMMEDIATE")
          for number in numbers {
            plain.each(
              "UPDATE ZENTRY SET ZI2 = ?1, Z_OPT = 2 WHERE Z_PK = ?2 AND Z_OPT = 1",
              number,
              number
            )
          }
          plain.each("COMMIT")
        }
        try $0.ours {
          for entry in entries { entry.i2 &+= 1000 }
          try context.save()
        }
      },
      Work(name: "delete", title: "delete 10,000 with relationships", bar: 1.3, published: "1.4") {
        let (plain, context) = try copies(&$0)
        let numbers = plain.entries("WHERE ZI1 < 10").map(\.number)
        let request = all
        request.predicate = NSPredicate(format: "i1 < 10")
        let entries = try context.fetch(request)
        for entry in entries { _ = entry.i1 }
        let (table, column, _) = plain.pairs
        $0.plain {
          plain.each("BEGIN IMMEDIATE")
          for number in numbers {
            plain.each("DELETE FROM ZENTRY WHERE Z_PK = ? AND Z_OPT = 1", number)
            plain.each("DELETE FROM \(table) WHERE \(column) = ?", number)
          }
          plain.each("COMMIT")
        }
        try $0.ours {
          for entry in entries { context.delete(entry) }
          try context.save()
        }
      },
      Work(
        name: "batch",
        title: "batch insertion of 100,000, handler of objects, 3 indexes",
        bar: 1.2
      ) {
        let count = $0.stand.count
        let (plain, context) = try copies(&$0, empty: true)
        $0.plain { insert(count, into: "ZENTRY", "Entry", plain) }
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Entry") { (object: NSManagedObject) in
          number += 1
          guard number <= count, let entry = object as? Entry else { return true }
          set(EntryValues(number), of: entry)
          return false
        }
        try $0.ours { _ = try context.execute(request) }
      },
      Work(name: "upsert", title: "upsert of 100,000 rows that exist", bar: 1.5) {
        let count = $0.stand.count
        let (plain, context) = try copies(&$0)
        let ticket = plain.number(ofEntity: "Ticket")
        $0.plain { upsert(count, ticket, plain) }
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Ticket") { (object: NSManagedObject) in
          number += 1
          guard number <= count, let ticket = object as? Ticket else { return true }
          ticket.code = Int64(number)
          ticket.count = Int64(number)
          return false
        }
        try $0.ours { _ = try context.execute(request) }
      },
      Work(
        name: "upsert-values",
        title: "upsert of 100,000 rows that exist, from Encodable values",
        bar: 1.5
      ) {
        let count = $0.stand.count
        let (plain, context) = try copies(&$0)
        let ticket = plain.number(ofEntity: "Ticket")
        $0.plain { upsert(count, ticket, plain) }
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let values = (1...Int64(count)).lazy.map { TicketCount(code: $0, count: $0) }
        let request = NSBatchInsertRequest(entityName: "Ticket", values: values)
        try $0.ours { _ = try context.execute(request) }
      },
    ]
  }

  private struct TicketCount: Encodable {
    let code: Int64
    let count: Int64
  }

  private static func upsert(_ count: Int, _ entity: Int64, _ plain: PlainTables) {
    plain.each("BEGIN IMMEDIATE")
    for number in 1...Int64(count) {
      plain.each(
        """
        INSERT INTO ZTICKET (Z_PK, Z_ENT, Z_OPT, ZCODE, ZCOUNT) VALUES (?1, ?2, 1, ?3, ?3) \
        ON CONFLICT (ZCODE) DO UPDATE SET ZCOUNT = excluded.ZCOUNT, Z_OPT = Z_OPT + 1
        """,
        number + Int64(count),
        entity,
        number
      )
    }
    plain.each("COMMIT")
  }

  /// A store for each side.
  private static func copies(
    _ round: inout Round,
    empty: Bool = false
  ) throws -> (PlainTables, NSManagedObjectContext) {
    let stand = round.stand
    let source = empty ? stand.empty : stand.filled
    let plain = PlainTables(path: try stand.copy(of: source, "plain").path)
    let context = try stand.context(at: try stand.copy(of: source, "ours"))
    warm(context)
    return (plain, context)
  }

  private static func insertion(
    _ round: inout Round,
    into table: String,
    _ entity: String,
    _ make: (NSManagedObjectContext, EntryValues) -> Void
  ) throws {
    let count = round.stand.count
    let (plain, context) = try copies(&round, empty: true)
    round.plain { insert(count, into: table, entity, plain) }
    try round.ours {
      for number in 1...count { make(context, EntryValues(number)) }
      try context.save()
    }
  }

  private static func insert(_ count: Int, into table: String, _ name: String, _ plain: PlainTables)
  {
    let entity = plain.number(ofEntity: name)
    plain.each("BEGIN IMMEDIATE")
    plain.each("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", Int64(count), entity)
    // Objects, as on the other side: a program has the values that it writes.
    let entries = (1...count).map { PlainEntry(EntryValues($0), shelf: 0) }
    var next = entries.makeIterator()
    plain.insert(into: table, entity: entity) { next.next() }
    plain.each("COMMIT")
  }

  private static func set(_ values: EntryValues, of entry: Entry) {
    entry.date = Date(timeIntervalSinceReferenceDate: values.date)
    entry.d1 = values.d1
    entry.d2 = values.d2
    entry.flag = values.flag
    entry.i1 = values.i1
    entry.i2 = values.i2
    entry.i3 = values.i3
    entry.name = values.name
    entry.note = values.note
    entry.title = values.title
  }

  static func set(_ values: EntryValues, of loose: Loose) {
    loose.date = Date(timeIntervalSinceReferenceDate: values.date)
    loose.d1 = values.d1
    loose.d2 = values.d2
    loose.flag = values.flag
    loose.i1 = values.i1
    loose.i2 = values.i2
    loose.i3 = values.i3
    loose.name = values.name
    loose.note = values.note
    loose.title = values.title
  }
}
