import CoreDataModel
import Foundation
import Testing

struct VersionHashTests {
  @Test func `what a program alone knows does not change the hash (107)`() {
    let before = ModelSchema.notes.entityVersionHashes
    let after = ModelSchema.notes.changing("Note") { note in
      note.className = "BetterNote"
      note.userInfo = ["colour": "red"]
      note.renamingIdentifier = "Memo"
      note.indexes = [FetchIndexSchema(name: "byTitle", elements: [.init(.property("title"))])]
      note.attributes[0].defaultValue = .integer(3)
      note.relationships[0].deleteRule = .cascade
    }
    #expect(after.entityVersionHashes == before)
  }

  @Test func `what a store must know changes the hash, of subentities too (107)`() {
    let before = ModelSchema.notes.entityVersionHashes
    let after = ModelSchema.notes.changing("Item") { $0.attributes[0].isOptional = false }
      .entityVersionHashes
    #expect(after["Item"] != before["Item"])
    #expect(after["Note"] != before["Note"])
    #expect(after["Folder"] == before["Folder"])
  }

  @Test func `each ingredient changes the hash by itself (107)`() {
    let before = ModelSchema.notes.entityVersionHashes
    for (ingredient, change) in Self.ingredients {
      let after = ModelSchema.notes.changing("Note", change).entityVersionHashes
      #expect(after["Note"] != before["Note"], "\(ingredient)")
      #expect(after["Item"] == before["Item"], "\(ingredient)")
      #expect(after["Folder"] == before["Folder"], "\(ingredient)")
    }
  }

  private static var ingredients: KeyValuePairs<String, (inout EntitySchema) -> Void> {
    [
      "superentity": { $0.superentityName = nil },
      "abstract": { $0.isAbstract = true },
      "modifier": { $0.versionHashModifier = "2" },
      "constraint": { $0.uniquenessConstraints = [["title"]] },
      "a new attribute": { $0.attributes.append(AttributeSchema(name: "text", type: .string)) },
      "a name": { $0.attributes[1].name = "heading" },
      "a type": { $0.attributes[0].type = .integer32 },
      "optional": { $0.attributes[1].isOptional = false },
      "transient": { $0.attributes[1].isTransient = true },
      "an attribute's modifier": { $0.attributes[1].versionHashModifier = "2" },
      "destination": { $0.relationships[0].destinationName = "Item" },
      "inverse": { $0.relationships[0].inverseName = nil },
      "least count": { $0.relationships[0].minCount = 1 },
      "greatest count": { $0.relationships[0].maxCount = 0 },
      "order": { $0.relationships[0].isOrdered = true },
      "a relationship's modifier": { $0.relationships[0].versionHashModifier = "2" },
    ]
  }

  @Test func `a transient property is not in the hash at all (107)`() {
    let after = ModelSchema.notes.changing("Note") { note in
      note.attributes.append(AttributeSchema(name: "mood", type: .string))
      note.attributes[2].isTransient = true
    }
    #expect(after.entityVersionHashes == ModelSchema.notes.entityVersionHashes)
  }

  @Test func `a composite's elements have a part in its hash`() {
    var place = AttributeSchema(name: "place", type: .composite)
    place.elements = [AttributeSchema(name: "latitude", type: .double)]
    let before = place.versionHash
    place.elements[0].type = .float
    #expect(place.versionHash != before)
  }

  @Test func `entities that inherit in a circle still have hashes`() {
    let circle = ModelSchema.notes.changing("Item") { $0.superentityName = "Note" }
    #expect(circle.entityVersionHashes.count == 3)
  }
}

