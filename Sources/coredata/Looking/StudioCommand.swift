import CoreData
import CoreDataModel
import CoreDataStudio
import CoreDataWebServer
import Foundation
import Synchronization

/// `coredata studio`: a store and its model on a page.
struct StudioCommand: Command {
  static let words = ["studio"]
  static let summary = "look at a store and its model in the browser"
  static let help = """
    coredata studio PATH [PATH] [--model MODEL | --without-model] [--port PORT]

    Shows a store on a page of this machine: its entities, their objects as tables of any length, each
    object with its relationships and its history, and the model as a picture. You can ask for objects
    with a predicate, and see its SQL and its plan, or ask in SQL. The store is opened read-only, and
    other programs can write to it meanwhile.

      PATH               a store, or a .xcdatamodeld, .xcdatamodel, .momd or .mom, or both
    \(CoreDataCommand.modelOption)
      --port PORT        where to listen; without it, \(usualPort), or any port that is free

    Open the address that is printed. It has a key in it, without which nobody is let in; the page can
    be reached from this machine only. The program ends with Control-C. A store in which no model can
    be read is shown with one that is derived from its tables.

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
  }

  func run() throws {
    if let store { try OpenedStore.requireStore(store) }
    let studio = Studio(source)
    try refusing { try studio.open() }
    try serve(studio, port: port ?? Self.usualPort, mayMove: port == nil)
  }
}

// MARK: - Opening

extension StudioCommand {
  private var source: StudioSource {
    let (store, model) = (store, model)
    if let store {
      return StudioSource(name: store.lastPathComponent, store: store) {
        try Self.contents(of: store, model)
      }
    }
    guard case .file(let file) = model else {
      return StudioSource(name: "", store: nil) { throw Refusal("there is no store and no model") }
    }
    return StudioSource(name: file.lastPathComponent, store: nil) {
      let version = try ModelFile(contentsOf: file).version()
      return StudioContents(coordinator: nil, schema: version.schema, modelPlace: version.name)
    }
  }

  private static func contents(of store: URL, _ model: ModelChoice) throws -> StudioContents {
    try OpenedStore.requireStore(store)
    let choice = isTables(store, model) ? .tables : model
    let opened = try OpenedStore(at: store, choice, showsValues: true)
    let place =
      switch choice {
      case .inStore: "in the store"
      case .file(let file): file.lastPathComponent
      case .tables: "derived from the tables"
      }
    return StudioContents(
      coordinator: opened.coordinator,
      schema: opened.schema,
      modelPlace: place
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
