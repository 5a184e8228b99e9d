import ChildPrograms
import CoreData
import CoreDataPostgreSQL
import Foundation
import SwiftData
import TestSupport
import Testing

/// Containers that `coredata serve` keeps in step.
struct SyncedContainerTests {
  @Test func containersWithAServersAddressAreKeptInStep() async throws {
    let server = try NotesServer()
    defer { server.end() }
    let folder = try temporaryFolder()
    let one = try server.container(at: folder.appendingPathComponent("A.store"))
    let other = try server.container(at: folder.appendingPathComponent("B.store"))
    let context = ModelContext(one)
    let note = Note(title: "First", folder: Folder(name: "Work"))
    context.insert(note)
    note.mood = .angry
    note.weight = .heavy
    note.place = Place(city: "Rome", street: nil, marks: ["a", "b"])
    note.words = ["x", "y"]
    note.tags = [Tag(name: "a"), Tag(name: "b", kind: 1)]
    try context.save()
    try await one.syncContainer?.syncNow()
    try await other.syncContainer?.syncNow()

    let reader = ModelContext(other)
    let copy = try #require(try reader.fetch(FetchDescriptor<Note>()).first)
    #expect(copy.title == "First")
    #expect(copy.mood == .angry)
    #expect(copy.weight == .heavy)
    #expect(copy.place == Place(city: "Rome", street: nil, marks: ["a", "b"]))
    #expect(copy.words == ["x", "y"])
    #expect(copy.folder?.name == "Work")
    #expect(Set(copy.tags.map(\.name)) == ["a", "b"])

    copy.mood = .glad
    copy.tags = []
    try reader.save()
    try await other.syncContainer?.syncNow()
    try await one.syncContainer?.syncNow()
    _ = try context.fetchCount(FetchDescriptor<Note>())
    #expect(note.mood == .glad)
    #expect(note.tags.isEmpty)
    #expect(one.syncContainer?.syncStatus.pendingChangeCount == 0)
    #expect(one.syncContainer?.syncStatus.problem == nil)
  }

  @Test func ownStagesMigrateAStoreThatIsKeptInStep() async throws {
    let server = try NotesServer()
    defer { server.end() }
    let file = try temporaryFolder().appendingPathComponent("A.store")
    do {
      let container = try server.container(of: DiaryV1.self, at: file)
      let context = ModelContext(container)
      context.insert(DiaryV1.Entry(text: "one two three"))
      try context.save()
      try await container.syncContainer?.syncNow()
    }
    let container = try server.container(of: DiaryV3.self, at: file, DiaryPlan.self)
    try await container.syncContainer?.syncNow()
    let entries = try ModelContext(container).fetch(FetchDescriptor<DiaryV3.Entry>())
    #expect(entries.map(\.body) == ["one two three"])
    #expect(entries.map(\.words) == [3])
    #expect(container.syncContainer?.syncStatus.problem == nil)
  }

  @Test func aStoreWithoutAFileIsNotKeptInStep() {
    #expect(throws: SwiftDataError.loadIssueModelContainer) {
      try ModelContainer(
        for: Tag.self,
        configurations: ModelConfiguration(
          isStoredInMemoryOnly: true,
          cloudKitDatabase: .server("http://localhost:1/Notes#abc")
        )
      )
    }
  }

  @Test func aTextThatIsNoAddressIsRefusedWithTheReason() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let error = try #require(throws: SwiftDataError.self) {
      try ModelContainer(
        for: Tag.self,
        configurations: ModelConfiguration(url: file, cloudKitDatabase: .server("nowhere"))
      )
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error.reason?.contains("cannot be kept in step") == true)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}

/// `coredata serve` as a process of its own.
private struct NotesServer {
  private let program: ChildProgram
  private let address: String

  init() throws {
    let folder = try temporaryFolder()
    program = try ChildProgram(
      URL.built("coredata"),
      ["serve", folder.appending(path: "server").path, "--port", "0"],
      output: .pipe
    )
    // The first lines have its address, and the token.
    var text = ""
    while !text.contains("#") || text.last != "\n" {
      let data = program.output.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.contains("#") }
    address = try #require(line).trimmingCharacters(in: .whitespaces)
  }

  func container(at file: URL) throws -> ModelContainer {
    try ModelContainer(
      for: Folder.self,
      Note.self,
      Tag.self,
      configurations: ModelConfiguration(url: file, cloudKitDatabase: .server(address))
    )
  }

