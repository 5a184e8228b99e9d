import CoreData
import Dispatch

/// Does the same work by the framework and by libpq, in turn, on one server and on tables that are alike, and holds
/// each line against its bar.
///
///     PostgreSQLFigures ADDRESS [count] [rounds]
///
/// The first side changes from round to round: the second to write finds a table that is full already.
///
/// The server's time belongs to it: the time on the wall counts, and the least of all rounds.
@main
struct PostgreSQLFigures {
  private let address: String
  /// The same address without settings: commits wait for the disk.
  private let waitingAddress: String
  private let isOnlyBeside: Bool
  private let count: Int
  private let rounds: Int
  private let server: PlainServer
  private var outcomes: [String: Outcome] = [:]

  private static let savesOfEach = 250
  private static let writers = 8

  /// One line of the table.
  private struct Line {
    let name: String
    let title: String
    let bar: Double
  }

  /// How many threads write to one zone.
  private static let besides = 16

  private static let lines = [
    Line(name: "insert", title: "create and save all objects, 2 indexes", bar: 1.5),
    Line(name: "read", title: "fetch all and read every attribute", bar: 1.5),
    Line(name: "faults", title: "10,000 faults in batches of 100", bar: 1.3),
    Line(name: "update", title: "update one attribute of a tenth and save", bar: 1.4),
    Line(name: "writer", title: "250 saves of one object", bar: 1.5),
    Line(name: "writers", title: "8 writers on zones of their own, 250 saves each", bar: 1.5),
    Line(name: "beside", title: "16 writers in one zone, 250 saves each", bar: 1.67),
    Line(name: "history", title: "the same with a history", bar: 2),
  ]

  private struct Outcome {
    var plain: [Double] = []
    var ours: [Double] = []
  }

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let address = arguments.first else {
      FileHandle.standardError.write(Data("PostgreSQLFigures wants an address\n".utf8))
      exit(2)
    }
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let isOnlyBeside = arguments.contains("beside")
    var figures = try PostgreSQLFigures(
      address: address,
      count: max(numbers.first ?? 100_000, 1_000),
      rounds: max(numbers.dropFirst().first ?? 5, 1),
      isOnlyBeside: isOnlyBeside
    )
    try figures.run()
  }

  private init(address: String, count: Int, rounds: Int, isOnlyBeside: Bool) throws {
    self.isOnlyBeside = isOnlyBeside
    waitingAddress = address
    // The server flushes for those who wait for the disk; the other works have the processor's time alone.
    self.address = address + "&options=-csynchronous_commit%3Doff"
    self.count = count
    self.rounds = rounds
    // The framework makes the tables of both sides.
    _ = try FrameworkItems(self.address, zone: "ours")
    server = PlainServer(self.address)
  }

  private mutating func run() throws {
    for _ in 0..<rounds {
      if isOnlyBeside {
        for keepsHistory in [false, true] {
          try writeBeside(keepingHistory: keepsHistory)
        }
        continue
      }
      server.run("TRUNCATE \"ZITEM\"")
      try insert()
      server.run("VACUUM ANALYZE \"ZITEM\"")
      try read()
      try faults()
      try update()
      write(1, "writer")
      write(Self.writers, "writers")
      for keepsHistory in [false, true] {
        try writeBeside(keepingHistory: keepsHistory)
      }
    }
    for line in Self.lines where outcomes[line.name] != nil { print(text(of: line)) }
  }

  private func text(of line: Line) -> String {
    let outcome = outcomes[line.name]
    let (plain, ours) = (outcome?.plain.min() ?? .nan, outcome?.ours.min() ?? .nan)
    let name = line.name.padding(toLength: 10, withPad: " ", startingAt: 0)
    let title = line.title.padding(toLength: 50, withPad: " ", startingAt: 0)
    let figures = String(
      format: "%9.2f %9.2f ms %6.2f  bar %g",
      plain,
      ours,
      ours / plain,
      line.bar
    )
    return "\(name) \(title) \(figures) \(ours / plain <= line.bar ? "✓" : "✗")"
  }
}

// MARK: - The work

extension PostgreSQLFigures {
  private var plainItems: PlainItems { PlainItems(server, zone: "plain") }

  private mutating func insert() throws {
    let values = (1...count).map { PlainItem($0) }
    let items = try FrameworkItems(address, zone: "ours")
    try items.warm()
    let theirs = plainItems
    try inTurn("insert") {
      theirs.insert(values)
    } ours: {
      let context = items.context()
      try context.performAndWait {
        for value in values { Item(context: context).set(value) }
        try context.save()
      }
    }
  }

  private mutating func read() throws {
    let items = try FrameworkItems(address, zone: "ours")
    try items.warm()
    var (sum, same) = (0, 0)
    let theirs = plainItems
    try inTurn("read") {
      for item in theirs.all() { sum &+= item.weight }
    } ours: {
      let context = items.context()
      try context.performAndWait {
        for item in try context.fetch(FrameworkItems.all) { same &+= item.weight }
      }
    }
    precondition(sum == same, "both must have read the same")
  }

