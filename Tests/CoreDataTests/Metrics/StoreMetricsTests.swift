import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Keeps the measurements of one store file, or of contexts.
private final class Counters: StoreMeter {
  private let kept = Mutex<[StoreMeasurement]>([])
  private let file: String

  init(_ stack: NotesStack) {
    file = stack.file?.path ?? ""
  }

  init(of path: String) {
    file = path
  }

  func record(_ measurement: StoreMeasurement) {
    switch measurement {
    case .statement(let statement), .slowStatement(let statement, _, _):
      guard statement.store.path == file else { return }
    case .wait(_, _, let store):
      guard store.path == file else { return }
    case .rowCache, .fault, .repeatedFaults, .contexts:
      break
    }
    kept.withLock { $0.append(measurement) }
  }

  var all: [StoreMeasurement] { kept.withLock { $0 } }

  var statements: [StatementMeasurement] {
    all.compactMap { if case .statement(let statement) = $0 { statement } else { nil } }
  }

  var slow: [(statement: StatementMeasurement, plan: [String], advice: [String])] {
    all.compactMap { measurement in
      if case .slowStatement(let statement, let plan, let advice) = measurement {
        (statement, plan, advice)
      } else {
        nil
      }
    }
  }

  /// How long others waited for the writer.
  var waits: [Duration] {
    all.compactMap { if case .wait(let time, toWrite: true, _) = $0 { time } else { nil } }
  }

  func repeated(in context: String) -> [RepeatedFaults] {
    all.compactMap { measurement in
      guard case .repeatedFaults(let faults) = measurement, faults.contextName == context else {
        return nil
      }
      return faults
    }
  }
}

@Suite struct StoreMetricsTests {
  private let stack: NotesStack

  init() throws {
    stack = try NotesStack(.sqlite)
    try stack.work { context in
      for number in 1...12 {
        context.note("Note \(number)", in: context.folder("Folder \(number)")).text = "x"
      }
      try context.save()
    }
  }

  @Test func `a connected meter hears of each statement, and none after it has gone`() throws {
    let meter = Counters(stack)
    StoreMetrics.connect(meter)
    let titles = try stack.work { try $0.titles() }
    StoreMetrics.disconnect(meter)
    #expect(titles.count == 12)
    let query = try #require(meter.statements.first { $0.sql.contains("ZNOTE") })
    #expect(query.rowCount == 12)
    #expect(query.isQuery)
    #expect(query.timeToFirstRow <= query.time)
    let count = meter.statements.count
    _ = try stack.work { try $0.titles() }
    #expect(meter.statements.count == count)
  }

