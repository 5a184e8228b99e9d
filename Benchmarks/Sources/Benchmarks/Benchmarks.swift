import CoreData

/// Times the framework against the same work in plain SQLite calls, in one process and in turn.
///
///     Scripts/benchmark                          the table of all that has a bar: see `BenchmarkTable`
///     Scripts/benchmark SUBJECT [count] [rounds] one subject more closely
///
/// Absolute times differ from machine to machine; the ratio is the figure.
@main
struct Benchmarks {
  let count: Int
  let rounds: Int
  private let model: NSManagedObjectModel

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let subjects = [
      "objects", "results", "batches", "words", "history", "migration", "batched", "text", "knobs",
      "growth",
    ]
    Neighbours.walkIfAsked(arguments)
    if let page = FirstPage(arguments) { return try page.run() }
    guard let subject = arguments.first, subjects.contains(subject) else {
      return try BenchmarkTable(arguments).run()
    }
    try run(subject, arguments.compactMap { Int($0) })
  }

  private static func run(_ subject: String, _ numbers: [Int]) throws {
    let (count, rounds) = (numbers.first ?? 100_000, numbers.dropFirst().first ?? 5)
    let benchmarks = Benchmarks(count: count, rounds: rounds)
    let model = benchmarks.model
    switch subject {
    case "growth":
      let fewest = numbers.count > 2 ? numbers[2] : 10_000
      try Growth(fewest: fewest, most: numbers.first ?? 1_280_000, rounds: rounds).run()
    case "knobs": try Knobs(count: count, rounds: rounds).run()
    case "results": try FollowedResults(count: count, model: model).run()
    case "batches": try BatchInsertion(count: count, rounds: rounds, model: model).run()
    case "words": try WordSearch(count: count, rounds: rounds).run()
    case "history": try HistoryFetching(count: count, rounds: rounds, model: model).run()
    case "migration": try MigrationSpeed(count: count).run()
    case "batched": try BatchedResults(count: count, model: model).run()
    case "text": try TextSearch(count: count, rounds: rounds, model: model).run()
    default: try benchmarks.run()
    }
  }

  init(count: Int, rounds: Int) {
    guard let url = Bundle.module.url(forResource: "Shelf", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("the compiled model Shelf.momd is missing") }
    self.count = count
    self.rounds = rounds
    self.model = model
  }

  func run() throws {
    print("\(count) objects of 10 attributes, \(rounds) rounds; least / median")
    var insert = Comparison(name: "insert and save")
    var fetch = Comparison(name: "fetch as faults")
    var read = Comparison(name: "fetch and read every attribute")
    var again = Comparison(name: "fetch again what is known")
    var change = Comparison(name: "change one attribute of a tenth, save")
    for _ in 0..<rounds {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let plain = PlainSQLite(path: folder.appendingPathComponent("plain.sqlite").path)
      plain.makeTables()
      let items = (1...count).map(plainItem)
      var next = items.makeIterator()
      insert.plain.append(.of { plain.insert { next.next() } })
      let coordinator = try coordinator(at: folder.appendingPathComponent("ours.sqlite"))
      insert.ours.append(try .of { try insertAndSave(coordinator) })

      fetch.plain.append(.of { _ = plain.fetchAll() })
      fetch.ours.append(try .of { _ = try context(coordinator).fetch(request) })
      var sum = 0
      read.plain.append(.of { for item in plain.fetchAll() { sum &+= weight(of: item) } })
      var ours = 0
      read.ours.append(
        try .of {
          let context = context(coordinator)
          try withExtendedLifetime(context) {
            for item in try context.fetch(request) { ours &+= weight(of: item) }
          }
        }
      )
      precondition(sum == ours, "both must have read the same")
      let known = context(coordinator)
      let held = try known.fetch(request)
      for item in held { _ = item.i1 }
      again.plain.append(.of { _ = plain.fetchAll() })
      again.ours.append(try .of { _ = try known.fetch(request) })
      change.plain.append(
        .of {
          plain.run("BEGIN")
          updateTenth(plain)
          plain.run("COMMIT")
        }
      )
      change.ours.append(
        try .of {
          for index in stride(from: 0, to: held.count, by: 10) { held[index].i2 &+= 1 }
          try known.save()
        }
      )
    }
    for comparison in [insert, fetch, read, again, change] { print(comparison.line) }
    try printMemory()
  }

  private func updateTenth(_ plain: PlainSQLite) {
    for number in stride(from: 1, through: count, by: 10) {
      plain.run("UPDATE ZITEM SET Z_OPT = 2, ZI2 = ZI2 + 1 WHERE Z_PK = \(number) AND Z_OPT = 1")
    }
  }

  private func printMemory() throws {
    let coordinator = try coordinator(at: URL(fileURLWithPath: "/dev/null"))
    try insertAndSave(coordinator)
    let context = context(coordinator)
    let before = Memory.allocated
    let objects = try context.fetch(request)
    let bytes = (Memory.allocated - before) / max(objects.count, 1)
    withExtendedLifetime((context, objects)) {
      print(
        String(
          format: "memory: %d bytes for each fetched object, process %.0f MB at most",
          bytes,
          Memory.peak
        )
      )
    }
  }
}

// MARK: - The work

extension Benchmarks {
  private var request: NSFetchRequest<Item> { NSFetchRequest<Item>(entityName: "Item") }

  private func coordinator(at url: URL) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    return coordinator
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func insertAndSave(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = context(coordinator)
    for number in 1...count {
      let item = Item(context: context)
      item.date = Date(timeIntervalSinceReferenceDate: Double(number))
      item.d1 = Double(number) / 3
      item.d2 = Double(number) / 7
      item.flag = number % 2 == 0
      item.i1 = Int64(number * 31 % 1000)
      item.i2 = Int32(number)
      item.i3 = Int16(truncatingIfNeeded: number)
      item.name = "item \(number)"
      item.note = "a note that is about fifty bytes long, number \(number)"
      item.title = "the title of item \(number)"
    }
    try context.save()
  }

  private func plainItem(_ number: Int) -> PlainSQLite.PlainItem {
    let item = PlainSQLite.PlainItem()
    item.number = Int64(number)
    item.date = Double(number)
    item.d1 = Double(number) / 3
    item.d2 = Double(number) / 7
    item.flag = number % 2 == 0
    item.i1 = Int64(number * 31 % 1000)
    item.i2 = Int32(number)
    item.i3 = Int16(truncatingIfNeeded: number)
    item.name = "item \(number)"
    item.note = "a note that is about fifty bytes long, number \(number)"
    item.title = "the title of item \(number)"
    return item
  }

  private func weight(of item: Item) -> Int {
    Int(item.i1) &+ Int(item.i2) &+ Int(item.i3) &+ (item.flag ? 1 : 0) &+ Int(item.d1 + item.d2)
      &+ Int(item.date?.timeIntervalSinceReferenceDate ?? 0) &+ (item.name?.utf8.count ?? 0)
      &+ (item.note?.utf8.count ?? 0) &+ (item.title?.utf8.count ?? 0)
  }

  private func weight(of item: PlainSQLite.PlainItem) -> Int {
    Int(item.i1) &+ Int(item.i2) &+ Int(item.i3) &+ (item.flag ? 1 : 0) &+ Int(item.d1 + item.d2)
      &+ Int(item.date) &+ (item.name?.utf8.count ?? 0) &+ (item.note?.utf8.count ?? 0)
      &+ (item.title?.utf8.count ?? 0)
  }
}
