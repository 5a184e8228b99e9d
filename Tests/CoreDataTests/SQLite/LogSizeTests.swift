import ChildPrograms
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// How large a write-ahead log becomes while programs read and write.
@Suite struct LogSizeTests {
  private let file = TestSupport.TemporaryFolder.file("Notes.sqlite")

  private static let bound = 16 << 20

  private var logSize: Int {
    var status = stat()
    return stat(file.path + "-wal", &status) == 0 ? Int(status.st_size) : 0
  }

  private func write(
    _ count: Int,
    tasks: Int,
    in container: NSPersistentContainer
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for _ in 0..<count / tasks {
            try await CountingWriters.write(to: "note \(task)", in: container)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `the log grew with each write that fetched before`() async throws {
    let container = try CountingWriters.container(at: file)
    let count = Tries.count(800, long: 100_000)
    try await write(count, tasks: 8, in: container)
    #expect(logSize <= Self.bound)
    #expect(try await CountingWriters.count(of: "note 0", in: container) == count / 8)
  }

  @Test func `readers that came all the time kept the log from ever beginning again`() async throws
  {
    let container = try CountingWriters.container(at: file)
    let end = End()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          while !end.hasCome {
            _ = try await CountingWriters.count(of: "note 0", in: container)
          }
        }
      }
      try await write(Tries.count(800, long: 20_000), tasks: 2, in: container)
      end.come()
      try await group.waitForAll()
    }
    #expect(logSize <= Self.bound)
  }

  @Test func `two programs that write kept each other's log from beginning again`() async throws {
    let container = try CountingWriters.container(at: file)
    let count = Tries.count(400, long: 50_000)
    let programs = try ["one", "two"].map { title in
      try ChildProgram(
        .built("program-to-kill"),
        ["writes", file.path, "\(count)", title],
        output: .nothing,
        errors: .nothing
      )
    }
    for program in programs { #expect(program.wait() == .status(0)) }
    #expect(logSize <= Self.bound)
    for title in ["one", "two"] {
      #expect(try await CountingWriters.count(of: title, in: container) == count)
    }
  }

  @Test func `a log that a reader has made long stayed so when the reader had gone`() async throws {
    let container = try CountingWriters.container(at: file)
    try await CountingWriters.write(to: "note", in: container)
    let reader = container.newBackgroundContext()
    try await reader.perform {
      try reader.setQueryGenerationFrom(.current)
      _ = try reader.count(for: Note.fetchRequest())
    }
    try await write(600, tasks: 2, in: container)
    #expect(logSize > Self.bound)
    try await reader.perform { try reader.setQueryGenerationFrom(nil) }
    try await write(4, tasks: 2, in: container)
    #expect(logSize <= Self.bound)
  }

  @Test func `a reader that stays was not told by the health`() async throws {
    let container = try CountingWriters.container(at: file)
    try await CountingWriters.write(to: "note", in: container)
    let reader = container.newBackgroundContext()
    try await reader.perform {
      reader.name = "Statistics"
      try reader.setQueryGenerationFrom(.current)
      _ = try reader.count(for: Note.fetchRequest())
    }
    try await write(600, tasks: 2, in: container)
    let store = try #require(
      container.persistentStoreCoordinator.persistentStores.first?.backend as? SQLiteStore
    )
    let later = ContinuousClock.now + .seconds(90)
    let health = store.health(checksPages: false, isReadOnly: false, at: later)
    let warning = try #require(health.warnings.first { $0.contains("has been reading") })
    #expect(warning.contains("the context “Statistics” has been reading at one moment for "))
    #expect(
      warning.hasSuffix(
        "Until it is unpinned, saved, reset or released, the log grows with each save."
      )
    )
    try await reader.perform { try reader.setQueryGenerationFrom(nil) }
    try await write(4, tasks: 2, in: container)
    #expect(store.health(checksPages: false, isReadOnly: false, at: later).isHealthy)
  }
}

/// The end of a test, for which tasks wait.
private final class End: Sendable {
  private let state = Mutex(false)

  var hasCome: Bool { state.withLock { $0 } }

  func come() { state.withLock { $0 = true } }
}
