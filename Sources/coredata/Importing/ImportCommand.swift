import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

/// `coredata import`: records of a file become objects, all of them or none.
struct ImportCommand: Command {
  static let words = ["import"]
  static let summary = "import records from CSV or JSON as objects"
  static let takesDatabases = true
  static let help = """
    coredata import STORE FILE --entity NAME [--format csv|json|jsonl] [--map COLUMN=PROPERTY …]
                    [--duplicates refuse|update|keep] [--dry-run] [--yes] [--author NAME]
                    [--model MODEL] [--run-triggers] [--json]
    coredata import ADDRESS FILE --entity NAME [--zone NAME] …

    Imports each record of a file as an object. A column becomes the property of the same name;
    capital letters and blanks make no difference. A column such as place.latitude becomes an element
    of a composite attribute. All values are checked against the rules of the model before anything
    is written: if one record cannot be imported, none is, and the report names the lines. A summary
    is shown, and the objects are written after you confirm, in one transaction. If the store keeps a
    history, it names them. ADDRESS is that of a PostgreSQL database, with the model that is in it.

      FILE               the file with the records
      --entity NAME      the entity of the new objects
      --format FORMAT    csv: lines of cells, separated by commas, semicolons or tabs, the first of
                         which names the columns; json: an array of objects; jsonl: an object on each
                         line. Without it, the name of the file decides: .csv, .tsv, .json, .jsonl or
                         .ndjson
      --map COLUMN=PROPERTY
                         the property that a column becomes; --map COLUMN= leaves it out
      --duplicates CHOICE
                         what happens if an object has the values of a record that must be unique:
                         refuse (the default) imports nothing, update writes the record's values to
                         that object, keep leaves the object as it is
      --dry-run          check every record by itself, and write nothing; whether values that must be
                         unique are there already shows only when they are written
      --yes              write without asking
      --author NAME      the author of the transaction in the history; the default is coredata
      --model MODEL      the model to open the store with; without it, the model inside the store
    \(StrangeCode.help)
    \(NamedStore.zoneHelp)
      --json             print an object with "records", "columns", "omitted", "refused", "refusedCount"
                         and "isSaved"; does not ask, and therefore needs --yes or --dry-run

    Values are written as for coredata set. An empty cell, or null, means no value; a cell with "" is an
    empty text. In an attribute of type Double or Float, inf and -inf are what is infinite, as coredata
    dump writes it. A to-one relationship is written as Folder/p1, as {"id":"Folder/p1"} in JSON, or as
    a value by which one object is known among all to which the relationship may lead.

    Most of what coredata dump writes can be imported again. Leave out, with --map COLUMN=, the column
    id (or objectID), derived values and to-many relationships. In JSON, transformable values can be
    imported if the dump was made with --archives; without it, JSON does not say whether a text was a
    date or a list was a set.

      coredata import Notes.sqlite notes.csv --entity Note --map Heading=title --dry-run
      coredata import Books.sqlite books.jsonl --entity Book --duplicates update --yes

    \(CoreDataCommand.exitStatuses)
    """

  private let store: NamedStore
  private let file: URL
  private let entity: String
  private let format: Format
  private let names: [String: String]
  private let duplicates: Duplicates
  private let author: String
  private let model: ModelChoice
  private let isDryRun: Bool
  private let isAgreed: Bool
  private let printsJSON: Bool
  private let runsTriggers: Bool

  private enum Format: String, CaseIterable { case csv, json, jsonl }

  private enum Duplicates: String, CaseIterable {
    case refuse, update, keep

    var policy: NSMergePolicy {
      switch self {
      case .refuse: .error
      case .update: .mergeByPropertyObjectTrump
      case .keep: .mergeByPropertyStoreTrump
      }
    }
  }

  init(_ arguments: inout CommandArguments) throws {
    runsTriggers = arguments.flag("--run-triggers")
    isDryRun = arguments.flag("--dry-run")
    isAgreed = arguments.flag("--yes")
    printsJSON = arguments.flag("--json")
    entity = try arguments.value(of: "--entity", "the name of an entity")
    let format = try arguments.choice(ifGiven: "--format", among: Format.allCases.map(\.rawValue))
    let duplicates = try arguments.choice(
      ifGiven: "--duplicates",
      among: Duplicates.allCases.map(\.rawValue)
    )
    self.duplicates = duplicates.flatMap(Duplicates.init) ?? .refuse
    author = try arguments.value(ifGiven: "--author") ?? "coredata"
    var names: [String: String] = [:]
    while let word = try arguments.value(ifGiven: "--map") {
      guard let sign = word.lastIndex(of: "="), sign > word.startIndex else {
        throw arguments.mistake(
          "'\(word)' does not say what a column becomes; write it as Heading=title"
        )
      }
      names[String(word[..<sign])] = String(word[word.index(after: sign)...])
    }
    self.names = names
    model = try ModelChoice(given: &arguments)
    let zone = try arguments.value(ifGiven: "--zone")
    store = try NamedStore(arguments.operand("the path of a store"), zone: zone, of: arguments)
    file = URL(filePath: try arguments.operand("the path of a file with records"))
    try arguments.finish()
    try store.refuse(model, of: arguments)
    if runsTriggers, case .database = store {
      throw arguments.mistake("--run-triggers is for files")
    }
    let ending = file.pathExtension.lowercased()
    let known: [String: Format] = [
      "csv": .csv, "tsv": .csv, "json": .json, "jsonl": .jsonl, "ndjson": .jsonl,
    ]
    guard let format = format.flatMap(Format.init) ?? known[ending] else {
      throw arguments.mistake(
        "the name of the file does not tell its format; add --format csv, json or jsonl"
      )
    }
    self.format = format
    if printsJSON, !isDryRun, !isAgreed {
      throw arguments.mistake("--json does not ask; add --yes or --dry-run")
    }
  }

