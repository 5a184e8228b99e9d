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

enum ShelfV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Loan.self, Fine.self] }

  @Model final class Book {
    var title: String
    init(title: String) { self.title = title }
  }

  @Model final class Loan {
    var reader: String
    init(reader: String) { self.reader = reader }
  }

  @Model final class Fine {
    var amount: Int
    init(amount: Int) { self.amount = amount }
  }
}

enum ShelfV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Book.self, Loan.self] }

  @Model final class Book {
    var title: String
    var pages: Int = 0
    init(title: String) { self.title = title }
  }

  @Model final class Loan {
    var reader: String
    var days: Int = 14
    init(reader: String) { self.reader = reader }
  }
}

enum ShelfPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [ShelfV1.self, ShelfV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: ShelfV1.self, toVersion: ShelfV2.self)]
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

  @Test func aPlanMigratesTheStoreOfAConfigurationThatNamesTheSchema() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    try fill(file, "one two three", "")
    let schema = Schema(versionedSchema: DiaryV3.self)
    let container = try ModelContainer(
      for: schema,
      migrationPlan: DiaryPlan.self,
      configurations: ModelConfiguration("diary", schema: schema, url: file)
    )
    let entries = try ModelContext(container).fetch(FetchDescriptor<DiaryV3.Entry>())
    #expect(entries.map(\.body) == ["one two three"])
    #expect(entries.map(\.words) == [3])
  }

  @Test func aPlanMigratesEachOfTwoStores() throws {
    let folder = try temporaryFolder()
    func container(
      _ version: any VersionedSchema.Type,
      _ types: [any PersistentModel.Type]
    ) throws
      -> ModelContainer
    {
      try ModelContainer(
        for: Schema(versionedSchema: version),
        migrationPlan: ShelfPlan.self,
        configurations: [
          ModelConfiguration(
            "books",
            schema: Schema([types[0]]),
            url: folder.appendingPathComponent("A.store")
          ),
          ModelConfiguration(
            "loans",
            schema: Schema(Array(types.dropFirst())),
            url: folder.appendingPathComponent("B.store")
          ),
        ]
      )
    }
    do {
      let context = ModelContext(
        try container(ShelfV1.self, [ShelfV1.Book.self, ShelfV1.Loan.self, ShelfV1.Fine.self])
      )
      context.insert(ShelfV1.Book(title: "Emma"))
      context.insert(ShelfV1.Loan(reader: "Ann"))
      context.insert(ShelfV1.Fine(amount: 3))
      try context.save()
    }
    let context = ModelContext(try container(ShelfV2.self, [ShelfV2.Book.self, ShelfV2.Loan.self]))
    #expect(try context.fetch(FetchDescriptor<ShelfV2.Book>()).map(\.title) == ["Emma"])
    #expect(try context.fetch(FetchDescriptor<ShelfV2.Loan>()).map(\.days) == [14])
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
