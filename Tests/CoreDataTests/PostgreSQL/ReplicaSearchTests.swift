import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Which replica is asked, whether it may answer, and for how long it is left alone: without servers and without a clock.
@Suite struct ReplicaSearchTests {
  private let start = ContinuousClock.now

  private func after(_ milliseconds: Int) -> ContinuousClock.Instant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  // MARK: Whether it may answer

  private let written = LogPosition(tables: "7 5 16385", timeline: "00000002", place: 500)

  private func replayed(
    _ place: Int64,
    tables: String = "7 5 16385",
    timeline: String = "00000002",
    isReplica: Bool = true
  ) -> ReplicaState {
    ReplicaState(
      isReplica: isReplica,
      position: LogPosition(tables: tables, timeline: timeline, place: place),
      life: "1795371005.230391"
    )
  }

  @Test func `a replica that has replayed what was written knows all of it`() {
    #expect(written.fitness(of: replayed(500)) == .knowsAll)
    #expect(written.fitness(of: replayed(501)) == .knowsAll)
    #expect(written.fitness(of: replayed(499)) == .behind)
  }

  @Test func `a place in the log of another database, or of another timeline, says nothing`() {
    let taken = replayed(900, isReplica: false)
    #expect(written.fitness(of: taken) == .unfit(.isNoReplica))
    let older = replayed(900, timeline: "00000001")
    #expect(written.fitness(of: older) == .unfit(.isOnAnotherTimeline))
    let other = replayed(900, tables: "7 5 16999")
    #expect(written.fitness(of: other) == .unfit(.hasOtherTables))
    let empty = ReplicaState(isReplica: true, position: nil, life: "1")
    #expect(written.fitness(of: empty) == .unfit(.hasOtherTables))
  }

  // MARK: Which is asked

  @Test func `those that were behind are asked again after pauses that grow`() {
    var search = ReplicaSearch([1, 0], from: start)
    var steps: [ReplicaSearch.Step] = []
    for _ in 0..<9 {
      let step = search.next(at: start)
      steps.append(step)
      if step == .ask(1) { search.wasBehind(1) }
    }
    #expect(
      steps == [
        .ask(1), .ask(0), .wait(.microseconds(200)), .ask(1), .wait(.microseconds(400)), .ask(1),
        .wait(.microseconds(800)), .ask(1), .wait(.microseconds(1_600)),
      ]
    )
    let last = search.next(at: after(20))
    #expect(last == .giveUp)
    #expect(search.late == [1])
  }

  @Test func `no pause is longer than the time that is left`() {
    var search = ReplicaSearch([0], from: start)
    _ = search.next(at: start)
    search.wasBehind(0)
    let almostOver = search.deadline.advanced(by: .microseconds(-50))
    let step = search.next(at: almostOver)
    #expect(step == .wait(.microseconds(50)))
  }

  @Test func `where no replica is of use the search is over at once`() {
    var search = ReplicaSearch([0], from: start)
    let steps = [search.next(at: start), search.next(at: start)]
    #expect(steps == [.ask(0), .giveUp])
    #expect(search.late.isEmpty)
  }

  // MARK: Programs that are left alone

  @Test func `a server is left alone as long as it rests, and the longer rest counts`() {
    var manners = ReplicaManners()
    #expect(manners.welcomes(at: start))
    manners.rest(ReplicaManners.pauseUnfit, from: start)
    manners.rest(ReplicaManners.pauseBehind, from: start)
    #expect(!manners.welcomes(at: after(4_999)))
    #expect(manners.welcomes(at: after(5_000)))
  }

  @Test func `a server that keeps somebody waiting gets nobody else until it has answered`() {
    var manners = ReplicaManners()
    manners.begin(until: after(20))
    manners.begin(until: after(30))
    #expect(manners.welcomes(at: after(20)))
    #expect(!manners.welcomes(at: after(21)))
    manners.end(until: after(20))
    #expect(manners.welcomes(at: after(21)))
    #expect(!manners.welcomes(at: after(31)))
  }

  // MARK: Addresses

  private static let primary =
    "postgresql://ada:swordfish@db1.example.org:6432/notes?sslmode=require&target_session_attrs=primary"

  private func replicas(_ list: Any, of primary: String = Self.primary) throws -> [String] {
    let address = try PostgreSQLAddress(URL(string: primary), options: nil)
    return try address.replicas([PostgreSQLStores.replicasOption: list]).map { replica in
      try #require(replica.settings.first { $0.name == "dbname" }).value
    }
  }

  @Test func `what the address of a replica leaves open is as in the store's own`() throws {
    let other = "postgres://reader@db3.example.org:5433/copy?sslmode=disable"
    let second = try #require(URL(string: other))
    #expect(
      try replicas(["postgresql://db2.example.org", second] as [Any]) == [
        "postgresql://ada:swordfish@db2.example.org/notes?sslmode=require",
        "postgresql://reader@db3.example.org:5433/copy?sslmode=disable",
      ]
    )
    let sockets = "postgresql://tests@/postgres?host=/one&options=-csearch_path%3Dnotes"
    #expect(
      try replicas(NSArray(array: ["postgresql:///?host=/other"]), of: sockets) == [
        "postgresql://tests@/postgres?options=-csearch_path%3Dnotes&host=/other"
      ]
    )
    #expect(try replicas([String]()) == [])
  }

  @Test(
    arguments: [
      ("postgresql://db2.example.org", "a list"),
      (["postgresql://db2.example.org", "mysql://ada:mackerel@db3.example.org"], "entry 2"),
      (["host=db2.example.org password=mackerel"], "entry 1"),
      ([String](repeating: "postgresql://db2.example.org", count: 17), "it has 17"),
    ] as [(any Sendable, String)]
  )
  func `replicas that are no list of addresses are refused with a sentence`(
    option: any Sendable,
    words: String
  ) throws {
    let error = try #require(throws: NSError.self) { try replicas(option) }
    #expect(error.code == NSPersistentStoreOpenError)
    let text = "\(error) \(error.userInfo)"
    #expect(text.contains(words) && text.contains("NSPostgreSQLReplicasOption"))
    #expect(text.contains("db1.example.org"))
    #expect(!text.contains("swordfish") && !text.contains("mackerel"))
  }
}
