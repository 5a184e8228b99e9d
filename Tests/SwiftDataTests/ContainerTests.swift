import CoreData
import Foundation
import SwiftData
import Testing

struct ContainerTests {
  @Test func configurationsNameTheirFiles() {
    #expect(ModelConfiguration().url.lastPathComponent == "default.store")
    #expect(ModelConfiguration().name == "default")
    #expect(ModelConfiguration("Archive").url.lastPathComponent == "Archive.store")
    let group = ModelConfiguration(groupContainer: .identifier("group.example"))
    #expect(group.url.deletingLastPathComponent().lastPathComponent == "group.example")
  }

  @Test func aConfigurationIsMadeOfClasses() throws {
    let configuration = ModelConfiguration(for: Tag.self, Folder.self, isStoredInMemoryOnly: true)
    let names = configuration.schema?.entities.map(\.name) ?? []
    #expect(Set(names) == ["Folder", "Note", "Tag"])
    #expect(configuration.debugDescription == "ModelConfiguration default: in memory")
    let container = try ModelContainer(for: Tag.self, configurations: configuration)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Tag>()) == 0)
    #expect(ModelConfiguration(isStoredInMemoryOnly: true).schema == nil)
  }

  @Test func theClosuresOfPortedCodeRunInAutoreleasePools() throws {
    let title = try autoreleasepool { try notesContainer().schema.entitiesByName["Note"]?.name }
    #expect(title == "Note")
  }

  @Test func twoConfigurationsOfOneNameAreRefused() {
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Note.self,
        configurations: ModelConfiguration("A", isStoredInMemoryOnly: true),
        ModelConfiguration("A", isStoredInMemoryOnly: true)
      )
    }
  }

  @Test func namesThatAreNoFilesAreRefused() {
    #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
      try ModelConfiguration("a/b").validate()
    }
    #expect(throws: SwiftDataError.configurationFileNameTooLong) {
      try ModelConfiguration(String(repeating: "a", count: 300)).validate()
    }
  }

  @Test func cloudKitIsRefusedWithASentence() {
    do {
      _ = try ModelContainer(
        for: Note.self,
        configurations: ModelConfiguration(
          isStoredInMemoryOnly: true,
          cloudKitDatabase: .private("iCloud.example")
        )
      )
      Issue.record("the container was made")
    } catch let error as SwiftDataError {
      #expect(error == .loadIssueModelContainer)
      #expect(error.reason?.contains("iCloud.example") == true)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func aFailureToOpenHasItsReason() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    try Data("no database, but long enough to be looked at".utf8).write(to: file)
    do {
      _ = try notesContainer(at: file)
      Issue.record("the container was made")
    } catch let error as SwiftDataError {
      #expect(error == .loadIssueModelContainer)
      #expect(error.reason?.contains(file.path) == true)
      #expect(error.underlyingError != nil)
    }
  }

  @Test func anErrorIsCaughtByItsKindWhateverItsReason() throws {
    let mirrored = ModelConfiguration("A", cloudKitDatabase: .private("A"))
    do {
      _ = try ModelContainer(for: Tag.self, configurations: mirrored)
      Issue.record("the container was made")
    } catch SwiftDataError.unknownSchema {
      Issue.record("the error was taken for another")
    } catch SwiftDataError.loadIssueModelContainer {
      // Any other error fails the test.
    }
  }

  @Test func aClassThatTheContainerDoesNotHaveIsRefused() throws {
    let container = try ModelContainer(
      for: Tag.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true)
    )
    #expect(throws: SwiftDataError.unknownSchema) {
      try ModelContext(container).fetch(FetchDescriptor<WelcomeTo.Item>())
    }
  }

  @Test func modelsOfTwoConfigurationsGoToTheirOwnFiles() throws {
    let folder = try temporaryFolder()
    let items = folder.appendingPathComponent("Items.store")
    let rides = folder.appendingPathComponent("Rides.store")
    let container = try ModelContainer(
      for: WelcomeTo.Item.self,
      SwiftRide.Route.self,
      configurations: ModelConfiguration(
        "Items",
        schema: Schema([WelcomeTo.Item.self]),
        url: items
      ),
      ModelConfiguration("Rides", schema: Schema([SwiftRide.Route.self]), url: rides)
    )
    let context = ModelContext(container)
    context.insert(WelcomeTo.Item(timestamp: .now, number: 1))
    let route = SwiftRide.Route(name: "A")
    context.insert(route)
    try context.save()
    #expect(try [count("ZITEM", in: items), count("ZROUTE", in: items)] == [1, 0])
    #expect(try [count("ZITEM", in: rides), count("ZROUTE", in: rides)] == [0, 1])
    #expect(
      route.persistentModelID.storeIdentifier
        == container.storeIdentifier(forConfigurationNamed: "Rides")
    )
  }

  @Test func aStoreThatMayNotBeChangedRefusesASave() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    _ = try notesContainer(at: file)
    let container = try ModelContainer(
      for: Folder.self,
      Note.self,
      Tag.self,
      configurations: ModelConfiguration(url: file, allowsSave: false)
    )
    let context = ModelContext(container)
    context.insert(Tag(name: "a"))
    #expect(throws: (any Error).self) { try context.save() }
    #expect(context.hasChanges)
  }

  @Test func anErasedContainerLeavesNoFile() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let container = try notesContainer(at: file)
    #expect(FileManager.default.fileExists(atPath: file.path))
    try container.erase()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func anIndexThatIsAddedLaterReachesAnExistingFile() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    _ = try ModelContainer(for: Unindexed.Item.self, configurations: ModelConfiguration(url: file))
    #expect(try !statements(in: file).contains { $0.contains("SwiftDataIndex") })
    _ = try ModelContainer(for: Indexed.Item.self, configurations: ModelConfiguration(url: file))
    #expect(
      try statements(in: file).contains(
        "CREATE INDEX Z_Item_SwiftDataIndexOnBinaryname ON ZITEM (ZNAME COLLATE BINARY ASC)"
      )
    )
  }

  @Test func bothInterfacesReadOneStoreAtTheSameTime() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let container = try notesContainer(at: file)
    let context = ModelContext(container)
    let note = Note(title: "First", folder: Folder(name: "Work"))
    note.mood = .angry
    context.insert(note)
    try context.save()

    let types: [any PersistentModel.Type] = [Folder.self, Note.self, Tag.self]
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: types))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      type: .sqlite,
      at: file,
      options: [NSPersistentHistoryTrackingKey: true]
    )
    let plain = NSManagedObjectContext(.privateQueue)
    plain.persistentStoreCoordinator = coordinator
    try plain.performAndWait {
      let object = try #require(
        try plain.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
      )
      #expect(object.value(forKeyPath: "mood.mood") as? String == "cross")
      #expect(object.value(forKeyPath: "folder.name") as? String == "Work")
      object.setValue("Changed", forKey: "title")
      try plain.save()
    }
    #expect(try ModelContext(container).fetch(FetchDescriptor<Note>()).map(\.title) == ["Changed"])
  }
}

enum Unindexed {
  @Model final class Item {
    var name: String
    init(name: String) { self.name = name }
  }
}

enum Indexed {
  @Model final class Item {
    #Index<Item>([\.name])
    var name: String
    init(name: String) { self.name = name }
  }
}
