import CoreData
import CoreDataModel
import CoreDataPredicates
import CoreDataStoreCare
import Foundation

/// `coredata explain`: the SQL of a fetch request.
struct ExplainCommand: Command {
  static let words = ["explain"]
  static let summary = "print the SQL of a fetch request, its values and the database's plan"
  static let takesDatabases = true
  static let help = """
    coredata explain --predicate "…" --entity NAME (--model MODEL | --store STORE | both)
                     [--sort KEY,-KEY] [--limit N] [--without-model] [--zone NAME] [--json]

    Prints the SQL statement of a fetch request, the values bound to it, the plan that SQLite or the
    PostgreSQL server makes for it, and which fetch index would help. Nothing is fetched or changed.

      --predicate "…"    the condition, as in NSPredicate(format:); dates, UUIDs and objects are written
                         as for coredata dump --where
      --entity NAME      the entity to fetch
      --model MODEL      a .momd, .mom, .xcdatamodeld or .xcdatamodel; without it, the model inside the
                         store
      --store STORE      a store to plan the query for, or the address of a PostgreSQL database; its
                         statistics and its full-text index are used if it has them. Without it, the
                         plan is for an empty SQLite store
      --without-model    derive the model from the store's tables
      --sort KEY,-KEY    the order, by keys or key paths; a minus sign means descending
      --limit N          fetch at most N objects
      --json             print an object with "sql", "bindings", "plan" and "advice"
    \(NamedStore.zoneHelp)

    If the predicate is not valid, or the kind of store does not support it, the position of the error
    is shown.

      coredata explain --model Notes.momd --entity Note \\
        --predicate 'ANY tags.name == "swift" AND stars > 3' --sort=-created --limit 20
      coredata explain --store postgresql://localhost/notes --entity Note --predicate 'stars > 3'

    \(CoreDataCommand.exitStatuses)
    """

  private let predicate: String
  private let model: ModelChoice
  private let entity: String
  private let sort: String?
  private let limit: Int?
  private let store: NamedStore?
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    predicate = try arguments.value(of: "--predicate", "the condition to explain")
    model = try ModelChoice(&arguments)
    entity = try arguments.value(of: "--entity", "the name of an entity")
    sort = try arguments.value(ifGiven: "--sort")
    let limit = try arguments.number(ifGiven: "--limit")
    if limit == 0 {
      throw arguments.mistake("--limit needs a number of 1 or more; without it, all are fetched")
    }
    self.limit = limit
    let zone = try arguments.value(ifGiven: "--zone")
    let place = try arguments.value(ifGiven: "--store")
    if place == nil, zone != nil {
      throw arguments.mistake("--zone is for PostgreSQL databases; --store names one")
    }
    store = try place.map { try NamedStore($0, zone: zone, of: arguments) }
    try arguments.finish()
    try store?.refuse(model, of: arguments)
    if store == nil, !model.isFile {
      throw arguments.mistake(
        "--model is missing, the path of a model; or --store, a store with its model in it"
      )
    }
  }

  func run() throws {
    let (coordinator, schema) = try opened()
    let explanation = try explanation(in: coordinator, schema)
    print(try printsJSON ? JSONText.of(explanation.json) : explanation.text)
  }
}

// MARK: - The request

extension ExplainCommand {
  private func opened() throws -> (NSPersistentStoreCoordinator, ModelSchema) {
    switch store {
    case .database(let database):
      let opened = try OpenedStore(database)
      return (opened.coordinator, opened.schema)
    case .file(let url):
      let schema = try schema(for: url)
      return (try coordinator(schema, at: url), schema)
    case nil:
      let schema = try schema(for: nil)
      return (try coordinator(schema, at: nil), schema)
    }
  }

  /// The model of a store; of several versions, the one that fits it.
  private func schema(for store: URL?) throws -> ModelSchema {
    guard let store else {
      // Without a store there is a model: the command line was looked at.
      guard case .file(let url) = model else { return ModelSchema() }
      return try ModelSchema(contentsOf: url).withoutClasses
    }
    try OpenedStore.requireSQLite(store)
    let schema = try OpenedStore.model(model, of: store).withoutClasses.withoutArchivedDefaults
    if case .file(let file) = model { try OpenedStore.requireFitting(schema, file, store) }
    return schema
  }

  private func coordinator(
    _ schema: ModelSchema,
    at store: URL?
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: schema)
    )
    try refusing {
      try coordinator.addPersistentStore(
        type: .sqlite,
        at: store ?? URL(filePath: "/dev/null"),
        options: store == nil ? nil : options
      )
    }
    return coordinator
  }

  private var options: [AnyHashable: Any] {
    var options: [AnyHashable: Any] = [
      NSReadOnlyPersistentStoreOption: true, CoreDataTextSearchOption: true,
    ]
    // A model made from the tables may differ in things that no column shows.
    if case .tables = model { options[NSIgnorePersistentStoreVersioningOption] = true }
    return options
  }

  private func explanation(
    in coordinator: NSPersistentStoreCoordinator,
    _ schema: ModelSchema
  ) throws -> QueryExplanation {
    guard let layout = coordinator.layout[entity] else {
      let names = coordinator.layout.entities.map(\.name).sorted().joined(separator: ", ")
      throw Refusal("the model has no entity '\(entity)'; its entities are \(names)")
    }
    var plan = FetchPlan(layout)
    plan.predicate = try TypedConstants(schema: schema, coordinator: coordinator, text: predicate)
      .rewriting(try PredicateTree(written: predicate), of: entity)
    if let limit { plan.limit = limit }
    let unsorted: QueryExplanation = try refusals(in: predicate) {
      try QueryExplanation(plan, in: coordinator)
    }
    guard let sort else { return unsorted }
    plan.sort = sort.split(separator: ",").map { SortTerm(spelled: $0) }
    return try refusals(in: sort) { try QueryExplanation(plan, in: coordinator) }
  }

  /// Adds to a refusal the place of the refused part in the text.
  private func refusals<Result>(in text: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PredicateCompilationError {
      throw Refusal(
        error.wordsOfTheTool,
        in: text,
        at: text.place(ofPart: error.part)
      )
    }
  }
}
