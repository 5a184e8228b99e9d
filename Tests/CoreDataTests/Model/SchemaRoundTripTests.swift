import CoreDataModel
import Foundation
import Testing

@testable import CoreData

struct SchemaRoundTripTests {
  @Test func `a schema comes back from the descriptions as it went in`() {
    let schema = ModelSchema.rich
    let model = NSManagedObjectModel(schema: schema)
    for (entity, original) in zip(model.currentSchema.entities, schema.entities) {
      #expect(entity == original)
    }
    #expect(model.currentSchema == schema)
    #expect(model.freeze() == schema)
    #expect(model.currentSchema == schema, "parsing predicates must not reprint them")
  }

  @Test func `a copy says the same as its model`() throws {
    let schema = ModelSchema.rich
    let model = NSManagedObjectModel(schema: schema)
    model.freeze()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    #expect(copy.currentSchema == schema)
    #expect(!copy.isFrozen)
    copy.entitiesByName["Note"]?.name = "Remark"
    #expect(copy.currentSchema != schema)
    #expect(model.currentSchema == schema)
  }

  @Test(
    .enabled(if: ModelFixtures.arePresent, "the fixtures are not beside the package"),
    arguments: ModelFixtures.names
  )
  func `every version of a real model comes back as it went in`(name: String) throws {
    let source = try ModelSource(contentsOf: ModelFixtures.source(name))
    #expect(!source.versions.isEmpty)
    for version in source.versions {
      let schema = version.schema.canonical
      let model = NSManagedObjectModel(schema: schema)
      #expect(model.currentSchema == schema, "\(version.name)")
      #expect(model.freeze().entityVersionHashes == schema.entityVersionHashes)
      #expect(model.duplicate.currentSchema == schema, "\(version.name)")
    }
  }

  @Test func `a model built in code equals the file that says the same`() throws {
    let folder = try TemporaryFolder()
    let version = folder.url.appending(path: "Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(NotesInCode.source.utf8).write(to: version.appending(path: "contents"))
    var file = try ModelSource(contentsOf: version).current.compiled()
    let code = NotesInCode.model().currentSchema
    // A bound in a file has a code; in code it has a sentence.
    let note = try #require(file.entities.firstIndex { $0.name == "Note" })
    let title = try #require(file.entities[note].attributes.firstIndex { $0.name == "title" })
    #expect(file.entities[note].attributes[title].validations.map(\.warning) == [.code(1670)])
    file.entities[note].attributes[title].validations[0].warning =
      .message("A note needs a title.")
    for (entity, original) in zip(code.entities, file.entities) {
      #expect(entity == original)
    }
    #expect(code == file)
    #expect(code.entityVersionHashes == file.entityVersionHashes)
  }
}
