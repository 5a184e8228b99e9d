import CoreData
import CoreDataModel
import CoreDataStudio
import CoreDataWebServer
import Foundation
import Synchronization

/// `coredata studio`: a store and its model on a page.
struct StudioCommand: Command {
  static let words = ["studio"]
  static let summary = "look at a store and its model in the browser, and change them"
  static let help = """
    coredata studio PATH [PATH] [--model MODEL | --without-model] [--port PORT]

    Shows a store on a page of this machine: its entities, their objects as tables of any length, each
    object with its relationships and its history, and the model as a picture. You can ask for objects
    with a predicate, and see its SQL and its plan, or ask in SQL; check the store; and see the values
    of each attribute in figures. Other programs can write to the store meanwhile.

    The store is opened read-only. If you press Allow changes, Studio copies it beside itself, and
    opens it for writing. Changes go through the framework, with the rules of the model, and wait in a
    list until you save them. A .xcdatamodeld can be edited, too; a change touches only its lines.

      PATH               a store, or a .xcdatamodeld, .xcdatamodel, .momd or .mom, or both; or an .app
                         or .ipa, of which the model is shown
    \(CoreDataCommand.modelOption)
      --port PORT        where to listen; without it, \(usualPort), or any port that is free

    Open the address that is printed. It has a key in it, without which nobody is let in; the page can
    be reached from this machine only. The program ends with Control-C. A store in which no model can
    be read is shown with one that is derived from its tables. Saved questions and the places of
    entities in the picture are in a file beside the model or the store, which ends in .studio.json.

      coredata studio Notes.sqlite
      coredata studio Notes.sqlite Notes.xcdatamodeld
      coredata studio Notes.xcdatamodeld

    \(CoreDataCommand.exitStatuses)
    """

  private static let usualPort = 8417

  private let store: URL?
  private let model: ModelChoice
  private let port: Int?

  init(_ arguments: inout CommandArguments) throws {
    port = try arguments.number(ifGiven: "--port")
    if let port, port > 65_535 {
      throw arguments.mistake("\(port) is no port; ports go from 0 (any that is free) to 65535")
    }
    let choice = try ModelChoice(&arguments)
    let paths = [try arguments.operand("the path of a store or a model"), arguments.operand()]
    try arguments.finish()
    let files = paths.compactMap { $0.map { URL(filePath: $0) } }
    let (models, stores) = (files.filter(Self.isModel), files.filter { !Self.isModel($0) })
    if models.count > 1 || stores.count > 1 {
      throw arguments.mistake("name one store, one model, or one of each")
    }
    if let named = models.first {
      guard case .inStore = choice else {
        throw arguments.mistake("\(named.relativePath) is the model; leave the other option out")
      }
      model = .file(named)
    } else {
      model = choice
    }
    store = stores.first
  }

  private static func isModel(_ file: URL) -> Bool {
    ["xcdatamodeld", "xcdatamodel", "momd", "mom"].contains(file.pathExtension)
      || ModelInApp.isApp(file)
  }

  func run() throws {
    if let store { try OpenedStore.requireStore(store) }
    guard case .file(let file) = model, ModelInApp.isApp(file) else {
      return try run(with: model, at: namedModel)
    }
    let app = try refusing { try ModelInApp(at: file) }
    defer { app.remove() }
    try run(with: .file(app.model), at: file)
  }

  private var namedModel: URL? { if case .file(let file) = model { file } else { nil } }

  private func run(with model: ModelChoice, at place: URL?) throws {
    let studio = Studio(source(model, at: place))
    try refusing { try studio.open() }
    try serve(studio, port: port ?? Self.usualPort, mayMove: port == nil)
  }
}

// MARK: - Opening

extension StudioCommand {
  /// - Parameters:
  ///   - model: The model.
  ///   - place: The file that was named for it, beside which Studio keeps its own file.
  /// - Returns: The source.
  private func source(_ model: ModelChoice, at place: URL?) -> StudioSource {
    let store = store
    let named: URL? = if case .file(let file) = model { file } else { nil }
    let versions = named.map { file in
      { @Sendable () throws -> CompiledModel.Versions in try Self.versions(of: file) }
    }
    if let store {
      return StudioSource(
        name: store.lastPathComponent,
        store: store,
        model: place,
        versions: versions,
        open: { try Self.contents(of: store, model) },
        openForChanges: { try Self.contents(of: store, model, isReadOnly: false) }
      )
    }
    guard let file = named else {
      return StudioSource(name: "", store: nil) { throw Refusal("there is no store and no model") }
    }
    return StudioSource(
      name: (place ?? file).lastPathComponent,
      store: nil,
      model: place,
      versions: versions,
      open: {
        let version = try ModelFile(contentsOf: file).version()
        return StudioContents(coordinator: nil, schema: version.schema, modelPlace: version.name)
      }
    )
  }

  private static func versions(of file: URL) throws -> CompiledModel.Versions {
    let model = try ModelFile(contentsOf: file)
    return (try model.versions(), try model.currentVersionName(saysDoubts: false))
  }

  private static func contents(
    of store: URL,
    _ model: ModelChoice,
    isReadOnly: Bool = true
  ) throws -> StudioContents {
    try OpenedStore.requireStore(store)
    let choice = isTables(store, model) ? .tables : model
    if !isReadOnly, case .tables = choice {
      throw Refusal(
        "The model of this store was derived from its tables, and does not have the rules of the application. "
          + "Start coredata studio with the application's model to make changes."
      )
    }
    if !isReadOnly { try OpenedStore.requireWritable(store, "nothing can be changed") }
    let opened = try OpenedStore(
      at: store,
      choice,
      isReadOnly: isReadOnly,
      showsValues: true,
      readsObjects: !isReadOnly
    )
    let place =
      switch choice {
      case .inStore: "in the store"
      case .file(let file): file.lastPathComponent
      case .tables: "derived from the tables"
      }
    return StudioContents(
      coordinator: opened.coordinator,
      schema: opened.schema,
      modelPlace: place,
      isModelGiven: choice.isFile
    )
  }

  /// Whether the tables are all that can be read of the model.
  private static func isTables(_ store: URL, _ model: ModelChoice) -> Bool {
    guard case .inStore = model, StoreFileType(of: store) == .sqlite else { return false }
    // The reason why the model cannot be read does not matter if the tables can.
    let isThere = (try? StoredModel(inStoreAt: store)) != nil
    return !isThere && (try? StoredModel(inStoreAt: store, from: .tables)) != nil
  }
}

// MARK: - Serving

extension StudioCommand {
  /// Serves until the program is asked to end; at another port if this one is taken and nobody has named it.
  private func serve(_ studio: Studio, port: Int, mayMove: Bool) throws {
    let ended = DispatchSemaphore(value: 0)
    let failure = Failure()
    Task.detached {
      do {
        do {
          try await Self.serve(studio, port)
        } catch is Problem where mayMove {
          try await Self.serve(studio, 0)
        }
      } catch {
        failure.sentence.withLock { $0 = (error as? Problem)?.message ?? "\(error)" }
      }
      ended.signal()
    }
    ended.wait()
    if let sentence = failure.sentence.withLock({ $0 }) { throw Refusal(sentence) }
  }

  private static func serve(_ studio: Studio, _ port: Int) async throws {
    let server = WebServer(studio.router, configuration: Studio.configuration(port: port))
    try await server.run { address in
      announce("Studio is at \(address.absoluteString)")
    }
  }

  /// The sentence with which the server has ended, if it could not serve.
  private final class Failure: Sendable {
    let sentence = Mutex<String?>(nil)
  }
}
