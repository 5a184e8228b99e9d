import CoreData
import CoreDataModel
import CoreDataPredicates
import Foundation

/// `coredata explain`: the SQL of a fetch request.
struct ExplainCommand: Command {
  static let words = ["explain"]
  static let summary = "print the SQL of a fetch request, its values and SQLite's plan"
  static let help = """
    coredata explain --predicate "…" --model MODEL --entity NAME
                     [--sort KEY,-KEY] [--limit N] [--store FILE] [--json]

    Shows what a fetch request becomes in a SQLite store: the statement, the values that are bound to
    it, and the way SQLite would go through tables and indexes. Nothing is fetched or changed.

      --predicate "…"    the condition, as in NSPredicate(format:)
      --model MODEL      a .momd, .mom, .xcdatamodeld or .xcdatamodel
      --entity NAME      the entity whose objects are fetched
      --sort KEY,-KEY    the order: keys or key paths, with a minus sign to descend
      --limit N          how many objects at most
      --store FILE       a store of this model, whose statistics SQLite then knows, and whose index of
                         words is used if it has one; without a store, an empty one in memory
      --json             print an object with "sql", "bindings" and "plan"

    A predicate that cannot be parsed, or that SQLite stores refuse, is an error that says where.

      coredata explain --model Notes.momd --entity Note \\
        --predicate 'ANY tags.name == "swift" AND stars > 3' --sort=-created --limit 20

    \(CoreDataCommand.exitStatuses)
    """

  private let predicate: String
  private let model: URL
  private let entity: String
  private let sort: String?
  private let limit: Int?
  private let store: URL?
  private let printsJSON: Bool

  init(_ arguments: inout CommandArguments) throws {
    printsJSON = arguments.flag("--json")
    predicate = try arguments.value(of: "--predicate", "the condition to explain")
    model = URL(filePath: try arguments.value(of: "--model", "the path of a model"))
    entity = try arguments.value(of: "--entity", "the name of an entity")
    sort = try arguments.value(ifGiven: "--sort")
    limit = try arguments.value(ifGiven: "--limit").map { text throws(Mistake) in
      guard let limit = Int(text), limit >= 0 else {
        throw arguments.mistake("--limit needs a whole number, not '\(text)'")
      }
      return limit
    }
    store = try arguments.value(ifGiven: "--store").map { URL(filePath: $0) }
    try arguments.finish()
  }

  func run() throws {
    let coordinator = try coordinator()
    let explanation = try explanation(in: coordinator)
    print(try printsJSON ? JSONText.of(explanation.json) : explanation.text)
  }
}

// MARK: - The request

extension ExplainCommand {
  private func coordinator() throws -> NSPersistentStoreCoordinator {
    let schema = try ModelSchema(contentsOf: model).withoutClasses
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: schema)
    )
    if let store, !FileManager.default.fileExists(atPath: store.path) {
      throw Refusal("\(store.path): there is no such file")
    }
    try refusing {
      try coordinator.addPersistentStore(
        type: .sqlite,
        at: store ?? URL(filePath: "/dev/null"),
        options: store == nil
          ? nil : [NSReadOnlyPersistentStoreOption: true, CoreDataTextSearchOption: true]
      )
    }
    return coordinator
  }

  private func explanation(
    in coordinator: NSPersistentStoreCoordinator
  ) throws -> QueryExplanation {
    guard let layout = coordinator.layout[entity] else {
      let names = coordinator.layout.entities.map(\.name).sorted().joined(separator: ", ")
      throw Refusal("the model has no entity '\(entity)'; its entities are \(names)")
    }
    var plan = FetchPlan(layout)
    plan.predicate = try tree()
    if let limit, limit > 0 { plan.limit = limit }
    let unsorted: QueryExplanation = try refusals(in: predicate) {
      try QueryExplanation(plan, in: coordinator)
    }
    guard let sort else { return unsorted }
    plan.sort = sort.split(separator: ",").map { SortTerm(spelled: $0) }
    return try refusals(in: sort) { try QueryExplanation(plan, in: coordinator) }
  }

  private func tree() throws -> CoreDataPredicates.PredicateTree {
    do throws(PredicateFormatError) {
      return try PredicateFormat.predicate(predicate)
    } catch {
      throw Refusal(error.description, in: predicate, at: error.position)
    }
  }

  /// Says where in the text the part stands that was refused.
  private func refusals<Result>(in text: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PredicateCompilationError {
      throw Refusal(error.description, in: text, at: text.place(ofPart: error.part))
    }
  }
}
