import CoreDataModel
import CoreDataPredicates
import Foundation
import Testing

@testable import CoreData

struct ConfigurationTests {
  let model = NotesInCode.model()

  @Test func `a configuration is a part of the entities`() {
    #expect(model.configurations == ["Cloud"])
    #expect(model.entities(forConfigurationName: "Cloud")?.compactMap(\.name) == ["Item", "Note"])
    #expect(model.entities(forConfigurationName: nil)?.count == 3)
    #expect(model.entities(forConfigurationName: "Local") == nil)
  }

  @Test func `an entity that leaves the model leaves its configurations`() {
    model.entities = model.entities.filter { $0.name != "Note" && $0.name != "Item" }
    #expect(model.entities(forConfigurationName: "Cloud") == [])
  }

  @Test func `a configuration is compatible with a store of its entities and of their subentities`()
    throws
  {
    let hashes = model.entityVersionHashesByName
    let all: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: all))
    // Folder is a subentity of Item.
    #expect(model.isConfiguration(withName: "Cloud", compatibleWithStoreMetadata: all))
    #expect(!model.isConfiguration(withName: "Local", compatibleWithStoreMetadata: all))
    let part: [String: Any] = [
      NSStoreModelVersionHashesKey: hashes.filter { $0.key != "Folder" }
    ]
    #expect(model.isConfiguration(withName: "Cloud", compatibleWithStoreMetadata: part))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: part))
    #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
  }

  @Test func `the version hash follows what a store must know, and nothing else`() throws {
    let note = try #require(model.entitiesByName["Note"])
    let before = note.versionHash
    note.managedObjectClassName = "Remark"
    note.attributesByName["stars"]?.defaultValue = 5
    #expect(note.versionHash == before)
    let title = try #require(note.attributesByName["title"])
    let titleBefore = title.versionHash
    title.isOptional = true
    #expect(title.versionHash != titleBefore)
    #expect(note.versionHash != before)
    #expect(model.entityVersionHashesByName["Note"] == note.versionHash)
  }
}

struct TemplateTests {
  let model = NSManagedObjectModel(schema: .rich)

  @Test func `a template comes as a request for the model's entity`() throws {
    let request = try #require(model.fetchRequestTemplate(forName: "inFolder"))
    #expect(request.entity === model.entitiesByName["Note"])
    #expect(request.fetchLimit == 20)
    #expect(request.fetchOffset == 5)
    #expect(!request.includesSubentities)
    #expect(request.sortDescriptors?.map(\.key) == ["title", "created"])
    #expect(model.fetchRequestTemplate(forName: "none") == nil)
    #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["inFolder"])
  }

  @Test func `variables become values, and NSNull becomes nil`() throws {
    let request = try #require(
      model.fetchRequestFromTemplate(
        withName: "inFolder",
        substitutionVariables: ["FOLDER": NSNull(), "STARS": 2]
      )
    )
    #expect(request.predicate?.spelling == "folder == nil AND stars >= 2")
    #expect(
      model.fetchRequestTemplate(forName: "inFolder")?.predicate?.spelling
        == "folder == $FOLDER AND stars >= $STARS"
    )
  }

  @Test func `a variable without a value stops the program and is named`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let model = NSManagedObjectModel(schema: .rich)
      _ = model.fetchRequestFromTemplate(
        withName: "inFolder",
        substitutionVariables: ["FOLDER": NSNull()]
      )
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("the fetch request inFolder needs a value for $STARS"))
  }

  @Test func `a template given in code stands in the schema`() throws {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    request.predicate = NSPredicate(format: "stars > %d", 3)
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    request.fetchLimit = 7
    model.setFetchRequestTemplate(request, forName: "good")
    request.fetchLimit = 8
    let schema = try #require(
      model.currentSchema.fetchRequestTemplates.first { $0.name == "good" }
    )
    #expect(schema.predicateFormat == "stars > 3")
    #expect(schema.fetchLimit == 7)
    #expect(schema.sortDescriptors.map(\.key) == ["title"])
    model.setFetchRequestTemplate(nil, forName: "good")
    #expect(model.currentSchema == .rich)
  }

  @Test func `a fetched property's request knows its entity`() throws {
    let similar = try #require(
      model.entitiesByName["Note"]?.propertiesByName["similar"] as? NSFetchedPropertyDescription
    )
    let request = try #require(similar.fetchRequest)
    #expect(request.entity === model.entitiesByName["Note"])
    #expect(request.predicate?.spelling == "title == $FETCH_SOURCE.title")
  }
}

struct MergingTests {
  @Test func `a merged model has the entities of all, once`() throws {
    let notes = NotesInCode.model()
    let tag = NSEntityDescription()
    tag.name = "Tag"
    let tags = NSManagedObjectModel()
    tags.entities = [tag]
    tags.versionIdentifiers = ["2.0"]
    let merged = try #require(NSManagedObjectModel(byMerging: [notes, tags, notes.duplicate]))
    #expect(merged.entities.compactMap(\.name).sorted() == ["Folder", "Item", "Note", "Tag"])
    #expect(merged.versionIdentifiers == ["1.0", "2.0"])
    #expect(merged.configurations == ["Cloud"])
    #expect(merged.entitiesByName["Note"] !== notes.entitiesByName["Note"])
    #expect(merged.entitiesByName["Note"]?.superentity === merged.entitiesByName["Item"])
    #expect(merged.freeze().entityVersionHashes["Note"] == notes.entityVersionHashesByName["Note"])
    #expect(NSManagedObjectModel(byMerging: nil) == nil)
  }

  @Test func `two entities of one name that differ stop the program`() async {
    await #expect(processExitsWith: .failure) {
      let other = NotesInCode.model()
      other.entitiesByName["Note"]?.attributesByName["title"]?.isOptional = true
      _ = NSManagedObjectModel(byMerging: [NotesInCode.model(), other])
    }
  }

  @Test func `the models of a store are found by its hashes`() throws {
    let first = NotesInCode.model()
    let second = NotesInCode.model()
    second.entitiesByName["Note"]?.attributesByName["title"]?.isOptional = true
    let metadata: [String: Any] = [
      NSStoreModelVersionHashesKey: second.entityVersionHashesByName
    ]
    let found = try #require(
      NSManagedObjectModel(byMerging: [first, second], forStoreMetadata: metadata)
    )
    #expect(found.entityVersionHashesByName == second.entityVersionHashesByName)
    #expect(NSManagedObjectModel(byMerging: [first], forStoreMetadata: metadata) == nil)
    #expect(NSManagedObjectModel(byMerging: [first], forStoreMetadata: [:]) == nil)
  }
}