  @Test func `writes are statements without rows`() throws {
    let meter = Counters(stack)
    StoreMetrics.connect(meter)
    defer { StoreMetrics.disconnect(meter) }
    try stack.work { context in
      context.note("New")
      try context.save()
    }
    let insertion = try #require(
      meter.statements.first { $0.sql.hasPrefix("INSERT INTO \"ZNOTE\"") }
    )
    #expect(!insertion.isQuery && insertion.rowCount == 0)
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled))
  func `statements of a PostgreSQL store were not measured`() async throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    let meter = Counters(of: place.path)
    StoreMetrics.connect(meter, slowStatements: .zero)
    defer { StoreMetrics.disconnect(meter) }
    let marks = ["measured one", "measured two"]
    try StoreMetrics.$requestID.withValue("s-7") {
      try stack.work { context in
        for mark in marks { context.note(mark) }
        try context.save()
      }
    }
    try StoreMetrics.$requestID.withValue("r-7") {
      try stack.work { context in
        let request = Note.fetchRequest()
        request.predicate = NSPredicate(format: "title IN %@", marks)
        let found = try context.fetch(request)
        #expect(found.count == 2)
      }
    }
    // Stores of other tests are on the same server.
    let insertions = meter.statements.filter {
      $0.requestID == "s-7" && $0.sql.contains("INSERT INTO \"ZNOTE\"")
    }
    #expect(insertions.count == 1 && insertions.allSatisfy { !$0.isQuery && $0.time > .zero })
    let queries = meter.statements.filter { $0.requestID == "r-7" }
    #expect(queries.map(\.rowCount).max() == 2 && queries.allSatisfy(\.isQuery))
    #expect(queries.allSatisfy { !$0.sql.contains("z_model") && !$0.sql.contains(marks[0]) })
    #expect(meter.slow.filter { $0.statement.requestID == "r-7" }.count == queries.count)
  }

  @Test func `a slow statement comes with its plan and advice`() throws {
    let meter = Counters(stack)
    StoreMetrics.connect(meter, slowStatements: .zero)
    defer { StoreMetrics.disconnect(meter) }
    try stack.work { context in
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "text == %@", "x")
      request.sortDescriptors = [NSSortDescriptor(key: "created", ascending: true)]
      let found = try context.fetch(request)
      #expect(found.count == 12)
    }
    let slow = try #require(meter.slow.first { $0.statement.sql.contains("ZTEXT\" = ") })
    #expect(slow.plan.contains("SCAN t0"))
    #expect(slow.statement.rowCount == 12)
    #expect(
      slow.advice.first
        == "Every row of Note is looked at. A fetch index on text would find the matching rows directly."
    )
    #expect(slow.advice.last?.contains("created") == true)
  }

  @Test func `a limit that no statement reaches tells of none`() throws {
    let meter = Counters(stack)
    StoreMetrics.connect(meter, slowStatements: .seconds(100_000))
    defer { StoreMetrics.disconnect(meter) }
    _ = try stack.work { try $0.titles() }
    #expect(!meter.statements.isEmpty)
    #expect(meter.slow.isEmpty)
  }

  @Test func `folders that are read one by one are told with the relationship and the remedy`()
    throws
  {
    let stack = try stack.reopened()
    let meter = Counters(stack)
    StoreMetrics.connect(meter, repeatedFaults: 3)
    defer { StoreMetrics.disconnect(meter) }
    try stack.work { context in
      context.name = "to-one"
      for note in try context.fetch(Note.fetchRequest()) { _ = note.folder?.name }
    }
    let told = try #require(meter.repeated(in: "to-one").first)
    #expect(told.relationships == ["Note.folder"])
    #expect(told.entity == "Folder")
    #expect(told.count == 3)
    #expect(
      told.sentence == """
        3 objects of Folder were read one by one, with a statement for each, by Note.folder. Read them \
        together: relationshipKeyPathsForPrefetching = ["folder"] in the request for Note.
        """
    )
  }

  @Test func `a to-many relationship that is read object by object is told`() throws {
    let stack = try stack.reopened()
    let meter = Counters(stack)
    StoreMetrics.connect(meter, repeatedFaults: 3)
    defer { StoreMetrics.disconnect(meter) }
    try stack.work { context in
      context.name = "to-many"
      for folder in try context.fetch(Folder.fetchRequest()) { _ = folder.notes?.count }
    }
    let told = try #require(meter.repeated(in: "to-many").first)
    #expect(told.relationships == ["Folder.notes"])
    #expect(told.sentence.contains(#"relationshipKeyPathsForPrefetching = ["notes"]"#))
  }

  @Test func `what is prefetched is told by nobody, and a fetch begins the count anew`() throws {
    let stack = try stack.reopened()
    let meter = Counters(stack)
    StoreMetrics.connect(meter, repeatedFaults: 9)
    defer { StoreMetrics.disconnect(meter) }
    try stack.work { context in
      context.name = "prefetched"
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.relationshipKeyPathsForPrefetching = ["folder", "tags"]
      for note in try context.fetch(request) { _ = (note.folder?.name, note.tags?.count) }
      for note in try context.fetch(Note.fetchRequest()) {
        _ = try context.fetch(NSFetchRequest<TestSupport.Tag>(entityName: "Tag"))
        _ = note.related?.count
      }
    }
    #expect(meter.repeated(in: "prefetched").isEmpty)
  }

  @Test func `somebody who waits for the writer is told how long`() throws {
    let meter = Counters(stack)
    StoreMetrics.connect(meter)
    defer { StoreMetrics.disconnect(meter) }
    let pool = try #require(stack.store.backend as? SQLiteStore).pool
    // Nobody can see that a thread waits for a lock; in one of a few hundred tries it does.
    for _ in 0..<500 where meter.waits.isEmpty {
      let (wants, has) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      _ = try pool.takeWriter()
      Thread.detachNewThread {
        wants.signal()
        // Its writes would not matter.
        try? pool.write { _ in }
        has.signal()
      }
      wants.wait()
      usleep(1_000)
      pool.returnWriter()
      has.wait()
    }
    #expect(meter.waits.first.map { $0 > .zero } == true)
  }

  @Test func `contexts are counted from their beginning to their end`() async {
    await #expect(processExitsWith: .success) {
      precondition(StoreMetrics.liveContextCount == 0)
      var contexts: [NSManagedObjectContext] = []
      for _ in 0..<5 { contexts.append(NSManagedObjectContext(.privateQueue)) }
      precondition(StoreMetrics.liveContextCount == contexts.count)
      contexts.removeAll()
      precondition(StoreMetrics.liveContextCount == 0)
      exit(0)
    }
  }

  @Test func `a statement on a context's queue lost the request that it ran for`() async throws {
    let meter = Counters(stack)
    StoreMetrics.connect(meter)
    let context = stack.context()
    try await StoreMetrics.$requestID.withValue("7f3a") {
      _ = try await context.perform(schedule: .enqueued) {
        try context.count(for: Note.fetchRequest())
      }
    }
    _ = try await context.perform { try context.count(for: Folder.fetchRequest()) }
    StoreMetrics.disconnect(meter)
    let requests = meter.statements.filter { $0.sql.contains("COUNT") }.map(\.requestID)
    #expect(requests == ["7f3a", nil])
  }

  @Test func `figures for Prometheus had to be counted and written by each program`() throws {
    let counter = StoreCounter()
    StoreMetrics.connect(counter)
    _ = try stack.work { try $0.titles() }
    StoreMetrics.disconnect(counter)
    let store = try #require(stack.file).lastPathComponent
    let statements = try #require(
      counter.samples.first {
        $0.name == "coredata_statements_total" && $0.labels == ["store": store, "kind": "query"]
      }
    )
    #expect(statements.value >= 1 && statements.kind == .counter)
    let lines = counter.prometheusText.split(separator: "\n")
    #expect(lines.contains("# TYPE coredata_statements_total counter"))
    #expect(lines.contains { $0.hasPrefix("coredata_rows_total{store=\"\(store)\"} ") })
    #expect(lines.contains { $0.hasPrefix("coredata_contexts ") })
    let strange = MetricSample(
      name: "a",
      kind: .gauge,
      help: "b\\\nc",
      labels: ["d": "\"e\"\n"],
      value: 1
    )
    #expect(
      [strange].prometheusText == #"""
        # HELP a b\\\nc
        # TYPE a gauge
        a{d="\"e\"\n"} 1.0

        """#
    )
  }
}

@Suite struct MeterLogTests {
  @Test func `repeated faults are logged once for each kind, slow statements each time`() {
    let lines = Mutex<[String]>([])
    let log = MeterLog { line in lines.withLock { $0.append(line) } }
    let faults = RepeatedFaults(
      entity: "A",
      relationships: ["B.a"],
      contextName: nil,
      count: 3,
      sentence: "Three."
    )
    let statement = StatementMeasurement(
      sql: "SELECT 1",
      store: URL(fileURLWithPath: "/x/Notes.sqlite"),
      time: .milliseconds(152),
      timeToFirstRow: .zero,
      rowCount: 9,
      isQuery: true,
      requestID: nil
    )
    for _ in 0..<2 {
      log.record(.repeatedFaults(faults))
      log.record(.slowStatement(statement, plan: [], advice: ["Do this."]))
      log.record(.contexts(count: 1))
    }
    let slow = "CoreData: slow: 152 ms, 9 rows in Notes.sqlite: SELECT 1 Do this."
    #expect(lines.withLock { $0 } == ["CoreData: warning: Three.", slow, slow])
  }

  @Test func `a log could only be read by people, and nobody knew whose slow statement it was`()
    throws
  {
    let lines = Mutex<[String]>([])
    let log = MeterLog(.json) { line in lines.withLock { $0.append(line) } }
    let statement = StatementMeasurement(
      sql: "SELECT \"a\"\nFROM b",
      store: URL(fileURLWithPath: "/x/Notes.sqlite"),
      time: .microseconds(1_234_567),
      timeToFirstRow: .zero,
      rowCount: 9,
      isQuery: true,
      requestID: "7f3a"
    )
    log.record(.slowStatement(statement, plan: ["SCAN b"], advice: ["Do this."]))
    let line = try #require(lines.withLock { $0.first })
    #expect(!line.contains("\n"))
    let entry = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    )
    #expect(entry["event"] as? String == "slowStatement")
    #expect(entry["milliseconds"] as? Double == 1234.567)
    #expect(entry["sql"] as? String == statement.sql)
    #expect(entry["plan"] as? [String] == ["SCAN b"])
    #expect(entry["request"] as? String == "7f3a")
    #expect((entry["time"] as? String)?.hasSuffix("Z") == true)
  }

  @Test func `the environment says what is logged`() {
    let settings = DebugSettings(
      arguments: [],
      environment: ["COREDATA_SLOW_STATEMENTS": "100", "COREDATA_REPEATED_FAULTS": "1"]
    )
    #expect(settings.slowStatements == 100)
    #expect(settings.repeatedFaults == 2 && !settings.logsJSON)
    let json = DebugSettings(arguments: [], environment: ["COREDATA_LOG_FORMAT": "JSON"])
    #expect(json.logsJSON)
    let silent = DebugSettings(arguments: [], environment: ["COREDATA_SLOW_STATEMENTS": "much"])
    #expect(silent.slowStatements == nil && silent.repeatedFaults == nil)
  }
}
