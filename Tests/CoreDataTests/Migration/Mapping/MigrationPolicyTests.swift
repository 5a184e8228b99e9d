import CoreDataModel
import CoreDataPredicates
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Mappings made in code: their types, their policies, their expressions.
@Suite(.serialized)
struct MigrationPolicyTests {
  private let destination = TestSupport.TemporaryFolder.file("New.store")

  private func mapping(_ mappings: NSEntityMapping...) -> NSMappingModel {
    let model = NSMappingModel()
    model.entityMappings = mappings
    return model
  }

  private func entity(
    _ type: NSEntityMappingType,
    _ source: String?,
    _ destination: String?,
    _ attributes: [String: String] = [:],
    _ relationships: [String: String] = [:],
    policy: String? = nil
  ) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.mappingType = type
    mapping.sourceEntityName = source
    mapping.destinationEntityName = destination
    mapping.attributeMappings = attributes.sorted { $0.key < $1.key }.map(property)
    mapping.relationshipMappings = relationships.sorted { $0.key < $1.key }.map(property)
    // Without the module, as many mapping models of real apps have it: their policies were not found.
    mapping.entityMigrationPolicyClassName = policy
    return mapping
  }

  private func property(_ name: String, _ format: String) -> NSPropertyMapping {
    let mapping = NSPropertyMapping()
    mapping.name = name
    mapping.valueExpression = CoreDataPredicates.NSExpression(format: format)
    return mapping
  }

  private func migrate(
    _ source: URL,
    _ mapping: NSMappingModel,
    by manager: NSMigrationManager = TwoVersions.manager()
  ) throws {
    try manager.migrateStore(
      from: source,
      type: .sqlite,
      mapping: mapping,
      to: destination,
      type: .sqlite
    )
  }

  private func new() throws -> VersionStore { try VersionStore(TwoVersions.new, at: destination) }

  // MARK: Types

  @Test func `a mapping is called after its entities until it gets a name (109)`() {
    let mapping = entity(.transformEntityMappingType, "Note", "Memo")
    #expect(mapping.name == "Note->Memo")
    mapping.name = "Mine"
    #expect(mapping.name == "Mine")
  }

  @Test func `a copy takes over what has the same name, a removed entity nothing (109)`() throws {
    let model = mapping(
      entity(.copyEntityMappingType, "Tag", "Tag"),
      entity(.removeEntityMappingType, "Note", nil),
      entity(.addEntityMappingType, nil, "Colour")
    )
    try migrate(TwoVersions.store(), model)
    try new().work { context throws in
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      #expect(
        tags.compactMap { $0.value(forKey: "label") as? String }.sorted() == ["a", "b", "c", "d"]
      )
      #expect(try TwoVersions.count("Memo", context) == 0)
    }
  }

  @Test func `a copy takes over relationships of the same name too (109)`() throws {
    let manager = NSMigrationManager(
      sourceModel: TwoVersions.model(TwoVersions.old),
      destinationModel: TwoVersions.model(TwoVersions.old)
    )
    let source = try TwoVersions.store()
    let model = mapping(
      entity(.copyEntityMappingType, "Tag", "Tag"),
      entity(.copyEntityMappingType, "Note", "Note"),
      entity(.copyEntityMappingType, "Folder", "Folder")
    )
    try migrate(source, model, by: manager)
    let lines = try TwoVersions.lines(VersionStore(TwoVersions.old, at: destination))
    #expect(try lines == TwoVersions.lines(VersionStore(TwoVersions.old, at: source)))
  }

  @Test(arguments: [
    NSEntityMappingType.transformEntityMappingType, .undefinedEntityMappingType,
  ])
  func `objects become what the expressions say (109)`(type: NSEntityMappingType) throws {
    let model = mapping(
      entity(type, "Tag", "Tag", ["label": "uppercase:($source.label)"]),
      entity(
        type,
        "Note",
        "Memo",
        [
          "heading": "FUNCTION($source.title, 'stringByAppendingString:', '!')",
          "origin": "$entityMapping.name",
          "stars": "TERNARY($source.stars == nil, 5, $source.stars + 1)",
        ],
        [
          "tags": """
          FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
          "Tag->Tag", $source.tags)
          """,
          "shelf": """
          FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
          "Folders", $source.folder)
          """,
        ]
      ),
      entity(type, "Folder", "Shelf", ["name": "$source.name"])
    )
    model.entityMappings[2].name = "Folders"
    let source = try TwoVersions.store(3)
    try migrate(source, model)
    #expect(
      try TwoVersions.lines(new()) == [
        "note 0!: stars 5, in Ideas, tags , 0 bytes of -",
        "note 1!: stars 2, in Plans, tags B, 0 bytes of -",
        "note 2!: stars 3, in nothing, tags C, B, 0 bytes of -",
      ]
    )
  }

  @Test func `Xcode's fetch chooses the objects of the source (109)`() throws {
    let notes = entity(.transformEntityMappingType, "Note", "Memo", ["heading": "$source.title"])
    notes.sourceExpression = CoreDataPredicates.NSExpression(
      format: """
        FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Note", \
        "stars > 2"), $manager.sourceContext, NO)
        """
    )
    try migrate(TwoVersions.store(), mapping(notes))
    #expect(try TwoVersions.lines(new()).map { $0.prefix(6) } == ["note 3", "note 9"])
  }

  // MARK: Policies

  @Test func `a policy is asked in Apple's order, pass by pass (109)`() throws {
    LoggingPolicy.log.withLock { $0 = [] }
    let model = mapping(
      entity(.customEntityMappingType, "Tag", "Tag", policy: "LoggingPolicy"),
      entity(.addEntityMappingType, nil, "Colour", policy: "LoggingPolicy")
    )
    try migrate(TwoVersions.store(0), model)
    let of = { (mapping: String, calls: [String]) in calls.map { "\(mapping) \($0)" } }
    let create = Array(repeating: "create", count: 4)
    let relate = Array(repeating: "relate", count: 4)
    let log = LoggingPolicy.log.withLock { $0 }
    #expect(
      log == of("Tag->Tag", ["begin"] + create + ["endCreation"])
        + of("->Colour", ["begin", "endCreation"])
        + of("Tag->Tag", relate + ["endRelation"]) + of("->Colour", ["endRelation"])
        + of("Tag->Tag", ["validate", "end"]) + of("->Colour", ["validate", "end"])
    )
  }

  @Test func `a policy makes several objects of one, and finds them again (109)`() throws {
    let model = mapping(
      entity(
        .customEntityMappingType,
        "Note",
        "Memo",
        ["heading": "$source.title"],
        policy: "TwiceMadePolicy"
      )
    )
    try migrate(TwoVersions.store(2), model)
    let lines = try TwoVersions.lines(new())
    #expect(
      lines.map { $0.prefix(10) } == ["copy of no", "copy of no", "note 0: st", "note 1: st"]
    )
  }

  @Test func `a policy may save by itself (109)`() throws {
    let model = mapping(
      entity(
        .customEntityMappingType,
        "Note",
        "Memo",
        ["heading": "$source.title"],
        policy: "SavingPolicy"
      )
    )
    try migrate(TwoVersions.store(3), model)
    #expect(try TwoVersions.lines(new()).map { $0.prefix(6) } == ["note 0", "note 1", "note 2"])
  }

  @Test func `the classes of a program have no part in a migration (109)`() throws {
    var classed = TwoVersions.new
    for index in classed.entities.indices {
      classed.entities[index].className = "CoreDataTests.LiveMemo"
    }
    let manager = NSMigrationManager(
      sourceModel: TwoVersions.model(TwoVersions.old),
      destinationModel: TwoVersions.model(classed)
    )
    let model = mapping(
      entity(
        .customEntityMappingType,
        "Note",
        "Memo",
        ["heading": "$source.title"],
        policy: "TwiceMadePolicy"
      )
    )
    try migrate(TwoVersions.store(2), model, by: manager)
    #expect(LiveMemo.count.withLock { $0 } == 0)
    let store = try VersionStore(TwoVersions.model(classed), at: destination)
    try store.work { context throws in
      #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Memo"))[0] is LiveMemo)
    }
  }

  @Test func `an expression calls the policy (109)`() throws {
    let model = mapping(
      entity(
        .customEntityMappingType,
        "Note",
        "Memo",
        [
          "heading": "FUNCTION($entityPolicy, 'heading:of:', $source.title, $source.folder.name)",
          "origin": "$manager.userInfo.author",
        ],
        policy: "AnsweringPolicy"
      )
    )
    let manager = TwoVersions.manager()
    manager.userInfo = ["author": "me"]
    try migrate(TwoVersions.store(3), model, by: manager)
    let headings = try new().work { context throws in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Memo")).map {
        "\($0.value(forKey: "heading") ?? "") \($0.value(forKey: "origin") ?? "")"
      }
    }
    #expect(
      headings.sorted() == ["Ideas/note 0 me", "Plans/note 1 me", "none/note 2 me"]
    )
    model.entityMappings[0].attributeMappings?[0].valueExpression =
      CoreDataPredicates.NSExpression(format: "FUNCTION($entityPolicy, 'unheard:', 1)")
    #expect(errorCode { try migrate(TwoVersions.store(1), model) } == NSEntityMigrationPolicyError)
  }

  @Test(arguments: [
    "begin", "create", "endCreation", "relate", "endRelation", "validate", "end",
  ])
  func `an error of a policy ends the migration and changes nothing (109)`(step: String) throws {
    let source = try TwoVersions.store(3)
    let before = try TwoVersions.contents(besides: source)
    let model = mapping(
      entity(
        .customEntityMappingType,
        "Note",
        "Memo",
        ["heading": "$source.title"],
        policy: "FailingPolicy"
      )
    )
    let manager = TwoVersions.manager()
    manager.userInfo = ["fails": step]
    let error = #expect(throws: NSError.self) { try migrate(source, model, by: manager) }
    #expect(error?.code == NSEntityMigrationPolicyError)
    #expect(error?.userInfo[NSUnderlyingErrorKey] is FailingPolicy.Refusal)
    #expect(error?.localizedFailureReason?.contains("FailingPolicy") == true)
    #expect(manager.migrationProgress == 1)
    manager.userInfo = ["cancels": step]
    #expect(throws: FailingPolicy.Refusal.self) { try migrate(source, model, by: manager) }
    #expect(try TwoVersions.contents(besides: source) == before)
    #expect(try TwoVersions.contents(besides: destination).isEmpty)
    manager.userInfo = nil
    try migrate(source, model, by: manager)
    let done = try TwoVersions.contents(besides: destination)
    manager.userInfo = ["fails": step]
    #expect(throws: NSError.self) { try migrate(source, model, by: manager) }
    #expect(try TwoVersions.contents(besides: destination) == done)
  }

  @Test func `a migration that was canceled before it began was performed`() throws {
    let source = try TwoVersions.store(3)
    let model = try TwoVersions.inferred()
    let manager = TwoVersions.manager()
    manager.cancelMigrationWithError(FailingPolicy.Refusal())
    #expect(throws: FailingPolicy.Refusal.self) { try migrate(source, model, by: manager) }
    #expect(try TwoVersions.contents(besides: destination).isEmpty)
    try migrate(source, model, by: manager)
    #expect(try !TwoVersions.contents(besides: destination).isEmpty)
  }

  // MARK: Impossible migrations

  @Test func `objects that break a rule are not migrated (109)`() throws {
    let model = mapping(
      entity(.transformEntityMappingType, "Note", "Memo", ["stars": "$source.stars"])
    )
    let source = try TwoVersions.store(4)
    let error = #expect(throws: NSError.self) { try migrate(source, model) }
    #expect(error?.code == NSMigrationConstraintViolationError)
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
    #expect(cause?.code == NSValidationMissingMandatoryPropertyError)
    #expect(try TwoVersions.contents(besides: destination).isEmpty)
  }

  @Test func `values that must be unique and are not are told of (109)`() throws {
    var unique = TwoVersions.new
    let place = try #require(unique.entities.firstIndex { $0.name == "Memo" })
    unique.entities[place].uniquenessConstraints = [["origin"]]
    let manager = NSMigrationManager(
      sourceModel: TwoVersions.model(TwoVersions.old),
      destinationModel: TwoVersions.model(unique)
    )
    let model = mapping(
      entity(.transformEntityMappingType, "Note", "Memo", ["origin": "'same'"])
    )
    let source = try TwoVersions.store(2)
    #expect(
      errorCode { try migrate(source, model, by: manager) } == NSMigrationConstraintViolationError
    )
  }

  @Test(arguments: [
    (["stars": "$source.title"], [:], "Memo.stars: it takes a value of type Integer 16"),
    (["stars": "100000"], [:], "Memo.stars: it takes a value of type Integer 16"),
    (["heading": "$source.titel"], [:], "$source.titel, and Note has no property titel"),
    (["heading": "$source.folder.nam"], [:], "Folder has no property nam"),
    (["nothing": "1"], [:], "sets Memo.nothing, which there is not"),
    (["heading": "FUNCTION($manager, 'dance:', 1)"], [:], "does not answer to \"dance:\""),
    ([:], ["shelf": "$source.folder"], "the expression gives a Folder of the source"),
    ([:], ["shelf": "$source.title"], "managed objects are expected, not String"),
    (
      [:],
      [
        "shelf": """
        FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
        "Note->Memo", $source)
        """
      ],
      "the relationship leads to Shelf, and the expression gives a Memo"
    ),
    (
      [:],
      [
        "tags": """
        FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", \
        "No->No", $source.tags)
        """
      ],
      "the mapping model has no entity mapping No->No"
    ),
  ])
  func `a mapping that makes no sense is an error with its place (109)`(
    attributes: [String: String],
    relationships: [String: String],
    sentence: String
  ) throws {
    let model = mapping(
      entity(.transformEntityMappingType, "Note", "Memo", attributes, relationships)
    )
    let source = try TwoVersions.store(3)
    let error = #expect(throws: NSError.self) { try migrate(source, model) }
    #expect(error?.code == NSMigrationError)
    #expect(
      error?.localizedFailureReason?.contains(sentence) == true,
      "\(String(describing: error))"
    )
    #expect(error?.localizedRecoverySuggestion?.isEmpty == false)
    #expect(try TwoVersions.contents(besides: destination).isEmpty)
  }

  @Test func `policies that are not there are told of (109)`() throws {
    let source = try TwoVersions.store(1)
    let unknown = mapping(entity(.customEntityMappingType, "Note", "Memo", policy: "NoSuchPolicy"))
    #expect(errorCode { try migrate(source, unknown) } == NSEntityMigrationPolicyError)
    let none = mapping(entity(.customEntityMappingType, "Note", "Memo"))
    #expect(errorCode { try migrate(source, none) } == NSMigrationError)
  }

  @Test func `a mapping for other versions is refused before anything is read (109)`() throws {
    let notes = entity(.transformEntityMappingType, "Note", "Memo")
    notes.sourceEntityVersionHash = Data([1])
    let source = try TwoVersions.store(1)
    let error = #expect(throws: NSError.self) { try migrate(source, mapping(notes)) }
    #expect(error?.code == NSMigrationError)
    #expect(error?.localizedFailureReason?.contains("another version of the entity Note") == true)
    let strange = mapping(
      entity(.transformEntityMappingType, "Nota", "Memo"),
      entity(.copyEntityMappingType, "Note", nil)
    )
    let second = #expect(throws: NSError.self) { try migrate(source, strange) }
    #expect(second?.localizedFailureReason?.contains("Nota") == true)
    #expect(second?.localizedFailureReason?.contains("names no entity of the destination") == true)
  }

  @Test func `stores that cannot be used are told of by their end (109)`() throws {
    let nothing = TestSupport.TemporaryFolder.file("Nothing.store")
    let mapping = try TwoVersions.inferred()
    #expect(errorCode { try migrate(nothing, mapping) } == NSMigrationManagerSourceStoreError)
    #expect(!FileManager.default.fileExists(atPath: nothing.path))
    let text = TestSupport.TemporaryFolder.file("Text.store")
    try Data("no store".utf8).write(to: text)
    #expect(errorCode { try migrate(text, mapping) } == NSMigrationManagerSourceStoreError)
    let source = try TwoVersions.store(1)
    try migrate(source, mapping)
    #expect(errorCode { try migrate(destination, mapping) } == NSMigrationError)
    try Data("no store".utf8).write(to: destination)
    #expect(errorCode { try migrate(source, mapping) } == NSMigrationManagerDestinationStoreError)
    #expect(try Data(contentsOf: destination) == Data("no store".utf8))
  }
}
