import Foundation
import SwiftData
import Testing

enum DiaryV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Entry.self] }

  @Model final class Entry {
    var text: String
    init(text: String) { self.text = text }
  }
}

enum DiaryV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Entry.self] }

  @Model final class Entry {
    var text: String
    var words: Int = 0
    init(text: String) { self.text = text }
  }
}

enum DiaryV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Entry.self] }

  @Model final class Entry {
    @Attribute(originalName: "text") var body: String
    var words: Int = 0
    init(body: String) { self.body = body }
  }
}

enum DiaryPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [DiaryV1.self, DiaryV2.self, DiaryV3.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: DiaryV1.self,
        toVersion: DiaryV2.self,
        willMigrate: { context in
          for entry in try context.fetch(FetchDescriptor<DiaryV1.Entry>()) where entry.text.isEmpty
          {
            context.delete(entry)
          }
          try context.save()
        },
        didMigrate: { context in
          for entry in try context.fetch(FetchDescriptor<DiaryV2.Entry>()) {
            entry.words = entry.text.split(separator: " ").count
          }
          try context.save()
        }
      ),
      .lightweight(fromVersion: DiaryV2.self, toVersion: DiaryV3.self),
    ]
  }
}

enum EqualPlan: SchemaMigrationPlan {
  enum Again: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 1, 0)
    static var models: [any PersistentModel.Type] { [Entry.self] }

    @Model final class Entry {
      var text: String
      init(text: String) { self.text = text }
    }
  }

  static var schemas: [any VersionedSchema.Type] { [DiaryV1.self, Again.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: DiaryV1.self, toVersion: Again.self)]
  }
}

struct MigrationTests {
  private func fill(_ file: URL, _ texts: String...) throws {
    let container = try ModelContainer(
      for: Schema(versionedSchema: DiaryV1.self),
      configurations: ModelConfiguration(url: file)
    )
    let context = ModelContext(container)
    for text in texts { context.insert(DiaryV1.Entry(text: text)) }
    try context.save()
  }

  @Test func aPlanLeadsAStoreThroughAllItsVersions() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    try fill(file, "one two three", "", "four")
    let container = try ModelContainer(
      for: Schema(versionedSchema: DiaryV3.self),
      migrationPlan: DiaryPlan.self,
      configurations: ModelConfiguration(url: file)
    )
    let entries = try ModelContext(container).fetch(
      FetchDescriptor<DiaryV3.Entry>(sortBy: [SortDescriptor(\.words)])
    )
    #expect(entries.map(\.body) == ["four", "one two three"])
    #expect(entries.map(\.words) == [1, 3])
  }

  @Test func withoutAPlanWhatCanBeInferredIsDone() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    try fill(file, "one")
    let container = try ModelContainer(
      for: DiaryV3.Entry.self,
      configurations: ModelConfiguration(url: file)
    )
    let entries = try ModelContext(container).fetch(FetchDescriptor<DiaryV3.Entry>())
    #expect(entries.map(\.body) == ["one"])
    #expect(entries.map(\.words) == [0])
  }

  @Test func aStoreOfNoneOfThePlansVersionsIsRefusedWithTheReason() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    _ = try ModelContainer(for: Tag.self, configurations: ModelConfiguration(url: file))
    do {
      _ = try ModelContainer(
        for: Schema(versionedSchema: DiaryV3.self),
        migrationPlan: DiaryPlan.self,
        configurations: ModelConfiguration(url: file)
      )
      Issue.record("the container was made")
    } catch let error as SwiftDataError {
      #expect(error == .loadIssueModelContainer)
      #expect((error.underlyingError as? NSError)?.code == 134_504)
    }
  }

  @Test func versionsOfEqualShapeAreRefusedByName() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    do {
      _ = try ModelContainer(
        for: Schema(versionedSchema: EqualPlan.Again.self),
        migrationPlan: EqualPlan.self,
        configurations: ModelConfiguration(url: file)
      )
      Issue.record("the container was made")
    } catch let error as SwiftDataError {
      #expect(error == .loadIssueModelContainer)
      #expect(error.reason?.contains("Again") == true)
    }
  }
}
