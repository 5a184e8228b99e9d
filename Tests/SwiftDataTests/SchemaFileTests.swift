import CoreData
import Foundation
import Testing

@testable import SwiftData

@Model final class Racetrack {
  #Index<Racetrack>([\.name], [\.name, \.laps])

  @Attribute(.unique, originalName: "title") var name: String = "none"
  var laps: Int = 3
  var limit: Double = Double.infinity
  var opened: Date?
  var mood: Mood = Mood.glad
  var phase: Phase?
  var place: Place?
  var marks: [String] = ["a"]
  @Attribute(.ephemeral) var guess: Int?
  @Relationship(deleteRule: .cascade, maximumModelCount: 7, inverse: \Lap.track) var runs: [Lap]?

  init() {}
}

@Model final class Lap {
  @Attribute(.externalStorage, hashModifier: "2") var film: Data = Data()
  var track: Racetrack?

  init() {}
}

struct SchemaFileTests {
  private func reloaded(_ schema: Schema) throws -> Schema {
    let file = try temporaryFolder().appendingPathComponent("schema.json")
    try schema.save(to: file)
    return try Schema.load(from: file)
  }

  /// The schema's file with one text in the place of another.
  private func damaged(_ schema: Schema, _ text: String, _ other: String) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let json = String(decoding: try encoder.encode(schema), as: UTF8.self)
    #expect(json.contains(text), "\(json)")
    return Data(json.replacingOccurrences(of: text, with: other).utf8)
  }

  @Test func aSavedSchemaEqualsTheOneThatIsLoaded() throws {
    let schema = Schema([Racetrack.self], version: Schema.Version(2, 1, 0))
    let loaded = try reloaded(schema)
    #expect(loaded == schema)
    #expect(loaded.version == Schema.Version(2, 1, 0))
    #expect(loaded.encodingVersion == Schema.schemaEncodingVersion)
    #expect(loaded != Schema([Racetrack.self]))
    let track = try #require(loaded.entity(for: Racetrack.self))
    #expect(track.attributesByName["limit"]?.defaultValue as? Double == .infinity)
    #expect(track.attributesByName["marks"]?.defaultValue as? [String] == ["a"])
    #expect(track.attributesByName["mood"]?.valueType is Mood.Type)
    #expect(track.relationshipsByName["runs"]?.keypath == \Racetrack.runs)
    #expect(track.relationshipsByName["runs"]?.inverseKeyPath == \Lap.track)
    #expect(track.relationshipsByName["runs"]?.isToOneRelationship == false)
    #expect(track.indices == [["name"], ["name", "laps"]])
  }

  /// The facts of a model that are in no version hash.
  private func texts(of model: NSManagedObjectModel) -> [String] {
    model.entities.flatMap { entity in
      entity.attributesByName.map { name, attribute in
        let value = attribute.defaultValue.map { "\($0)" } ?? "none"
        let form =
          "\(attribute.valueTransformerName ?? "") \(attribute.attributeValueClassName ?? "")"
        let info = (attribute.userInfo ?? [:]).map { "\($0) \($1)" }.sorted().joined()
        return "\(entity.name ?? "").\(name) \(value) \(form) \(info)"
      } + entity.indexes.map(\.name)
        + entity.relationshipsByName.map { name, relationship in
          "\(name) \(relationship.deleteRule) \(relationship.inverseRelationship?.name ?? "")"
        }
    }.sorted()
  }

  @Test func aLoadedSchemaHasTheModelOfTheSavedOne() throws {
    for schema in [
      Schema([Racetrack.self]), Schema([Note.self]), Schema([Vehicle.self, Racer.self]),
    ] {
      let (one, other) = (
        try #require(NSManagedObjectModel.makeManagedObjectModel(for: schema)),
        try #require(NSManagedObjectModel.makeManagedObjectModel(for: try reloaded(schema)))
      )
      #expect(one.entityVersionHashesByName == other.entityVersionHashesByName)
      #expect(texts(of: one) == texts(of: other))
    }
  }

  @Test(.enabled(if: FixtureStore.areThere), arguments: FixtureStore.all)
  func aLoadedSchemaHasTheVersionHashesOfItsStore(_ fixture: FixtureStore) throws {
    let schema = fixture.schema
    let loaded = try reloaded(schema)
    #expect(loaded == schema)
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: loaded))
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: fixture.copy()
    )
    let stored = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
    #expect(model.entityVersionHashesByName == stored)
  }

  @Test func superentitiesAreJoinedInALoadedSchema() throws {
    let schema = try reloaded(Schema([Vehicle.self, Car.self, Racer.self]))
    let racer = try #require(schema.entity(for: Racer.self))
    #expect(racer.superentity?.superentity?.name == "Vehicle")
    #expect(schema.entitiesByName["Vehicle"]?.subentities.map(\.name) == ["Car"])
  }

  @Test func aLoadedSchemaOpensAContainer() throws {
    let schema = try reloaded(Schema([Note.self]))
    let container = try ModelContainer(
      for: schema,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true)
    )
    let context = ModelContext(container)
    context.insert(Note(title: "a"))
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Note>()).map(\.title) == ["a"])
  }

  @Test func aSchemaWithATypeThatTheProgramDoesNotHaveKeepsItsModel() throws {
    let schema = Schema([Note.self])
    let text = try damaged(schema, "\"name\":\"Mood\"", "\"name\":\"Temper\"")
    let loaded = try JSONDecoder().decode(Schema.self, from: text)
    let mood = try #require(loaded.entitiesByName["Note"]?.attributesByName["mood"])
    #expect(mood.valueType is Never.Type)
    #expect(mood.debugDescription == "mood: Temper")
    #expect(loaded != schema)
    let (one, other) = (
      NSManagedObjectModel.makeManagedObjectModel(for: schema),
      NSManagedObjectModel.makeManagedObjectModel(for: try reloaded(loaded))
    )
    #expect(one?.entityVersionHashesByName == other?.entityVersionHashesByName)
  }

  @Test func aContainerRefusesASchemaOfOtherClassesThanTheProgramHas() throws {
    let memory = ModelConfiguration(isStoredInMemoryOnly: true)
    let schema = Schema([Note.self])
    let changed = try damaged(schema, "\"name\":\"Mood\"", "\"name\":\"Temper\"")
    let unknown = try damaged(schema, "\"Tag\"", "\"Badge\"")
    for (text, sentence) in [
      (changed, "class Note has changed"), (unknown, "no class for its entity Badge"),
    ] {
      let loaded = try JSONDecoder().decode(Schema.self, from: text)
      let error = #expect(throws: SwiftDataError.self) {
        _ = try ModelContainer(for: loaded, configurations: memory)
      }
      #expect(error == .unknownSchema)
      #expect(error?.reason?.contains(sentence) == true, "\(String(describing: error))")
    }
  }

  @Test(arguments: [
    ("\"destination\":\"Lap\"", "\"destination\":\"Loop\"", "Racetrack.runs leads to Loop"),
    ("\"inverseName\":\"runs\"", "\"inverseName\":\"walks\"", "inverse walks of Lap.track"),
    ("[[\"name\"]]", "[[\"nam\"]]", "names nam"),
    ("\"properties\":[\"name\"]", "\"properties\":[\"nam\"]", "names nam"),
    ("\"name\":\"laps\"", "\"name\":\"limit\"", "two properties of Racetrack"),
    ("\"maximumModelCount\":7", "\"maximumModelCount\":-7", "out of range"),
    ("\"encodingVersion\":{\"major\":1", "\"encodingVersion\":{\"major\":9", "update the package"),
    (
      "\"kind\":\"plain\",\"type\":\"Int\"", "\"kind\":\"plain\",\"type\":\"Integer\"",
      "Integer is not"
    ),
    ("{\"name\":\"unique\"}", "{\"name\":\"only\"}", "no attribute option only"),
    ("\"kind\":\"json\"", "\"kind\":\"structure\"", "not composite"),
  ])
  func aDamagedSchemaIsRefusedWithASentence(
    _ text: String,
    _ other: String,
    _ sentence: String
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    let json = String(decoding: try encoder.encode(Schema([Racetrack.self])), as: UTF8.self)
    try #require(json.contains(text), "\(json)")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    let damaged = Data(json.replacingOccurrences(of: text, with: other).utf8)
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode(Schema.self, from: damaged)
    }
    #expect("\(String(describing: error))".contains(sentence), "\(String(describing: error))")
  }

  @Test func aSuperentityThatIsItsOwnIsRefused() throws {
    let text = try damaged(
      Schema([Vehicle.self, Car.self]),
      "\"superentityName\":\"Vehicle\"",
      "\"superentityName\":\"Car\""
    )
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Schema.self, from: text)
    }
    #expect("\(String(describing: error))".contains("its own superentity"))
  }
}

