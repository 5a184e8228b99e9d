import CoreData
import Foundation
import SwiftData
import Testing

@Model final class Bookcase {
  var name: String
  @Relationship(inverse: \Tome.bookcase) var tomes: [Tome] = []

  init(name: String) { self.name = name }
}

@Model final class Tome {
  var title: String
  var bookcase: Bookcase

  init(title: String, bookcase: Bookcase) {
    self.title = title
    self.bookcase = bookcase
  }
}

@Model final class Bookmark {
  var page = 1
  @Relationship var tome: Tome?

  init(tome: Tome?) { self.tome = tome }
}

/// Sentences about Apple's framework that surprise people.
struct BehaviourTests {
  private static func container(at file: URL) throws -> ModelContainer {
    try ModelContainer(
      for: Bookcase.self,
      Tome.self,
      Bookmark.self,
      configurations: ModelConfiguration(url: file)
    )
  }

  private static func filled(_ file: URL) throws -> ModelContainer {
    let container = try container(at: file)
    let context = ModelContext(container)
    let tome = Tome(title: "Emma", bookcase: Bookcase(name: "Novels"))
    context.insert(tome)
    context.insert(Bookmark(tome: tome))
    try context.save()
    return container
  }

  @Test func aModelWithoutValuesThatLostItsContextStopsTheProgramWithASentence() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let file = try temporaryFolder().appendingPathComponent("A.store")
      var bookcase: Bookcase?
      do {
        let context = ModelContext(try BehaviourTests.filled(file))
        bookcase = try context.fetch(FetchDescriptor<Tome>()).first?.bookcase
      }
      print(bookcase?.name ?? "")
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("cannot be read: its context is gone"))
  }

  @Test func aReferenceWithoutAnInverseKeepsTheIdentifierOfADeletedModel() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let context = ModelContext(try Self.filled(file))
    let tome = try #require(try context.fetch(FetchDescriptor<Tome>()).first)
    let id = tome.persistentModelID
    context.delete(tome)
    try context.save()
    let again = ModelContext(try Self.container(at: file))
    let mark = try #require(try again.fetch(FetchDescriptor<Bookmark>()).first)
    #expect(mark.tome?.persistentModelID == id)
  }

  @Test func readingThroughAReferenceToADeletedModelStopsTheProgram() async throws {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let file = try temporaryFolder().appendingPathComponent("A.store")
      let context = ModelContext(try BehaviourTests.filled(file))
      for tome in try context.fetch(FetchDescriptor<Tome>()) { context.delete(tome) }
      try context.save()
      let again = ModelContext(try BehaviourTests.container(at: file))
      print(try again.fetch(FetchDescriptor<Bookmark>()).first?.tome?.title ?? "")
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("no longer in the store"))
  }

  @Test func aBatchThatWouldEmptyARequiredRelationshipDeletesNothing() throws {
    let file = try temporaryFolder().appendingPathComponent("A.store")
    let context = ModelContext(try Self.filled(file))
    #expect(throws: (any Error).self) { try context.delete(model: Bookcase.self) }
    #expect(try context.fetchCount(FetchDescriptor<Bookcase>()) == 1)
    #expect(try context.fetch(FetchDescriptor<Tome>()).first?.bookcase.name == "Novels")
  }

  @Test func aRelatedModelOfAClassThatTheContainerDoesNotHaveStopsTheProgramWithItsName()
    async throws
  {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let container = try ModelContainer(
        for: Owner.self,
        configurations: ModelConfiguration(isStoredInMemoryOnly: true)
      )
      let context = ModelContext(container)
      let owner = Owner(name: "Ann")
      context.insert(owner)
      owner.vehicles = [Racer(name: "racer")]
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Racer is not in the schema of the container"))
  }

  @Test func withoutAGroupTheFileIsInTheFolderForApplicationSupport() {
    let folder = ModelConfiguration(groupContainer: .none).url.deletingLastPathComponent()
    #expect(
      ModelConfiguration(groupContainer: .automatic).url.deletingLastPathComponent() == folder
    )
  }

  @Test func onlyAConfigurationThatAsksForItIsKeptInStep() async {
    await #expect(processExitsWith: .success) {
      setenv(
        "COREDATA_SYNC_ADDRESS",
        "http://localhost:1/Notes#abcdefghijklmnopqrstuvwxyz234567",
        1
      )
      let folder = try temporaryFolder()
      for (name, database) in [
        ("A", ModelConfiguration.CloudKitDatabase.automatic), ("B", .none),
      ] {
        let container = try ModelContainer(
          for: Tag.self,
          configurations: ModelConfiguration(
            url: folder.appendingPathComponent("\(name).store"),
            cloudKitDatabase: database
          )
        )
        precondition(container.syncContainer == nil)
      }
      let container = try ModelContainer(
        for: Tag.self,
        configurations: ModelConfiguration(
          url: folder.appendingPathComponent("C.store"),
          cloudKitDatabase: .private("iCloud.example")
        )
      )
      precondition(container.syncContainer != nil)
    }
  }

  @Test func aFileOfCoreDataWhoseModelFitsIsOpened() throws {
    let file = try temporaryFolder().appendingPathComponent("A.sqlite")
    let entity = NSEntityDescription()
    entity.name = "Ticket"
    let name = NSAttributeDescription()
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, false)
    let number = NSAttributeDescription()
    (number.name, number.attributeType, number.isOptional) = (
      "number", .integer64AttributeType, false
    )
    entity.properties = [name, number]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    do {
      let container = NSPersistentContainer(name: "Tickets", managedObjectModel: model)
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      #expect(failure == nil)
      try container.viewContext.performAndWait {
        let ticket = NSManagedObject(entity: entity, insertInto: container.viewContext)
        ticket.setValue("first", forKey: "name")
        ticket.setValue(7, forKey: "number")
        try container.viewContext.save()
      }
    }
    let context = ModelContext(
      try ModelContainer(for: Ticket.self, configurations: ModelConfiguration(url: file))
    )
    let ticket = try #require(try context.fetch(FetchDescriptor<Ticket>()).first)
    #expect(ticket.name == "first")
    #expect(ticket.number == 7)
    ticket.name = "changed"
    try context.save()
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 1)
  }
}