@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct RealVersionHashTests {
  @Test func `every hash that Apple's framework computed (107)`() throws {
    let file = Fixtures.folder.appending(path: "version-hashes.json")
    let samples = try JSONDecoder().decode([HashSample].self, from: Data(contentsOf: file))
    #expect(samples.count == 35)
    for sample in samples {
      let hash = try #require(sample.schema.entityVersionHashes[sample.entity])
      #expect(hash.hexadecimal == sample.hash, "\(sample.entity) of \(sample.source)")
    }
  }

  @Test(arguments: ["SampleModel", "SampleModel3"])
  func `sources have the hashes of their compiled models`(name: String) throws {
    let folder = Fixtures.folder.appending(path: "models/\(name).momd/VersionInfo.plist")
    let plist = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: folder),
      format: nil
    )
    let info = try #require(plist as? [String: Any])
    let hashes = try #require(
      info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]]
    )
    let checksums = info["NSManagedObjectModel_VersionChecksums"] as? [String: String] ?? [:]
    let source = try Fixtures.source(name)
    #expect(source.currentVersionName == info["NSManagedObjectModel_CurrentVersionName"] as? String)
    #expect(Set(source.versions.map(\.name)) == Set(hashes.keys))
    for version in source.versions {
      #expect(version.schema.entityVersionHashes == hashes[version.name])
      if let checksum = checksums[version.name] {
        #expect(version.schema.versionChecksum == checksum)
      }
    }
  }

  @Test(arguments: Fixtures.stores)
  func `digest and checksum of a store's hashes are those of its metadata`(name: String) throws {
    let metadata = try Fixtures.metadata(of: name)
    let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
    if let digest = metadata["NSStoreModelVersionHashesDigest"] as? String {
      #expect(ModelDigest.digest(of: hashes) == digest)
    }
    if let checksum = metadata["NSStoreModelVersionChecksumKey"] as? String {
      #expect(ModelDigest.checksum(of: hashes) == checksum)
    }
  }

  @Test(arguments: [
    ("Bookmarks_V1", "BookmarksModel"), ("Bookmarks_V2", "BookmarksModel"),
    ("Bookmarks_V3", "BookmarksModel"), ("Moody", "Moody"), ("Moody2", "Moody"),
    ("Moody3", "Moody"), ("Moody4", "Moody"), ("Moody5", "Moody"),
    ("SampleModel_V1", "SampleModel"), ("SampleModel_V2", "SampleModel"),
    ("SampleModel3_V1", "SampleModel3"),
  ])
  func `a store recognises one version of its model's source`(store: String, model: String) throws {
    let metadata = try Fixtures.metadata(of: store)
    let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
    let matches = try Fixtures.source(model).versions.filter {
      $0.schema.entityVersionHashes == hashes
    }
    #expect(!matches.isEmpty)
  }
}

/// One entry of `version-hashes.json`: an entity with its superentities, and its hash.
private struct HashSample: Decodable {
  var entity: String
  var hash: String
  var source: String
  var chain: [Entity]

  struct Entity: Decodable {
    var name: String
    var abstract: Bool
    var modifier: String?
    var uniquenessConstraints: [[String]]
    var properties: [Property]
  }

  struct Property: Decodable {
    var name: String
    var kind: String
    var optional: Bool
    var transient: Bool
    var modifier: String?
    var type: UInt?
    var flags: Int?
    var derivation: String?
    var dest: String?
    var inverse: String?
    var max: Int?
    var min: Int?
    var ordered: Bool?
  }

  var schema: ModelSchema {
    let parents = chain.dropFirst().map(\.name) + [nil]
    return ModelSchema(
      entities: zip(chain, parents).map { entry, parent in
        var entity = EntitySchema(name: entry.name)
        entity.isAbstract = entry.abstract
        entity.superentityName = parent
        entity.versionHashModifier = entry.modifier
        entity.uniquenessConstraints = entry.uniquenessConstraints
        entity.attributes = entry.properties.compactMap(\.attribute)
        entity.relationships = entry.properties.compactMap(\.relationship)
        return entity
      }
    )
  }
}

extension HashSample.Property {
  fileprivate var attribute: AttributeSchema? {
    guard kind == "attribute" || kind == "derived" else { return nil }
    var attribute = AttributeSchema(
      name: name,
      type: AttributeType(rawValue: type ?? 0) ?? .undefined
    )
    attribute.isOptional = optional
    attribute.isTransient = transient
    attribute.versionHashModifier = modifier
    attribute.allowsExternalBinaryDataStorage = (flags ?? 0) & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = (flags ?? 0) & 16 != 0
    attribute.derivationExpression = derivation
    return attribute
  }

  fileprivate var relationship: RelationshipSchema? {
    guard kind == "relationship" else { return nil }
    var relationship = RelationshipSchema(
      name: name,
      destinationName: dest ?? "",
      inverseName: inverse
    )
    relationship.isOptional = optional
    relationship.isTransient = transient
    relationship.versionHashModifier = modifier
    relationship.maxCount = max ?? 0
    relationship.minCount = min ?? 0
    relationship.isOrdered = ordered ?? false
    return relationship
  }
}