struct FetchDescriptorEqualityTests {
  @Test func descriptorsAreEqualByTheirParts() {
    func descriptor(_ title: String) -> FetchDescriptor<Note> {
      var descriptor = FetchDescriptor<Note>(
        predicate: #Predicate { $0.title == title && $0.stars > 2 },
        sortBy: [SortDescriptor(\.created)]
      )
      descriptor.fetchLimit = 3
      descriptor.relationshipKeyPathsForPrefetching = [\.folder]
      return descriptor
    }
    #expect(descriptor("a") == descriptor("a"))
    #expect(descriptor("a") != descriptor("b"))
    var other = descriptor("a")
    other.sortBy = [SortDescriptor(\.created, order: .reverse)]
    #expect(descriptor("a") != other)
    other = descriptor("a")
    other.predicate = nil
    #expect(descriptor("a") != other)
    #expect(other == other)
    other = descriptor("a")
    other.propertiesToFetch = [\.title]
    #expect(descriptor("a") != other)
  }

  @Test func predicatesThatCannotBeTranslatedAreComparedByTheirExpressions() {
    func descriptor(_ text: String) -> FetchDescriptor<Note> {
      FetchDescriptor(predicate: #Predicate { $0.headline == text })
    }
    #expect(descriptor("a") == descriptor("a"))
    #expect(descriptor("a") != descriptor("b"))
  }
}
