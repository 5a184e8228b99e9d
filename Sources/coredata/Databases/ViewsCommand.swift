import CoreData
import CoreDataModel
import CoreDataPostgreSQL
import CoreDataSQLite
import Foundation

/// `coredata views`: views of a store, for programs that know SQL.
struct ViewsCommand: Command {
  static let words = ["views"]
  static let summary = "make views of a store's tables, for psql and other programs that know SQL"
  static let takesDatabases = true
  static let help = """
    coredata views ADDRESS [--zone NAME | --all-zones] [--schema NAME] [--remove | --print]
    coredata views STORE --print [--model MODEL | --without-model]

    Makes a view for each entity and each many-to-many relationship of a PostgreSQL database, in a
    schema of their own, or makes them again. Names are those of the model in the way of SQL, as in
    note.created_at; dates are timestamptz, Booleans are boolean, UUIDs are uuid, and the key of a
    to-one relationship is called folder_id. Views are for reading. A migration makes them again.

      --schema NAME      the schema for the views; without it, views. It may exist if it is empty
      --all-zones        show the objects of all zones, with a column zone
      --remove           remove the views, and their schema if nothing else is in it
      --print            print the statements, and change nothing
    \(NamedStore.zoneHelp)

    For a SQLite store the statements are printed, as temporary views that are not written into the
    file: sqlite3 -init views.sql Notes.sqlite.

    \(CoreDataCommand.modelOption)

      coredata views postgresql://localhost/notes --zone acme --schema acme
      psql postgresql://localhost/notes -c 'SELECT title FROM acme.note ORDER BY created_at'
      coredata views Notes.sqlite --print > views.sql

    \(CoreDataCommand.exitStatuses)
    """

  private enum Task {
    case make, remove, print
  }

  private let store: NamedStore
  private let model: ModelChoice
  private let schema: String
  private let showsAllZones: Bool
  private let task: Task

  init(_ arguments: inout CommandArguments) throws {
    let removes = arguments.flag("--remove")
    let prints = arguments.flag("--print")
    showsAllZones = arguments.flag("--all-zones")
    model = try ModelChoice(&arguments)
    let schema = try arguments.value(ifGiven: "--schema")
    let zone = try arguments.value(ifGiven: "--zone")
    let operand = try arguments.operand("a store or the address of a database")
    store = try NamedStore(operand, zone: zone, of: arguments)
    try arguments.finish()
    try store.refuse(model, of: arguments)
    if removes, prints { throw arguments.mistake("--remove and --print exclude each other") }
    if zone != nil, showsAllZones {
      throw arguments.mistake("--zone and --all-zones exclude each other")
    }
    if case .file = store {
      guard prints else {
        throw arguments.mistake("views of a file are only printed, with --print")
      }
      if schema != nil || showsAllZones {
        throw arguments.mistake("--schema and --all-zones are for PostgreSQL databases")
      }
    }
    self.schema = schema ?? "views"
    task = removes ? .remove : prints ? .print : .make
  }

  func run() throws {
    switch store {
    case .file(let url): try printStatements(of: url)
    case .database(let database): try run(on: database)
    }
  }

  private func run(on database: DatabaseAddress) throws {
    let views = try refusing {
      try DatabaseViews(in: schema, at: database.url, options: database.options)
    }
    switch task {
    case .make:
      let names = try refusing { try views.make(ofAllZones: showsAllZones) }
      print("made \(names.count) views in the schema \(schema): \(names.joined(separator: ", "))")
    case .remove:
      let names = try refusing { try views.remove() }
      print("removed \(names.count) views of the schema \(schema)")
    case .print:
      Self.list(try refusing { try views.statements(ofAllZones: showsAllZones) })
    }
  }

  private func printStatements(of store: URL) throws {
    try OpenedStore.requireSQLite(store)
    let schema = try OpenedStore.model(model, of: store)
    if case .file(let file) = model { try OpenedStore.requireFitting(schema, file, store) }
    let tables = try refusing {
      try FileTables(on: Connection(path: store.path, mode: .readOnly))
    }
    let plan = ViewPlan(schema, TableMap(schema, in: tables), isZoned: false)
    Self.list(plan.views.map { $0.statement(.sqlite) })
  }

  private static func list(_ statements: [String]) {
    for statement in statements { print(statement + ";") }
  }
}
