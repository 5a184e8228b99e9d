import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A store that is made with one model, and opened with another.
struct Upgrade {
  let file: URL

  init(_ old: ModelSchema, _ fill: (NSManagedObjectContext) throws -> Void = { _ in }) throws {
    file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    try Self.work(with: old, at: file) { context in
      try fill(context)
      try context.save()
    }
  }

  init(of file: URL) {
    self.file = file
  }

  static var options: [String: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      // The models of these tests are made in code, so they are not in the program.
      CoreDataMigrationLossOption: true,
    ]
  }

  /// Opens the file with a model, migrating it, and works in a context; the store is closed afterwards.
  @discardableResult
  func work<Result>(
    with model: ModelSchema,
    _ more: [String: Any] = [:],
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    try Self.work(
      with: model,
      at: file,
      Self.options.merging(more) { $1 },
      body
    )
  }

  static func work<Result>(
    with model: ModelSchema,
    at file: URL,
    _ options: [String: Any] = [:],
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: model.classless)
    )
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: options
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }

  /// Every object with its values, as the model has them; the store is migrated to it first.
  func lines(_ model: ModelSchema, _ more: [String: Any] = [:]) throws -> [String] {
    try work(with: model, more) { try $0.lines(model) }
  }

  /// The steps by which the file would become one of the model.
  func preview(_ model: ModelSchema) throws -> StoreMigration.Report {
    try StoreMigration(of: file, to: NSManagedObjectModel(schema: model.classless)).preview()
  }

  /// The files beside the store, except its log.
  func companions() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      .filter { !["Notes.sqlite", "Notes.sqlite-wal", "Notes.sqlite-shm"].contains($0) }.sorted()
  }

  /// Whether the file has the tables, columns, indexes and triggers of a fresh store of the model.
  func expectShape(of model: ModelSchema) throws {
    let fresh = TestSupport.TemporaryFolder.file("Fresh.sqlite")
    try Self.work(with: model, at: fresh) { _ in }
    let (found, wanted) = try (FilePicture(file), FilePicture(fresh))
    #expect(found == wanted)
    #expect(try Connection(path: file.path).text("PRAGMA integrity_check") == "ok")
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: file
    )
    #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashes)
    #expect(metadata["NSStoreModelVersionChecksumKey"] as? String == model.versionChecksum)
    #expect(try StoredModel(inStoreAt: file).schema == StoredModel(inStoreAt: fresh).schema)
  }
}

/// The tables of a file: their meaning, not their text.
struct FilePicture: Equatable {
  var columns: [String: [String]] = [:]
  var indexes: Set<String> = []
  var triggers: [String: String] = [:]
  var trees: Set<String> = []
  var entities: [String] = []

  init(_ file: URL) throws {
    let connection = try Connection(path: file.path)
    let shape = try FileShape(connection)
    for (name, table) in shape.tables where !name.hasPrefix("sqlite_") {
      columns[name] = try Self.rows(
        "SELECT name || ' ' || type FROM pragma_table_info('\(name)') ORDER BY name",
        connection
      )
      for index in table.indexes {
        let columns = index.columns.map { "\($0.name ?? "?")\($0.isDescending ? " desc" : "")" }
        indexes.insert(
          "\(name) (\(columns.joined(separator: ", ")))\(index.isUnique ? " unique" : "")"
            + (index.condition ?? "")
        )
      }
    }
    triggers = shape.triggers
    trees = Set(shape.virtualTables.keys)
    entities = try Self.rows(
      "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT",
      connection
    )
  }

  private static func rows(_ query: String, _ connection: Connection) throws -> [String] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var rows: [String] = []
    while try statement.step() { rows.append(statement.text(0)) }
    return rows
  }
}

extension ModelSchema {
  /// The same with objects of no class of their own.
  var classless: ModelSchema {
    var schema = canonical
    for index in schema.entities.indices { schema.entities[index].className = "NSManagedObject" }
    return schema
  }

  /// The model with one entity changed.
  func changing(_ name: String, _ change: (inout EntitySchema) -> Void) -> ModelSchema {
    var schema = self
    for index in schema.entities.indices where schema.entities[index].name == name {
      change(&schema.entities[index])
    }
    return schema.canonical
  }

  func adding(_ entities: EntitySchema...) -> ModelSchema {
    var schema = self
    schema.entities += entities
    return schema.canonical
  }

  func removing(_ name: String) -> ModelSchema {
    var schema = self
    schema.entities.removeAll { $0.name == name }
    return schema
  }
}

extension EntitySchema {
  mutating func change(_ attribute: String, _ change: (inout AttributeSchema) -> Void) {
    for index in attributes.indices where attributes[index].name == attribute {
      change(&attributes[index])
    }
  }

  mutating func change(relationship: String, _ change: (inout RelationshipSchema) -> Void) {
    for index in relationships.indices where relationships[index].name == relationship {
      change(&relationships[index])
    }
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (name, value) in values { object.setValue(value, forKey: name) }
    return object
  }

  func every(_ entity: String) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesSubentities = false
    return try fetch(request).sorted { $0.objectID.key.number < $1.objectID.key.number }
  }

  func lines(_ model: ModelSchema) throws -> [String] {
    try model.canonical.entities.filter { !$0.isAbstract }
      .flatMap { try every($0.name).flatMap { ObjectLines(object: $0).lines } }
  }
}

extension NSManagedObject {
  /// The objects that a relationship of any kind leads to.
  func linked(by name: String) -> [NSManagedObject] {
    switch value(forKey: name) {
    case let object as NSManagedObject: [object]
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case _: []
    }
  }

  /// Has a relationship of any kind lead to one object.
  func link(only other: NSManagedObject, by name: String) {
    guard let relationship = entity.relationshipsByName[name] else { return }
    if relationship.isOrdered {
      setValue(NSOrderedSet(object: other), forKey: name)
    } else if relationship.isToMany {
      setValue(NSSet(object: other), forKey: name)
    } else {
      setValue(other, forKey: name)
    }
  }
}
