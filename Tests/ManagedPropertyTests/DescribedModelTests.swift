import CoreData
import Foundation
import ManagedAuthors
import Testing

/// A model that is described in Swift, beside the file that says the same.
struct DescribedModelTests {
  private static let model = NSManagedObjectModel {
    ModelEntity(Author.self) {
      ModelAttribute(\.name)
      ModelAttribute(\.born)
      ModelAttribute(\.books, default: 0)
      ModelAttribute(\.nickname)
      ModelToMany(\.notes, inverse: \.author)
    }
    ModelEntity(Folder.self) {
      ModelAttribute(\.name, default: "")
      ModelToMany(\.notes, inverse: \.folder, deleteRule: .cascadeDeleteRule)
    }
    ModelEntity(Checklist.self, parent: Note.self) {
      ModelAttribute(\.isDone, default: false)
    }
    ModelEntity(Note.self) {
      ModelAttribute(\.text, default: "")
      ModelAttribute(\.default)
      ModelAttribute("secret", .stringAttributeType)
      ModelAttribute(\.isPinned, default: false)
      ModelAttribute(\.stars, default: 0)
      ModelAttribute(\.words, default: 0)
      ModelAttribute(\.bytes, default: 0)
      ModelAttribute(\.place, default: 0)
      ModelAttribute(\.ratio, default: 0)
      ModelAttribute(\.weight, default: 0)
      ModelAttribute(\.boxed, .integer16AttributeType)
      ModelAttribute(\.price)
      ModelAttribute(\.cost, isOptional: true)
      ModelAttribute(\.created)
      ModelAttribute(\.updated, isOptional: true)
      ModelAttribute(\.seen, .dateAttributeType, isOptional: true)
      ModelAttribute("printed", .dateAttributeType)
      ModelAttribute(\.uuid)
      ModelAttribute(\.link)
      ModelAttribute(\.picture)
      ModelAttribute(\.colour) { $0.valueTransformerName = "ColourTransformer" }
      ModelAttribute(\.aliases, isOptional: true)
      ModelAttribute(\.status, default: .draft)
      ModelAttribute(\.mood)
      ModelAttribute(\.options, default: [])
      ModelAttribute(\.genre)
      ModelToOne(\.author, inverse: \.notes)
      ModelToOne(\.folder, inverse: \.notes)
      ModelToMany(\.pages, to: Page.self, inverse: \.note, deleteRule: .cascadeDeleteRule)
      ModelToMany(\.tags, to: Labels.Tag.self, inverse: \.notes)
      ModelAttribute(\.title)
    }
    ModelEntity(Page.self) {
      ModelAttribute(\.text)
      ModelToOne(\.note, inverse: \.pages)
    }
    ModelEntity(Labels.Tag.self) {
      ModelAttribute(\.name)
      ModelToMany(\.notes, inverse: \.tags)
    }
  }

  @Test func `a described model has the hashes of the file that says the same`() throws {
    let location = try #require(Bundle.module.url(forResource: "Written", withExtension: "momd"))
    let file = try #require(NSManagedObjectModel(contentsOf: location))
    #expect(Self.model.entityVersionHashesByName == file.entityVersionHashesByName)
    let classes = file.entitiesByName.mapValues(\.managedObjectClassName)
    #expect(Self.model.entitiesByName.mapValues(\.managedObjectClassName) == classes)
  }

  @Test func `a described model makes, saves and finds objects`() throws {
    let container = NSPersistentContainer(name: "Described", managedObjectModel: Self.model)
    let store = NSPersistentStoreDescription()
    store.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [store]
    container.loadPersistentStores { #expect($1 == nil) }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let note = Note(context: context)
      #expect(note.status == .draft)
      note.title = "Title"
      note.folder = Folder(context: context)
      try context.save()
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.stars, ascending: true)]
      let titles = try context.fetch(request).map(\.title)
      #expect(titles == ["Title"])
      #expect(note.folder?.notes == [note])
    }
  }

  @Test func `constraints and indexes are described by key paths`() throws {
    let model = NSManagedObjectModel {
      ModelEntity(Author.self, name: "Writer") {
        ModelAttribute(\.name)
        ModelAttribute(\.born)
        ModelUnique(\.name, \.born)
        ModelIndex("byBirth", \.born)
      }
    }
    let entity = try #require(model.entitiesByName["Writer"])
    #expect(entity.uniquenessConstraints as? [[String]] == [["name", "born"]])
    #expect(entity.indexes.map(\.name) == ["byBirth"])
    #expect(entity.attributesByName["born"]?.attributeType == .dateAttributeType)
  }

  @Test func `a relationship to a class without an entity stops the program with a remedy`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSManagedObjectModel { ModelEntity(Page.self) { ModelToOne(\.note) } }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        "Page.note leads to Note, for which the model has no entity; add ModelEntity(Note.self)"
      )
    )
  }
}
