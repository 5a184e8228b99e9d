import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Saves while somebody ends the server's processes: each happens wholly or not at all, as it says.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLKillTests {
  private let name = "kill-\(UUID().uuidString)"

  /// A store whose connections the server knows by a name, and whose commits are on the disk when they are told.
  private func stack(on server: PostgreSQLServer) throws -> NotesStack {
    let text =
      server.place().absoluteString + "%20-csynchronous_commit%3Don&application_name=\(name)"
    return try NotesStack(type: NSPostgreSQLStoreType, at: #require(URL(string: text)))
  }

  /// Saves a note for each title; a failed save keeps its changes, and is tried again.
  ///
  /// The fate of a save in a crashed server is unknown: `looks` is whether its note is looked for first.
  private func write(_ titles: [String], in stack: NotesStack, looks: Bool) {
    for title in titles {
      let context = stack.context()
      context.performAndWait {
        context.note(title)
        for _ in 0..<100 where context.hasChanges {
          do {
            try context.save()
          } catch {
            // A server that is not there yet is asked again in the next round.
            if looks, (try? self.titles(in: stack).contains(title)) == true { context.rollback() }
          }
        }
        #expect(!context.hasChanges, "\(title)")
      }
    }
  }

  private func titles(in stack: NotesStack) throws -> [String] {
    let context = stack.context()
    return try context.performAndWait {
      try context.fetch(Note.fetchRequest()).compactMap(\.title).sorted()
    }
  }

  private func expectWhole(
    _ stack: NotesStack,
    saves: Int,
    looks: Bool = false,
    _ kill: @escaping @Sendable () throws -> Void
  ) async throws {
    let titles = (1...3).map { writer in (1...saves).map { "\(writer).\($0)" } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for titles in titles { group.addTask { write(titles, in: stack, looks: looks) } }
      group.addTask { try kill() }
      try await group.waitForAll()
    }
    #expect(try self.titles(in: stack) == titles.flatMap(\.self).sorted())
  }

  private func processes(of server: PostgreSQLServer, _ expression: String) throws -> [String] {
    try PostgreSQLShell.rows(
      "SELECT \(expression) FROM pg_stat_activity WHERE application_name = '\(name)'",
      at: server.address
    )
    .compactMap { $0.first ?? nil }
  }

  @Test func `no save is lost or done twice where its connections are ended again and again`()
    async throws
  {
    let server = PostgreSQLServer.shared
    let stack = try stack(on: server)
    try await expectWhole(stack, saves: 10) {
      var count = 0
      for _ in 0..<15 { count += try processes(of: server, "pg_terminate_backend(pid)").count }
      #expect(count > 0)
    }
  }

  /// The server ends all its processes then, and reads its log again.
  @Test(.enabled(if: Tries.count(0, long: 1) == 1))
  func `no save is lost or done twice where a process of the server is killed`() async throws {
    let server = try PostgreSQLServer()
    let stack = try stack(on: server)
    try await expectWhole(stack, saves: 100, looks: true) {
      var count = 0
      for _ in 0..<3 {
        // A server that reads its log answers nobody; the next round meets it again.
        let found = (try? processes(of: server, "pid")) ?? []
        guard let process = found.compactMap({ pid_t($0) }).first else { continue }
        if kill(process, SIGKILL) == 0 { count += 1 }
      }
      #expect(count > 0)
    }
  }
}
