import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Blocks that read at a replica: a server that follows another one, both started for these tests.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isInstalled), .timeLimit(.minutes(60)))
struct PostgreSQLReplicaTests {
  private struct Servers: Sendable {
    let primary: PostgreSQLServer
    let replica: PostgreSQLServer

    init() throws {
      primary = try PostgreSQLServer()
      replica = try PostgreSQLServer(following: primary)
    }
  }

  private static let servers = Result { try Servers() }

  private let primary: PostgreSQLServer
  private let replica: PostgreSQLServer
  private let place: URL

  init() throws {
    let servers = try Self.servers.get()
    (primary, replica) = (servers.primary, servers.replica)
    place = primary.place()
  }

  /// A container whose commits are on the disk, and so on their way to the replica, when they are told.
  private func container(
    zone: String = "notes",
    replicas: [String]
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    let url = URL(string: place.absoluteString + "%20-csynchronous_commit%3Don")
    let description = NSPersistentStoreDescription(url: try #require(url))
    description.type = NSPostgreSQLStoreType
    description.setOption(zone as NSString, forKey: NSPostgreSQLZoneOption)
    description.setOption(NSArray(array: replicas), forKey: NSPostgreSQLReplicasOption)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  /// The replica's address, under a name by which it knows whose connections these are.
  private func address(named name: String = "replica") -> String {
    replica.address.absoluteString + "&application_name=\(name)"
  }

  /// The titles that a read has given, and its server.
  private struct Reading: Equatable, Sendable {
    let titles: [String]
    let isAtReplica: Bool
  }

  private func reading(_ container: NSPersistentContainer) async throws -> Reading {
    try await container.read(from: .replica) { context in
      Reading(titles: try context.sortedTitles(), isAtReplica: try context.isAtReplica())
    }
  }

  /// Reads until a replica answers, which may be late on a busy machine; the primary must see the same all the time.
  private func expectReadingAtReplica(
    _ titles: [String],
    _ container: NSPersistentContainer
  ) async throws {
    let wait = BoundedWait("The replica has not answered a block")
    while true {
      try wait.goOn()
      let reading = try await reading(container)
      try #require(reading.titles == titles)
      if reading.isAtReplica { return }
    }
  }

  private func write(_ title: String, _ container: NSPersistentContainer) async throws {
    try await container.write { context in _ = context.note(title) }
  }

  // MARK: At a replica

  @Test func `a block that asks for it reads at the replica, and sees what was just saved`()
    async throws
  {
    let container = try container(replicas: [address()])
    for number in 1...3 {
      try await write("note \(number)", container)
      try await expectReadingAtReplica((1...number).map { "note \($0)" }, container)
    }
    let isAtReplica = try await container.read { try $0.isAtReplica() }
    #expect(!isAtReplica)
  }

  @Test func `what was saved before a block begins is seen while others write`() async throws {
    let container = try container(replicas: [address()])
    let others = try ["one", "two"].map { try self.container(zone: $0, replicas: []) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for other in others {
        group.addTask {
          while !Task.isCancelled { try await write("other", other) }
        }
      }
      var titles: [String] = []
      for number in 101...130 {
        titles.append("note \(number)")
        try await write("note \(number)", container)
        #expect(try await reading(container).titles == titles)
      }
      group.cancelAll()
    }
  }

  /// Such a server takes no LISTEN.
  @Test func `a store at a server that follows another one was told of no write`() throws {
    let tracking: [String: Any] = [NSPersistentHistoryTrackingKey: true]
    let writer = try NotesStack(type: NSPostgreSQLStoreType, at: place, options: tracking)
    try writer.saved { $0.note("first") }
    let text = place.absoluteString.replacing(primary.folder, with: replica.folder)
    let url = try #require(URL(string: text))
    let options = tracking.merging([
      NSReadOnlyPersistentStoreOption: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]) { $1 }
    // The tables and the history come a moment later.
    try BoundedWait("The tables have not reached the replica").until {
      try readTitles(at: url, options) == ["first"]
    }
    let reader = try NotesStack(type: NSPostgreSQLStoreType, at: url, options: options)
    let heard = HeardWrites(reader.coordinator)
    try writer.saved { $0.note("second") }
    #expect(heard.wait(for: 1))
    try BoundedWait("The second note has not reached the replica").until {
      try reader.work { try $0.titles() } == ["first", "second"]
    }
  }

  /// The titles that a new store finds; empty if there is no store yet.
  private func readTitles(at url: URL, _ options: [String: Any]) throws -> [String] {
    let stack = try? NotesStack(type: NSPostgreSQLStoreType, at: url, options: options)
    return try stack?.work { try $0.titles() } ?? []
  }

  // MARK: Where the primary answers

  @Test func `a replica that is behind is not read, and is as soon as it has caught up`()
    async throws
  {
    let container = try container(replicas: [address()])
    try await write("first", container)
    try await expectReadingAtReplica(["first"], container)
    _ = try PostgreSQLShell.rows("SELECT pg_wal_replay_pause()", at: replica.address)
    do {
      // If the test fails on the way, the others must not wait for ever.
      defer { _ = try? PostgreSQLShell.rows("SELECT pg_wal_replay_resume()", at: replica.address) }
      try await write("second", container)
      for _ in 1...3 {
        let found = try await reading(container)
        #expect(found == Reading(titles: ["first", "second"], isAtReplica: false))
      }
    }
    try await expectReadingAtReplica(["first", "second"], container)
  }

  @Test func `what is no replica of the store's database is never read`() async throws {
    let elsewhere = primary.place()
    let stranger = try NotesStack(
      type: NSPostgreSQLStoreType,
      at: elsewhere,
      options: [NSPostgreSQLZoneOption: "notes"]
    )
    let context = stranger.context()
    try context.performAndWait {
      context.note("elsewhere")
      try context.save()
    }
    let otherTables = try #require(elsewhere.absoluteString.split(separator: "&").last)
    let container = try container(replicas: [
      primary.address.absoluteString,
      "\(replica.address.absoluteString)&\(otherTables)",
      "postgresql://tests@/postgres?host=/nowhere",
    ])
    try await write("here", container)
    for _ in 1...3 {
      let found = try await reading(container)
      #expect(found == Reading(titles: ["here"], isAtReplica: false))
    }
  }

  @Test func `a replica that takes over, or is gone, is not read any more`() async throws {
    let own = try PostgreSQLServer(following: primary)
    let container = try container(replicas: [own.address.absoluteString])
    try await write("first", container)
    try await expectReadingAtReplica(["first"], container)
    _ = try PostgreSQLShell.rows("SELECT pg_promote()", at: own.address)
    try await write("second", container)
    let second = try await reading(container)
    #expect(second == Reading(titles: ["first", "second"], isAtReplica: false))
    try own.stop()
    try await write("third", container)
    let third = try await reading(container)
    #expect(third == Reading(titles: ["first", "second", "third"], isAtReplica: false))
  }

  // MARK: A moment that the replica ends

  enum Ending: CaseIterable {
    /// Somebody ends the connection.
    case termination
    /// The rows that the moment sees are vacuumed away at the primary.
    case vacuum
  }

  @Test(arguments: Ending.allCases)
  func `a block whose moment the replica has ended runs again at the primary`(
    ending: Ending
  )
    async throws
  {
    let name = "ended-\(UUID().uuidString)"
    let container = try container(replicas: [address(named: name)])
    try await write("first", container)
    let ends = Mutex(0)
    let runs = Mutex(0)
    let wait = BoundedWait("The replica has not answered a block")
    while ends.withLock({ $0 }) == 0 {
      try wait.goOn()
      runs.withLock { $0 = 0 }
      let found = try await container.read(from: .replica) { context in
        runs.withLock { $0 += 1 }
        let isAtReplica = try context.isAtReplica()
        if isAtReplica {
          _ = try context.sortedTitles()
          try end(ending, name)
          ends.withLock { $0 += 1 }
        }
        return Reading(titles: try context.sortedTitles(), isAtReplica: isAtReplica)
      }
      #expect(!found.isAtReplica && found.titles.count == 1)
    }
    #expect(runs.withLock { $0 } == 2)
  }

  @Test func `a fault that the replica has no row for any more does not end the program`()
    async throws
  {
    let name = "fault-\(UUID().uuidString)"
    let container = try container(replicas: [address(named: name)])
    try await write("first", container)
    let ends = Mutex(0)
    let runs = Mutex(0)
    let wait = BoundedWait("The replica has not answered a block")
    while ends.withLock({ $0 }) == 0 {
      try wait.goOn()
      runs.withLock { $0 = 0 }
      let title = try await container.read(from: .replica) { context in
        runs.withLock { $0 += 1 }
        let isAtReplica = try context.isAtReplica()
        let request = Note.fetchRequest()
        request.includesPropertyValues = false
        let note = try #require(try context.fetch(request).first)
        if isAtReplica {
          try end(.termination, name)
          ends.withLock { $0 += 1 }
        }
        return note.title
      }
      #expect(title == "first")
    }
    #expect(runs.withLock { $0 } == 2)
  }

  /// Has the replica end the connections of that name, one of which sees a moment.
  private func end(_ ending: Ending, _ name: String) throws {
    let ofName = "FROM pg_stat_activity WHERE application_name = '\(name)'"
    switch ending {
    case .termination:
      let query = "SELECT pg_terminate_backend(pid, 5000) \(ofName)"
      _ = try PostgreSQLShell.rows(query, at: replica.address)
    case .vacuum:
      try BoundedWait("The replica has not ended the moment").until {
        if try isIdle("SELECT pid \(ofName) AND state <> 'idle'") { return true }
        try PostgreSQLShell.run("UPDATE \"ZNOTE\" SET \"Z_OPT\" = \"Z_OPT\" + 1", at: place)
        try PostgreSQLShell.run("VACUUM \"ZNOTE\"", at: place)
        return false
      }
    }
  }

  /// Whether the replica finds nobody at work; a question that it ends as it ends a moment is asked again.
  private func isIdle(_ query: String) throws -> Bool {
    do {
      return try PostgreSQLShell.rows(query, at: replica.address).isEmpty
    } catch {
      guard "\(error)".contains("conflict with recovery") else { throw error }
      return false
    }
  }
}

extension NSManagedObjectContext {
  fileprivate func sortedTitles() throws -> [String] {
    try fetch(Note.fetchRequest()).compactMap(\.title).sorted()
  }

  /// Whether the server that answers here follows another one.
  fileprivate func isAtReplica() throws -> Bool {
    let query: SQLQuery = "SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS answer"
    return try values(of: query, as: Int.self) == [1]
  }
}
