import CoreDataModel
import Foundation
import Testing

@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct RealModelArchiveTests {
  @Test(arguments: Fixtures.compiled)
  func `a compiled model is its source, compiled`(name: String) throws {
    let compiled = try Fixtures.compiledModel(name)
    #expect(compiled == CompiledModel(try Fixtures.source(name)))
    for version in compiled.versions {
      let again = try ModelArchive.decode(ModelArchive.encode(version.schema))
      #expect(again == version.schema)
    }
  }

  @Test(arguments: Fixtures.stores)
  func `a store's model cache has the hashes of its metadata`(store: String) throws {
    guard let cache = try Fixtures.modelCache(of: store) else {
      #expect(store == "TwitterSeed-iOS6")
      return
    }
    let schema = try ModelCache.decode(cache)
    let metadata = try Fixtures.metadata(of: store)
    let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
    #expect(schema.entityVersionHashes == hashes)
    if let digest = metadata["NSStoreModelVersionHashesDigest"] as? String {
      #expect(schema.versionHashesDigest == digest)
    }
    #expect(try ModelCache.decode(ModelCache.encode(schema)) == schema)
    #expect(try ModelArchive.decode(ModelArchive.encode(schema)) == schema)
    #expect(schema.compiled() == schema)
  }

  @Test(arguments: [
    ("Bookmarks_V2", "BookmarksModel", "BookmarksModel 2"),
    ("Bookmarks_V3", "BookmarksModel", "BookmarksModel 3"),
    ("SampleModel_V2", "SampleModel", "SampleModel2"),
  ])
  func `a source has the indexes of the model cache, compiled`(
    store: String,
    model: String,
    version: String
  ) throws {
    let cached = try ModelCache.decode(try #require(try Fixtures.modelCache(of: store)))
    let compiled = CompiledModel(try Fixtures.source(model))
    let schema = try #require(compiled.versions.first { $0.name == version }).schema
    #expect(cached.entities.contains { !$0.indexes.isEmpty })
    for entity in cached.entities {
      #expect(schema.entity(named: entity.name)?.indexes == entity.indexes)
    }
  }

  @Test func `predicates, rules and fetched properties of a real cache`() throws {
    let schema = try ModelCache.decode(try #require(try Fixtures.modelCache(of: "SampleModel2_V2")))
    let book = try #require(schema.entity(named: "Book"))
    let title = try #require(book.attributes.first { $0.name == "title" })
    #expect(
      title.validations == [
        ValidationSchema(
          predicateFormat: "length >= 3 AND length <= 50",
          warning: .message("Title must have a length between 3 and 50 chars.")
        ),
        ValidationSchema(
          predicateFormat: "SELF CONTAINS \"title\"",
          warning: .message("Title must contain 'title'.")
        ),
      ]
    )
    #expect(
      book.attributes.first { $0.name == "pagesCount" }?.derivationExpression == "count:(pages)"
    )
    #expect(schema.entity(named: "GraphicNovel")?.propertyNames == ["isBlackAndWhite"])
    #expect(
      schema.entity(named: "Author")?.fetchedProperties.map(\.request.predicateFormat) == [
        "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
        "authorAlias == $FETCH_SOURCE.alias",
      ]
    )
    #expect(
      schema.entity(named: "Author")?.fetchedProperties[1].request.sortDescriptors
        == [.init(key: "rating")]
    )
    #expect(
      schema.configurations["SampleConfigurationV2Part2"] == ["Feedback"]
    )
  }
}
