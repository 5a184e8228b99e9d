import CoreData
import CoreDataModel
import CoreDataPredicates
import Foundation

/// `coredata dump`: the objects of a store, as people and programs read them.
struct DumpCommand: Command {
  static let words = ["dump"]
  static let summary = "print the objects of a store as a table, CSV or JSON"
  static let help = """
    coredata dump STORE [--entity NAME] [--where PREDICATE] [--sort KEY,-KEY]
                  [--limit N] [--offset N] [--columns KEY,KEY]
                  [--format table|csv|json|jsonl] [--model MODEL | --without-model]

    Prints objects: of one entity, or of all entities one after the other. Objects are read one at a
    time, so that a store of any size can be printed.

      --entity NAME      the entity whose objects are printed, with those of its subentities
      --where PREDICATE  which of them, as in NSPredicate(format:)
      --sort KEY,-KEY    in which order: keys or key paths, with a minus sign to descend
      --limit N          how many objects of an entity at most
      --offset N         how many to skip first
      --columns KEY,KEY  what to print: attributes, relationships, key paths such as folder.name
                         and tags.@count
      --format FORMAT    table (the default), csv, json, or jsonl with an object in each line
      --json             the same as --format json
    \(CoreDataCommand.modelOption)

    An object is called by its entity and its number: Note/p3, which stands under id, or under objectID
    where the entity has a property id of its own. A to-one relationship is shown as the
    object it leads to, with its name; a to-many relationship as the number of its objects, and in JSON
    as their list. Dates are in UTC, in tables without fractions of a second. Data is shown by its size
    in tables and as Base64 in CSV and JSON. A transformable value is shown as what its archive holds:
    lists and plain values as such, another object as its class and its values, or its bytes where it
    has none that can be read; in CSV it is Base64.

    In a condition a date is written as "2024-05-10", "2024-05-10 18:14" or "2024-05-10T18:14:11Z", in
    UTC unless a zone is named, such as +02:00; values are compared as far as it is written, so that
    > "2024-05-10" begins with the next day. A UUID is written as it is printed, and an object as
    "Note/p3" or with its whole URI.

      coredata dump Notes.sqlite --limit 5
      coredata dump Notes.sqlite --entity Note --where 'folder.name == "Ideas"' --sort=-created
      coredata dump Notes.sqlite --entity Note --where 'created >= "2024-05-10"'
      coredata dump Notes.sqlite --entity Note --columns title,folder.name --format csv > notes.csv

    \(CoreDataCommand.exitStatuses)
    """

  private let url: URL
  private let model: ModelChoice
  private let entity: String?
  private let predicate: String?
  private let sort: String?
  private let columns: String?
  private let limit: Int?
  private let offset: Int
  private let format: Format

  enum Format: String, CaseIterable {
    case table, csv, json, jsonl
  }

  init(_ arguments: inout CommandArguments) throws {
    let asksForJSON = arguments.flag("--json")
    entity = try arguments.value(ifGiven: "--entity")
    predicate = try arguments.value(ifGiven: "--where")
    sort = try arguments.value(ifGiven: "--sort")
    columns = try arguments.value(ifGiven: "--columns")
    limit = try arguments.number(ifGiven: "--limit")
    offset = try arguments.number(ifGiven: "--offset") ?? 0
    let names = Format.allCases.map(\.rawValue)
    let format = try arguments.choice(ifGiven: "--format", among: names)
    self.format = asksForJSON ? .json : format.flatMap(Format.init(rawValue:)) ?? .table
    model = try ModelChoice(&arguments)
    url = URL(filePath: try arguments.operand("the path of a store"))
    try arguments.finish()
    if asksForJSON, let format, format != "json" {
      throw arguments.mistake("--json and --format \(format) exclude each other")
    }
    guard entity == nil else { return }
    for (option, value) in [("--where", predicate), ("--sort", sort), ("--columns", columns)]
    where value != nil {
      throw arguments.mistake("\(option) needs --entity, whose keys it speaks of")
    }
    if self.format == .csv {
      throw arguments.mistake("CSV has one table; name it with --entity")
    }
  }

  func run() throws {
    let store = try OpenedStore(at: url, model, showsValues: true)
    let printing = try plans(for: store)
    try Output.writing { try print(printing, store, to: $0) }
  }

  private func print(_ plans: [DumpPlan], _ store: OpenedStore, to output: Output) throws {
    let printer: any DumpPrinter =
      switch format {
      case .table: TableDump(to: output, terminal: .output, hasHeadings: entity == nil)
      case .csv: CSVDump(to: output, terminal: .output)
      case .json: JSONDump(to: output, isKeyed: entity == nil, coordinator: store.coordinator)
      case .jsonl: JSONLinesDump(to: output, coordinator: store.coordinator)
      }
    try printer.begin()
    for plan in plans { try print(plan, with: printer, store) }
    try printer.end()
  }

  private func print(
    _ plan: DumpPlan,
    with printer: any DumpPrinter,
    _ store: OpenedStore
  ) throws {
    try printer.begin(plan)
    // At a terminal the rows themselves show how far it is.
    let progress = Terminal.output.isInteractive ? nil : ProgressLine()
    var count = 0
    try DumpPlan.refusals(in: plan) {
      try plan.forEachRow(in: store.coordinator) { row in
        count += 1
        if count & 1023 == 0 { progress?.show("reading \(plan.entity.name.inOneLine)", count) }
        // One more than was asked for shows that there are more.
        if let limit, count > limit { return }
        try printer.row(row, of: plan)
      }
    }
    progress?.erase()
    let hasMore = limit.map { count > $0 } ?? false
    try printer.end(
      plan,
      rows: hasMore ? count - 1 : count,
      next: hasMore ? offset + count - 1 : nil
    )
  }

  private func plans(for store: OpenedStore) throws -> [DumpPlan] {
    let isDetailed = format == .json || format == .jsonl
    let layouts = store.coordinator.layout.entities
    guard let entity else {
      return try layouts.filter { !$0.isAbstract }.map { layout in
        var plan = try DumpPlan(layout, store.schema, isDetailed: isDetailed)
        plan.rows.includesSubentities = false
        plan.limit(to: limit, from: offset)
        return plan
      }
    }
    guard let layout = store.coordinator.layout[entity] else {
      let names = layouts.map(\.name).sorted()
      let question = Spelling.question(entity, among: names)
      let list = names.joined(separator: ", ")
      throw Refusal("the model has no entity '\(entity)'\(question)\nIts entities are \(list).")
    }
    var plan = try DumpPlan(
      layout,
      store.schema,
      columns: columns?.split(separator: ",").map(String.init),
      isDetailed: isDetailed
    )
    if let predicate { try plan.filter(by: predicate, in: store.coordinator) }
    if let sort { try plan.sort(by: sort) }
    plan.limit(to: limit, from: offset)
    return [plan]
  }
}
