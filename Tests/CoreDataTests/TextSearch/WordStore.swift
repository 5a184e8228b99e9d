import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Notes with texts in folders, in a store that keeps an index of their words, or not.
struct WordStore {
  let coordinator: NSPersistentStoreCoordinator
  let file: URL?

  /// The value of the option; `nil` leaves it out.
  enum Index {
    case kept
    case removed
    case unasked
    case readOnly

    var options: [String: Any] {
      switch self {
      case .kept: [CoreDataTextSearchOption: true]
      case .removed: [CoreDataTextSearchOption: false]
      case .unasked: [:]
      case .readOnly: [CoreDataTextSearchOption: true, NSReadOnlyPersistentStoreOption: true]
      }
    }
  }

  init(
    _ kind: StoreKind = .sqlite,
    _ index: Index = .kept,
    file known: URL? = nil,
    model: ModelSchema = Self.model,
    more: [String: Any] = [:]
  ) throws {
    coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: model)
    )
    file = kind.has(.reopening) ? known ?? kind.place("Notes.sqlite") : nil
    try kind.add(to: coordinator, at: file, options: index.options.merging(more) { $1 })
  }

  static let model = ModelSchema.model(
    .entity(
      "Folder",
      [.text("name").inSpotlight],
      [.many("notes", "Note", back: "folder").deleting(.cascade)]
    ),
    .entity(
      "Note",
      [
        .text("title").inSpotlight, .text("body").inSpotlight, .text("author"),
        .attribute("created", .date), .attribute("number", .integer64),
        .derived("plain", .string, from: "canonical:(title)").inSpotlight,
      ],
      [.one("folder", "Folder", back: "notes")]
    ).with {
      $0.indexes = [FetchIndexSchema(name: "byCreated", elements: [.init(.property("created"))])]
    },
    .entity("Letter", below: "Note", [.text("address").inSpotlight])
  )

  @discardableResult
  func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// The numbers of the notes that a predicate finds.
  func numbers(_ predicate: NSPredicate, of entity: String = "Note") throws -> [Int] {
    try work { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = predicate
      return try context.fetch(request).compactMap { $0.value(forKey: "number") as? Int }.sorted()
    }
  }

  func numbers(_ format: String, _ arguments: Any...) throws -> [Int] {
    try numbers(NSPredicate(format: format, argumentArray: arguments))
  }

  /// SQLite's plan.
  func query(
    _ format: String,
    of entity: String = "Note",
    _ change: (inout FetchPlan) -> Void = { _ in }
  ) throws -> QueryExplanation {
    var plan = FetchPlan(try #require(coordinator.layout[entity]))
    plan.predicate = NSPredicate(format: format).tree
    change(&plan)
    return try QueryExplanation(plan, in: coordinator)
  }

  /// The file as it is, for other programs.
  func connection() throws -> Connection {
    try Connection(path: try #require(file).path, mode: .readWrite)
  }

  /// The tables and triggers of ours in the file, without those that FTS5 makes for itself.
  func extras() throws -> [String] {
    let connection = try connection()
    defer { withExtendedLifetime(connection) {} }
    let statement = try connection.statement(
      """
      SELECT name FROM sqlite_master WHERE name LIKE 'COREDATA%' \
      AND (type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%') ORDER BY name
      """
    )
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  /// Throws when the index says anything else than the texts.
  func checkIndex(_ name: String = "COREDATA_ZNOTE_TEXT") throws {
    try connection().run(
      "INSERT INTO \(name: name) (\(name: name), rank) VALUES ('integrity-check', 1)" as SQLFragment
    )
  }
}

extension AttributeSchema {
  var inSpotlight: AttributeSchema {
    var copy = self
    copy.isIndexedBySpotlight = true
    return copy
  }
}
