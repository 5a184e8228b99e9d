import CoreDataModel
import CoreDataPredicates
import Foundation
import Testing

@testable import CoreDataModelChanges

/// Mapping models of Xcode, as source and compiled.
@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct MappingTests {
  private func source(_ name: String) throws -> MappingSource {
    try MappingSource(contentsOf: Fixtures.folder.appending(path: "models/\(name).xcmappingmodel"))
  }

  private func compiled() throws -> Data {
    try Data(contentsOf: Fixtures.folder.appending(path: "models/SampleModel-V2toV3.cdm"))
  }

  @Test func `a compiled mapping model`() throws {
    let mapping = try MappingSchema(compiled: compiled())
    #expect(mapping.description == MappingTexts.sampleModel)
  }

  @Test func `a compiled mapping model knows both models by their hashes`() throws {
    let mapping = try MappingSchema(compiled: compiled())
    let versions = try Fixtures.compiledModel("SampleModel").versions
    let old = try #require(versions.first { $0.name == "SampleModel2" }).schema.entityVersionHashes
    let new = try #require(versions.first { $0.name == "SampleModel3" }).schema.entityVersionHashes
    for entity in mapping.entityMappings {
      #expect(entity.sourceHash == entity.sourceName.flatMap { old[$0] })
      #expect(entity.destinationHash == entity.destinationName.flatMap { new[$0] })
    }
  }

  @Test(arguments: 2...5)
  func `Moody's mapping models are of Moody's models`(version: Int) throws {
    let mapping = try source("Moody \(version)-Moody \(version + 1)")
    let versions = try Fixtures.source("Moody").versions
    let models = try [version, version + 1].map { number in
      try #require(versions.first { $0.name == "Moody \(number)" }).schema
    }
    let schema = mapping.schema(from: models[0], to: models[1])
    for entity in schema.entityMappings {
      #expect((entity.sourceHash == nil) == (entity.sourceName == nil))
      #expect((entity.destinationHash == nil) == (entity.destinationName == nil))
      let properties = entity.attributeMappings + entity.relationshipMappings
      for expression in properties.compactMap(\.valueExpression) {
        #expect(try PredicateFormat.expression(expression.format) == expression)
      }
      // Properties of the source with the same name are copied.
      let had = entity.sourceName.map { models[0].declaredProperties(of: $0).map(\.name) } ?? []
      for property in properties where had.contains(property.name) {
        #expect(property.valueExpression != nil, "\(entity.name).\(property.name)")
      }
    }
  }

  @Test(arguments: 2...5)
  func `the copies of both models in a mapping model have the models' hashes`(
    version: Int
  ) throws {
    let models = try #require(try source("Moody \(version)-Moody \(version + 1)").models)
    let versions = try Fixtures.source("Moody").versions
    for (copy, number) in [(models.source, version), (models.destination, version + 1)] {
      let model = try #require(versions.first { $0.name == "Moody \(number)" }).schema
      #expect(copy.entityVersionHashes == model.entityVersionHashes)
    }
  }

  @Test(arguments: 2...5)
  func `a mapping model could not be compiled`(version: Int) throws {
    let source = try source("Moody \(version)-Moody \(version + 1)")
    let models = try #require(source.models)
    let schema = source.schema(from: models.source, to: models.destination)
    #expect(try MappingSchema(compiled: schema.compiled()) == schema)
    #expect(schema.entityMappings.contains { $0.sourceExpression != nil })
  }

  @Test func `a mapping model that Apple compiled is written as it was read`() throws {
    let mapping = try MappingSchema(compiled: compiled())
    let written = try mapping.compiled()
    #expect(try MappingSchema(compiled: written) == mapping)
    #expect(try mapping.compiled() == written)
  }

  @Test(arguments: 2...5)
  func `Moody's mappings`(version: Int) throws {
    let mapping = try source("Moody \(version)-Moody \(version + 1)")
    #expect(mapping.schema.description == MappingTexts.moody[version])
  }
}

/// Files that are not mapping models.
struct DamagedMappingTests {
  @Test func `damaged compiled mapping models are errors`() throws {
    #expect(throws: ArchiveError.self) { try MappingSchema(compiled: Data()) }
    #expect(throws: ArchiveError.self) { try MappingSchema(compiled: Data("bplist00".utf8)) }
    let error = #expect(throws: ArchiveError.self) {
      try MappingSchema(compiled: ModelArchive.encode(.notes))
    }
    #expect(error?.description == "the archive holds NSManagedObjectModel, not a mapping model")
  }

  @Test(
    .enabled(if: Fixtures.arePresent, "real models and stores are not beside the package")
  )
  func `a compiled mapping model cut anywhere is an error`() throws {
    let data = try Data(
      contentsOf: Fixtures.folder.appending(path: "models/SampleModel-V2toV3.cdm")
    )
    for length in stride(from: 0, to: data.count, by: 97) {
      #expect(throws: ArchiveError.self) { try MappingSchema(compiled: data.prefix(length)) }
    }
  }

  @Test(arguments: [
    ("", "line 1: the file is not well-formed XML: the file is empty"),
    ("<database><object>", "line 1: the file is not well-formed XML: "),
    ("<model/>", "the file begins with <model>, not with <database>"),
    ("<database/>", "the file holds no mapping model"),
    (
      """
      <database><object type="XDDEVMAPPINGMODEL" id="z1"><relationship name="entitymappings" \
      idrefs="z9"/></object></database>
      """,
      "the object z1 refers to z9, which is missing"
    ),
    (
      """
      <database><object type="XDDEVMAPPINGMODEL" id="z1"><attribute name="sourcemodeldata" \
      type="binary">AAAA</attribute></object></database>
      """,
      "the data is not a binary property list"
    ),
  ])
  func `a damaged source is an error`(xml: String, sentence: String) {
    let error = #expect(throws: ArchiveError.self) { try MappingSource(xml: Data(xml.utf8)) }
    #expect(error?.description.hasPrefix(sentence) == true, "\(String(describing: error))")
  }

  @Test func `a mapping model that is not there is an error with its name`() {
    let error = #expect(throws: ModelError.self) {
      try MappingSource(contentsOf: URL(filePath: "nowhere.xcmappingmodel"))
    }
    #expect(
      error?.description.hasPrefix("nowhere.xcmappingmodel: error: the mapping model") == true
    )
  }
}
