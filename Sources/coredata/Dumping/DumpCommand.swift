import CoreData
import CoreDataModel
import CoreDataPredicates
import Foundation

/// `coredata dump`: the objects of a store, as people and programs read them.
struct DumpCommand: Command {
  static let words = ["dump"]
  static let summary = "print the objects of a store as a table, CSV or JSON"
  static let takesDatabases = true
  static let help = """
    coredata dump STORE [--entity NAME] [--where PREDICATE] [--sort KEY,-KEY]
                  [--limit N] [--offset N] [--columns KEY,KEY]
                  [--format table|csv|json|jsonl | --json] [--escape-formulas] [--archives]
                  [--model MODEL | --without-model] [--zone NAME] [--time-limit S]

    STORE may be the address of a PostgreSQL database, as in postgresql://notes@db.example.org/notes.

    Prints the objects of one entity, or of all entities one after the other. Objects are read one at a
    time, so a store of any size can be printed.

      --entity NAME      the entity to print, including the objects of its subentities
      --where PREDICATE  print only objects that match, as in NSPredicate(format:)
      --sort KEY,-KEY    the order, by keys or key paths; a minus sign means descending
      --limit N          print at most N objects of each entity
      --offset N         skip the first N objects of each entity
      --columns KEY,KEY  what to print: attributes, relationships, and key paths such as folder.name or
                         tags.@count
      --format FORMAT    table (the default), csv, json, or jsonl with one object per line
      --json             the same as --format json
      --escape-formulas  in CSV, put an apostrophe before texts that begin with = + - @ (also behind
                         blanks), a tab or a new line. Spreadsheets run such texts as formulas: use
                         this option before you open values that somebody else wrote. An import
                         of the file keeps the apostrophes
      --archives         in JSON, write a transformable value as the Base64 of its archive, as CSV has
                         it, and not as its contents. coredata import can read only the archive
    \(CoreDataCommand.modelOption)
    \(NamedStore.zoneHelp)
    \(StatementTime.help)

    Each object is identified by its entity and number, such as Note/p3, in the column id (or objectID,
    if the entity has a property called id). A to-one relationship is printed as the object at its other
    end and that object's name; a to-many relationship as the number of objects, and in JSON as a list
    of them. Dates are in UTC; tables omit fractions of a second. Binary data is printed as its size in
    tables and as Base64 in CSV and JSON. A transformable value is printed as the contents of its
    archive if they can be read, otherwise as other binary data; in CSV, and with --archives, always as
    Base64. In CSV, "" is an empty text, and a cell with nothing in it is no value.

    In a condition, write a date as "2024-05-10", "2024-05-10 18:14" or "2024-05-10T18:14:11Z". It is in
    UTC unless it ends with a zone such as +02:00. A date without a time means the whole day, so
    created > "2024-05-10" begins with the next day. Write a UUID as it is printed, and an object as
    "Note/p3" or as its full URI.

    If a part of the store cannot be read, everything else is printed, the last lines of the errors say
    what is missing, and the status is 1.

      coredata dump Notes.sqlite --limit 5
      coredata dump Notes.sqlite --entity Note --where 'folder.name == "Ideas"' --sort=-created
      coredata dump Notes.sqlite --entity Note --where 'created >= "2024-05-10"'
      coredata dump Notes.sqlite --entity Note --columns title,folder.name --format csv > notes.csv

    \(CoreDataCommand.exitStatuses)
    """

  private let store: NamedStore
  private let model: ModelChoice
  private let entity: String?
  private let predicate: String?
  private let sort: String?
  private let columns: String?
  private let limit: Int?
  private let offset: Int
  private let format: Format
  private let escapesFormulas: Bool
  private let writesArchives: Bool

  enum Format: String, CaseIterable {
    case table, csv, json, jsonl
  }

  init(_ arguments: inout CommandArguments) throws {
    let asksForJSON = arguments.flag("--json")
    escapesFormulas = arguments.flag("--escape-formulas")
    writesArchives = arguments.flag("--archives")
    try StatementTime.take(from: &arguments)
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
    let zone = try arguments.value(ifGiven: "--zone")
    let operand = try arguments.operand("the path of a store")
    store = try NamedStore(operand, zone: zone, of: arguments)
    try arguments.finish()
    try store.refuse(model, of: arguments)
    if asksForJSON, let format, format != "json" {
      throw arguments.mistake("--json and --format \(format) cannot be used together")
    }
    if escapesFormulas, self.format != .csv {
      throw arguments.mistake("--escape-formulas is for --format csv")
    }
    if writesArchives, self.format != .json, self.format != .jsonl {
      throw arguments.mistake("--archives is for --format json and jsonl; CSV has archives anyway")
    }
    guard entity == nil else { return }
    for (option, value) in [("--where", predicate), ("--sort", sort), ("--columns", columns)]
    where value != nil {
      throw arguments.mistake("\(option) needs --entity")
    }
    if self.format == .csv {
      throw arguments.mistake("CSV can hold one entity only; choose it with --entity")
    }
  }

  func run() throws {
    do {
      let store = try opened()
      try print(try plans(for: store), of: store)
    } catch let refusal as Unopened {
      guard let salvaged = try salvaged() else { throw refusal.refusal }
      try print(salvaged.plans, of: salvaged.store)
      throw salvaged.source.refusal("printed")
    }
  }

  /// A store that cannot be opened, and why.
  private struct Unopened: Error {
    let refusal: Refusal
  }

  private func print(_ printing: [DumpPlan], of store: OpenedStore) throws {
    var gaps: [DumpGap] = []
    try refusing {
      try Output.writing { output in
        var run = DumpRun(
          store,
          to: printer(store, output),
          limit: limit,
          offset: offset,
          salvage: salvaged
        )
        try run.print(printing)
        gaps = run.gaps
      }
    }
    if !gaps.isEmpty { throw Refusal(DumpGap.words(for: gaps, of: entity, inStoreAt: store.url)) }
  }

  private func opened() throws -> OpenedStore {
    switch store {
    case .file(let url):
      do {
        return try OpenedStore(at: url, model, showsValues: true)
      } catch let refusal as Refusal {
        throw Unopened(refusal: refusal)
      }
    case .database(let database): return try OpenedStore(database)
    }
  }

  /// The readable part of the store, if pages of it are damaged.
  private func salvaged() throws -> SalvagedDump? {
    guard case .file(let url) = store, SalvagedSource.isNeeded(for: url) else { return nil }
    let given = model.isFile ? try OpenedStore.model(model, of: url) : nil
    let source = try SalvagedSource(of: url, model: given)
    let opened = try OpenedStore(at: source.url, model, showsValues: true)
    return SalvagedDump(source: source, store: opened, plans: try plans(for: opened))
  }

  private func printer(_ store: OpenedStore, _ output: Output) -> any DumpPrinter {
    switch format {
    case .table:
      TableDump(to: output, terminal: .output, hasHeadings: entity == nil, skips: offset)
    case .csv:
      CSVDump(to: CSVLines(to: output, terminal: .output, escapesFormulas: escapesFormulas))
    case .json: JSONDump(to: output, isKeyed: entity == nil, objects(of: store))
    case .jsonl: JSONLinesDump(to: output, objects(of: store))
    }
  }

  private func objects(of store: OpenedStore) -> JSONObjects {
    JSONObjects(coordinator: store.coordinator, writesArchives: writesArchives)
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
