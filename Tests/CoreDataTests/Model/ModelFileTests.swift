import CoreDataModel
import Foundation
import Testing

@testable import CoreData

struct ModelFileTests {
  /// A bundle with a compiled model of two versions, the second with an optional title.
  private struct Notes {
    let folder: TemporaryFolder
    let first = NotesInCode.model()
    let second = NotesInCode.model()

    init() throws {
      folder = try TemporaryFolder()
      second.entitiesByName["Note"]?.attributesByName["title"]?.isOptional = true
      let compiled = CompiledModel(
        name: "Notes",
        versions: [
          CompiledModel.Version(name: "Notes", schema: first.currentSchema),
          CompiledModel.Version(name: "Notes 2", schema: second.currentSchema),
        ],
        currentVersionName: "Notes 2"
      )
      try compiled.write(to: folder.url.appending(path: "Notes.momd"))
    }

    var bundle: Bundle? { Bundle(url: folder.url) }
  }

  @Test func `a compiled model gives its current version`() throws {
    let notes = try Notes()
    let url = notes.folder.url.appending(path: "Notes.momd")
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model.entityVersionHashesByName == notes.second.entityVersionHashesByName)
    let first = try #require(
      NSManagedObjectModel(contentsOf: url.appending(path: "Notes.mom"))
    )
    #expect(first.entityVersionHashesByName == notes.first.entityVersionHashesByName)
    #expect(first.freeze() == notes.first.currentSchema.compiled())
  }

  @Test func `every version of a compiled model was read for the current one`() throws {
    let notes = try Notes()
    let url = notes.folder.url.appending(path: "Notes.momd")
    // A program that reads the old version stumbles over it.
    try Data("no model".utf8).write(to: url.appending(path: "Notes.mom"))
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model.entityVersionHashesByName == notes.second.entityVersionHashesByName)
  }

  @Test func `a model that is not compiled can be used too`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(NotesInCode.source.utf8).write(to: url.appending(path: "contents"))
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model.freeze().entityVersionHashes == NotesInCode.model().entityVersionHashesByName)
  }

  @Test func `a file that is no model gives nil, and an error with words`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "Notes.mom")
    #expect(NSManagedObjectModel(contentsOf: url) == nil)
    try Data("no model".utf8).write(to: url)
    #expect(NSManagedObjectModel(contentsOf: url) == nil)
    let error = #expect(throws: ModelError.self) { try NSManagedObjectModel(reading: url) }
    #expect(error?.description.contains("Notes.mom") == true)
  }

  @Test func `the models of a bundle become one`() throws {
    let notes = try Notes()
    let bundle = try #require(notes.bundle)
    let merged = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
    #expect(merged.entityVersionHashesByName == notes.second.entityVersionHashesByName)
    let empty = try TemporaryFolder()
    let none = try #require(Bundle(url: empty.url))
    #expect(NSManagedObjectModel.mergedModel(from: [none])?.entities == [])
  }

  @Test func `the version that a store was made with is found in a bundle`() throws {
    let notes = try Notes()
    let bundle = try #require(notes.bundle)
    for version in [notes.first, notes.second] {
      let hashes = version.entityVersionHashesByName
      let found = NSManagedObjectModel.mergedModel(
        from: [bundle],
        forStoreMetadata: [NSStoreModelVersionHashesKey: hashes]
      )
      #expect(found?.entityVersionHashesByName == hashes)
    }
    #expect(
      NSManagedObjectModel.mergedModel(
        from: [bundle],
        forStoreMetadata: [NSStoreModelVersionHashesKey: ["Note": Data([1])]]
      ) == nil
    )
  }

  @Test(
    .enabled(if: ModelFixtures.arePresent, "the fixtures are not beside the package"),
    arguments: ["SampleModel", "SampleModel3"]
  )
  func `a compiled model of Apple's comes back as it went in`(name: String) throws {
    let url = ModelFixtures.folder.appending(path: "\(name).momd")
    let compiled = try CompiledModel(contentsOf: url)
    #expect(!compiled.versions.isEmpty)
    for version in compiled.versions {
      let model = NSManagedObjectModel(schema: version.schema)
      #expect(model.freeze() == version.schema.canonical, "\(version.name)")
      #expect(model.duplicate.currentSchema == version.schema.canonical, "\(version.name)")
      for property in model.entities.flatMap(\.properties) {
        #expect(property.validationPredicates.count == property.validationWarnings.count)
      }
    }
    let model = try #require(NSManagedObjectModel(contentsOf: url))
    #expect(model.freeze() == compiled.current.canonical)
  }
}
