import CoreData

// Whole programs: how fast the first rows are there, what live queries and threads cost each other.

extension Work {
  static var programs: [Work] {
    [
      Work(
        name: "start",
        title: "start of a process to the first 50 rows in order",
        bar: 7,
        published: "5.5 ms",
        unit: .milliseconds
      ) {
        let file = $0.stand.filled
        $0.plain(figure: try FirstPage.launch(.plain, file))
        $0.ours(figure: try FirstPage.launch(.framework, file))
      },
      Work(
        name: "live",
        title: "1,000 saves under 200 live queries, beside under 2",
        bar: 1.2
      ) {
        let file = try $0.stand.copy(of: $0.stand.filled, "live")
        let context = try $0.stand.context(at: file)
        let few = try LiveQueries(2, in: context)
        try $0.plain { try few.saves(1000) }
        let many = try LiveQueries(200, in: context)
        few.end()
        try $0.ours { try many.saves(1000) }
        many.end()
      },
      Work(
        name: "threads",
        title: "8 threads read one store, beside one (time on the wall)",
        bar: 0.56
      ) {
        let reading = try ParallelReading($0.stand.coordinator(at: $0.stand.filled))
        reading.read(threads: 8)
        $0.plain(figure: Sample.of { reading.read(threads: 1) }.seconds * 1000)
        $0.ours(figure: Sample.of { reading.read(threads: 8) }.seconds * 1000)
      },
      Work(
        name: "page-memory",
        title: "memory of a page of 50, in all",
        bar: 2_000_000,
        unit: .bytes
      ) {
        let context = try $0.stand.context(at: $0.stand.filled)
        warm(context)
        let request = all
        request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
        request.fetchLimit = 50
        let before = Memory.settled
        let objects = try context.fetch(request)
        for entry in objects { keep(entry.title) }
        $0.ours(figure: Double(Memory.allocated - before))
        keep((context, objects))
      },
    ]
  }
}

/// A process of this program that shows the first 50 rows of a store and ends.
///
///     Benchmarks first-page framework|plain FILE
struct FirstPage {
  enum Way: String {
    case framework, plain
  }

  let way: Way
  let file: String

  init?(_ arguments: [String]) {
    guard arguments.count == 3, arguments[0] == "first-page", let way = Way(rawValue: arguments[1])
    else { return nil }
    self.way = way
    file = arguments[2]
  }

  /// Runs such a process and returns the milliseconds of the processor that it took, loading included.
  static func launch(_ way: Way, _ file: URL) throws -> Double {
    let before = childrenTime
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["first-page", way.rawValue, file.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    precondition(process.terminationStatus == 0, "the first page was not shown")
    return (childrenTime - before) * 1000
  }

  private static var childrenTime: Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  func run() throws {
    switch way {
    case .plain:
      for entry in PlainTables(path: file).entries("ORDER BY ZDATE LIMIT 50") {
        print(entry.title ?? "")
      }
    case .framework:
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Stand.model())
      try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: file))
      let context = NSManagedObjectContext(.mainQueue)
      context.persistentStoreCoordinator = coordinator
      let request = Work.all
      request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
      request.fetchLimit = 50
      for entry in try context.fetch(request) { print(entry.title ?? "") }
    }
  }
}

/// Fetched results controllers in one context, each over the entries of another shelf.
private struct LiveQueries {
  private let context: NSManagedObjectContext
  private let controllers: [NSFetchedResultsController<Entry>]
  private let counter = Counter()

  init(_ count: Int, in context: NSManagedObjectContext) throws {
    self.context = context
    let shelves = NSFetchRequest<Shelf>(entityName: "Shelf")
    shelves.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    shelves.fetchLimit = count
    controllers = try context.fetch(shelves).map { shelf in
      let request = Work.all
      request.predicate = NSPredicate(format: "shelf == %@", shelf)
      request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
      return NSFetchedResultsController(
        fetchRequest: request,
        managedObjectContext: context,
        sectionNameKeyPath: nil,
        cacheName: nil
      )
    }
    for controller in controllers {
      controller.delegate = counter
      try controller.performFetch()
    }
  }

  /// Each save changes an entry of one of the queries.
  func saves(_ count: Int) throws {
    let before = counter.count
    for number in 0..<count {
      let entries = controllers[number % controllers.count].fetchedObjects ?? []
      entries[number % entries.count].i3 &+= 1
      try context.save()
    }
    precondition(counter.count - before == count, "each save was told once")
  }

  func end() {
    for controller in controllers { controller.delegate = nil }
  }

  private final class Counter: NSObject, NSFetchedResultsControllerDelegate {
    var count = 0

    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
      count += 1
    }
  }
}

/// Fetches of a shelf's entries with all their attributes, by as many threads as are wanted.
private struct ParallelReading {
  private let coordinator: NSPersistentStoreCoordinator
  private static let fetches = 400

  init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
  }

  /// The same work in all, for any number of threads.
  func read(threads: Int) {
    let group = DispatchGroup()
    for thread in 0..<threads {
      group.enter()
      Thread.detachNewThread { [coordinator] in
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        for fetch in stride(from: thread, to: Self.fetches, by: threads) {
          context.performAndWait { Self.read(Int64(fetch * 37 % 100), in: context) }
        }
        group.leave()
      }
    }
    group.wait()
  }

  private static func read(_ number: Int64, in context: NSManagedObjectContext) {
    let request = Work.all
    request.predicate = NSPredicate(format: "i1 == %lld", number)
    guard let entries = try? context.fetch(request) else { fatalError("nothing could be read") }
    var sum = 0
    for entry in entries { sum &+= Work.weight(of: entry) }
    Work.keep(sum)
    context.reset()
  }
}