  private mutating func faults() throws {
    let items = try FrameworkItems(address, zone: "ours")
    try items.warm()
    let request = FrameworkItems.all
    request.fetchLimit = 10_000
    request.fetchBatchSize = 100
    var (read, same) = (0, 0)
    let theirs = plainItems
    try inTurn("faults") {
      theirs.inBatches(of: 100, limit: 10_000) { read += $0.weight > 0 ? 1 : 0 }
    } ours: {
      let context = items.context()
      try context.performAndWait {
        for item in try context.fetch(request) { same += item.weight > 0 ? 1 : 0 }
      }
    }
    precondition(read == same, "both must have read as many")
  }

  private mutating func update() throws {
    let context = try FrameworkItems(address, zone: "ours").context()
    let request = FrameworkItems.all
    request.predicate = NSPredicate(format: "i1 < 10")
    let mine = try context.performAndWait {
      let found = try context.fetch(request)
      for item in found { _ = item.i1 }
      return found
    }
    let (items, theirs) = (plainItems, plainItems.few())
    precondition(mine.count == theirs.count, "both must have found the same")
    try inTurn("update") {
      items.update(theirs)
    } ours: {
      try context.performAndWait {
        for item in mine { item.i2 &+= 1_000 }
        try context.save()
      }
    }
  }
}

// MARK: - Writers

extension PostgreSQLFigures {
  /// So many threads, each with a connection and a zone of its own.
  private mutating func write(_ count: Int, _ name: String) {
    let address = address
    noteInTurn(name) {
      Self.milliseconds(threads: count) { number in
        let items = PlainItems(PlainServer(address), zone: "plain \(name) \(number)")
        return { Self.save(items) }
      }
    } ours: {
      Self.milliseconds(threads: count) { number in
        do {
          let items = try FrameworkItems(address, zone: "ours \(name) \(number)")
          try items.warm()
          return { Self.save(items) }
        } catch {
          fatalError("no store could be opened: \(error)")
        }
      }
    }
    server.run("DELETE FROM \"ZITEM\" WHERE z_zone NOT IN ('ours', 'plain')")
  }

  /// Threads that write to one zone, whose commits wait for the disk: by connections of their own, and by contexts of
  /// one coordinator.
  private mutating func writeBeside(keepingHistory keepsHistory: Bool) throws {
    let address = waitingAddress
    let zone = keepsHistory ? "history" : "beside"
    // Several of these programs may run at once.
    let own = ProcessInfo.processInfo.processIdentifier
    let items = try FrameworkItems(address, zone: "ours \(zone)", keepsHistory: keepsHistory)
    try items.warm()
    if keepsHistory {
      server.run("SET client_min_messages = warning; \(PlainItems.historySequence)")
    }
    noteInTurn(zone) {
      Self.milliseconds(threads: Self.besides) { number in
        let plain = PlainItems(
          PlainServer(address),
          zone: "plain \(zone) \(own)",
          keepsHistory: keepsHistory
        )
        return { Self.save(plain, from: number * 1_000_000 + 1) }
      }
    } ours: {
      Self.milliseconds(threads: Self.besides) { _ in
        { Self.save(items) }
      }
    }
    server.run("DELETE FROM \"ZITEM\" WHERE z_zone = 'plain \(zone) \(own)'")
  }

  private static func save(_ items: PlainItems, from first: Int = 1) {
    for number in first..<first + savesOfEach { items.insert([PlainItem(number)]) }
  }

  private static func save(_ items: FrameworkItems) {
    let context = items.context()
    context.performAndWait {
      for number in 1...savesOfEach {
        Item(context: context).set(PlainItem(number))
        do {
          try context.save()
        } catch {
          fatalError("nothing could be saved: \(error)")
        }
      }
    }
  }

  /// The time of threads that begin together, each with a work prepared before.
  private static func milliseconds(
    threads count: Int,
    _ prepare: @escaping @Sendable (Int) -> () -> Void
  ) -> Double {
    let (ready, done) = (DispatchGroup(), DispatchGroup())
    let beginning = DispatchSemaphore(value: 0)
    for number in 0..<count {
      ready.enter()
      done.enter()
      Thread.detachNewThread {
        let work = prepare(number)
        ready.leave()
        beginning.wait()
        work()
        done.leave()
      }
    }
    ready.wait()
    return milliseconds {
      for _ in 0..<count { beginning.signal() }
      done.wait()
    }
  }
}

// MARK: - Time

extension PostgreSQLFigures {
  /// Measures both, and changes from round to round which of them is the first.
  private mutating func inTurn(
    _ name: String,
    _ plain: () throws -> Void,
    ours: () throws -> Void
  ) rethrows {
    try noteInTurn(name) {
      try Self.milliseconds(plain)
    } ours: {
      try Self.milliseconds(ours)
    }
  }

  /// The same of works that measure themselves.
  private mutating func noteInTurn(
    _ name: String,
    _ plain: () throws -> Double,
    ours: () throws -> Double
  ) rethrows {
    var outcome = outcomes[name] ?? Outcome()
    let isOursFirst = outcome.plain.count % 2 == 1
    if isOursFirst { outcome.ours.append(try ours()) }
    outcome.plain.append(try plain())
    if !isOursFirst { outcome.ours.append(try ours()) }
    outcomes[name] = outcome
  }

  private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try work()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
  }
}