  func container(
    of version: any VersionedSchema.Type,
    at file: URL,
    _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: version),
      migrationPlan: plan,
      configurations: ModelConfiguration(url: file, cloudKitDatabase: .server(address))
    )
  }

  func end() { program.kill() }
}

/// Containers whose stores are in PostgreSQL databases.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct DatabaseContainerTests {
  private func container(at place: URL, zone: String? = nil) throws -> ModelContainer {
    var configuration = ModelConfiguration("database", url: place)
    configuration.setOption(zone, forKey: NSPostgreSQLZoneOption)
    return try ModelContainer(
      for: Folder.self,
      Note.self,
      Tag.self,
      configurations: configuration
    )
  }

  @Test func aDatabaseKeepsModels() throws {
    let place = PostgreSQLServer.shared.place()
    let id: PersistentIdentifier
    do {
      let context = ModelContext(try container(at: place))
      let note = Note(title: "First", folder: Folder(name: "Work"))
      context.insert(note)
      note.mood = .angry
      note.weight = .heavy
      note.phase = .open
      note.place = Place(city: "Rome", street: nil, marks: ["a", "b"])
      note.words = ["x", "y"]
      note.tags = [Tag(name: "a"), Tag(name: "b", kind: 1)]
      try context.save()
      id = note.persistentModelID
    }
    let context = ModelContext(try container(at: place))
    let note = try #require(context.model(for: id) as? Note)
    #expect(note.title == "First")
    #expect(note.place == Place(city: "Rome", street: nil, marks: ["a", "b"]))
    #expect(note.words == ["x", "y"])
    let mood = Mood.angry
    let found = try context.fetch(
      FetchDescriptor<Note>(
        predicate: #Predicate {
          $0.mood == mood && $0.folder?.name == "Work" && $0.place?.city == "Rome"
            && $0.tags.contains { $0.kind == 1 }
        }
      )
    )
    #expect(found == [note])
    let twin = Folder(name: "Work")
    twin.color = "red"
    context.insert(twin)
    try context.save()
    let folders = try ModelContext(context.container).fetch(FetchDescriptor<Folder>())
    #expect(folders.map(\.color) == ["red"])
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.count == 2)
    try context.delete(model: Note.self)
    #expect(try context.fetchCount(FetchDescriptor<Note>()) == 0)
  }

  @Test func zonesOfADatabaseDoNotSeeEachOther() throws {
    let place = PostgreSQLServer.shared.place()
    let one = ModelContext(try container(at: place, zone: "one"))
    one.insert(Tag(name: "a"))
    try one.save()
    let other = ModelContext(try container(at: place, zone: "two"))
    #expect(try other.fetchCount(FetchDescriptor<Tag>()) == 0)
    other.insert(Tag(name: "b"))
    try other.save()
    try one.container.erase()
    #expect(try other.fetch(FetchDescriptor<Tag>()).map(\.name) == ["b"])
    let again = ModelContext(try container(at: place, zone: "one"))
    #expect(try again.fetchCount(FetchDescriptor<Tag>()) == 0)
  }

  @Test @MainActor func theMainContextShowsWhatAnotherContainerOfTheDatabaseSaves() async throws {
    let place = PostgreSQLServer.shared.place()
    let container = try container(at: place)
    let tag = Tag(name: "a")
    container.mainContext.insert(tag)
    try container.mainContext.save()
    let other = ModelContext(try self.container(at: place))
    try #require(try other.fetch(FetchDescriptor<Tag>()).first).name = "b"
    try other.save()
    for _ in 0..<300 where tag.name == "a" { try await Task.sleep(for: .milliseconds(20)) }
    #expect(tag.name == "b")
  }

  @Test func aPlanMigratesADatabase() throws {
    let place = PostgreSQLServer.shared.place()
    do {
      let context = ModelContext(
        try ModelContainer(
          for: Schema(versionedSchema: DiaryV1.self),
          configurations: ModelConfiguration(url: place)
        )
      )
      context.insert(DiaryV1.Entry(text: "one two three"))
      context.insert(DiaryV1.Entry(text: ""))
      try context.save()
    }
    let schema = Schema(versionedSchema: DiaryV3.self)
    let container = try ModelContainer(
      for: schema,
      migrationPlan: DiaryPlan.self,
      configurations: ModelConfiguration(schema: schema, url: place)
    )
    let entries = try ModelContext(container).fetch(FetchDescriptor<DiaryV3.Entry>())
    #expect(entries.map(\.body) == ["one two three"])
    #expect(entries.map(\.words) == [3])
  }
}