  func run() throws {
    let store = try opened()
    guard let layout = store.coordinator.layout[entity],
      let entity = store.coordinator.managedObjectModel.entitiesByName[entity]
    else {
      let names = store.schema.entities.map(\.name).sorted()
      throw Refusal("the model has no entity '\(entity)'\(Spelling.question(entity, among: names))")
    }
    if entity.isAbstract {
      throw Refusal("\(entity.name ?? "") is abstract; name one of its subentities")
    }
    let records = try ImportedFile(file)
    switch format {
    case .csv: try work(store, entity, layout) { try CSVRecords(records) }
    case .json: try work(store, entity, layout) { try JSONRecords(records) }
    case .jsonl: try work(store, entity, layout) { try JSONLines(records) }
    }
  }

  private func opened() throws -> OpenedStore {
    switch store {
    case .database(let database):
      try OpenedStore.requireFile(file)
      return try OpenedStore(database, isReadOnly: isDryRun, readsObjects: true)
    case .file(let url):
      try OpenedStore.requireSQLite(url)
      try OpenedStore.requireFile(file)
      if !isDryRun { try OpenedStore.requireWritable(url, "nothing can be imported") }
      return try OpenedStore(
        at: url,
        model,
        isReadOnly: isDryRun,
        readsObjects: true,
        runsTriggers: runsTriggers,
        cachedKilobytes: 65_536
      )
    }
  }

  private func work<Reader: RecordReader>(
    _ store: OpenedStore,
    _ entity: NSEntityDescription,
    _ layout: EntityLayout,
    _ reader: () throws -> Reader
  ) throws {
    let context = store.context()
    context.transactionAuthor = author
    context.mergePolicy = duplicates.policy
    try context.performAndWait {
      let constants = TypedConstants(schema: store.schema, coordinator: store.coordinator, text: "")
      let updates = duplicates == .update
      let plan = ImportPlan(entity, layout, names: names, updates: updates, constants, in: context)
      var report = try checked(reader(), plan)
      if !printsJSON { print(report.text) }
      var isSaved = false
      if report.refused.count == 0, report.count > 0, !isDryRun {
        if !isAgreed { try Consent.ask("Import?", orAdvise: "add --yes to import what is shown") }
        let outcome = try refusing { try write(reader, plan, in: context) }
        switch outcome {
        case .written(let new):
          isSaved = true
          if !printsJSON { print(words(for: new, of: report.count)) }
        case .refused(let records):
          report.refused = records
          if !printsJSON { print(report.refusals) }
        }
      }
      if printsJSON { print(report.json(isSaved: isSaved).pretty) }
      if report.refused.count > 0 { throw Refusal("records cannot be imported; see above") }
    }
  }

  private enum Outcome {
    case written(new: Int)
    case refused(RefusedRecords)
  }

  private func words(for inserted: Int, of count: Int) -> String {
    let others = count - inserted
    guard others > 0 else { return "Imported." }
    return duplicates == .update
      ? "Imported; \(others.of("object")) existed and got the values of the file."
      : "Imported; \(others.of("object")) existed and stayed unchanged."
  }
}

// MARK: - The two passes

extension ImportCommand {
  /// Reads everything once, and writes nothing.
  private func checked(_ records: some RecordReader, _ plan: ImportPlan) throws -> ImportReport {
    var (records, record, row) = (records, ImportedRecord(), RowPen(plan.layout))
    let progress = ProgressLine()
    defer { progress.erase() }
    var count = 0
    var refused = RefusedRecords()
    try plan.meet(records.columns)
    while try records.read(&record) {
      count += 1
      if count.isMultiple(of: 1_000) { progress.show("checking", count) }
      // A column without a property is a mistake of the command, not of the record.
      try plan.meet(records.columns)
      row.begin()
      do {
        try plan.write(record, to: &row)
      } catch let refusal as Refusal {
        refused.add(refusal.description, at: record.place)
      }
    }
    return ImportReport(
      columns: plan.columns,
      omitted: plan.omitted,
      count: count,
      placeName: type(of: records).placeName,
      refused: refused
    )
  }

  /// Reads everything again and writes it, or nothing if values must be unique and are not.
  private func write<Reader: RecordReader>(
    _ reader: () throws -> Reader,
    _ plan: ImportPlan,
    in context: NSManagedObjectContext
  ) throws -> Outcome {
    let progress = ProgressLine()
    defer { progress.erase() }
    let rows = ImportedRows(try reader(), plan, progress)
    let request = NSBatchInsertRequest(entity: plan.entity, filling: rows)
    let counter = NSFetchRequest<NSManagedObject>(entityName: plan.entity.name ?? "")
    counter.includesSubentities = false
    let before = try context.count(for: counter)
    do {
      try context.execute(request)
    } catch {
      if let failure = rows.failure { throw failure }
      guard rows.duplicates.count > 0 else { throw error }
      return .refused(try rows.duplicates.refused(in: reader()))
    }
    return .written(new: try context.count(for: counter) - before)
  }
}
