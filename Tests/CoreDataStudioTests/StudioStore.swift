import CoreData
import CoreDataModel
import CoreDataStudio
import Foundation
import TestSupport

@testable import CoreDataWebServer

/// A store of notes, and the routes of a Studio that shows it.
///
/// ```
/// Folder/p1 "Home"   Note/p1 "Shopping" in Home, tags food, urgent   Note/p2 "Garden"   Checklist/p3 "Trip"
/// Bin/p1 keeps Note/p1, and note 0 … note N-1 come behind
/// ```
struct StudioStore {
  let file: URL
  let router: Router

  init(notes: Int = 0, keepsHistory: Bool = true) throws {
    file = TemporaryFolder.file("Notes.sqlite")
    let options = keepsHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
    let stack = try NotesStack(file: file, options: options)
    try stack.work { context in
      context.transactionAuthor = "the test"
      let home = context.folder("Home")
      let shopping = context.note("Shopping", in: home)
      shopping.created = Date(timeIntervalSinceReferenceDate: 700_000_000)
      shopping.price = NSDecimalNumber(string: "12.5")
      shopping.stars = 3
      shopping.uuid = UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")
      shopping.link = URL(string: "https://example.org/list")
      shopping.keywords = ["a", ["b", "c"]] as NSArray
      shopping.image = Self.picture
      try context.save()
      let garden = context.note("Garden")
      garden.text = String(repeating: "long ", count: 200)
      garden.image = Data(#"[{"name":"salt","grams":2}]"#.utf8)
      try context.save()
      let trip = Checklist(context: context)
      trip.title = "Trip"
      let bin = Bin(context: context)
      bin.addToKept(shopping)
      try context.save()
      for name in ["food", "urgent"] { context.tag(name).addToNotes(shopping) }
      for number in 0..<notes { context.note("note \(number)", in: home).stars = Int16(number % 6) }
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    router = Studio(Self.source(file)).router
  }

  init(at file: URL, model: URL? = nil) {
    self.file = file
    router = Studio(Self.source(file, model: model)).router
  }

  /// The beginning of a picture, which is enough to be known as one.
  static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: 100)

  /// The store with the model that is in it, as the tool opens it.
  static func source(_ file: URL, model: URL? = nil) -> StudioSource {
    StudioSource(
      name: file.lastPathComponent,
      store: file,
      model: model,
      open: {
        try opened(
          of: file,
          [
            NSReadOnlyPersistentStoreOption: true, NSPersistentStoreTimeoutOption: 0.2,
            NSIgnorePersistentStoreVersioningOption: true,
          ]
        )
      },
      openForChanges: {
        let history = try StoreFacts(at: file, counting: .zero).history != nil
        return try opened(
          of: file,
          [NSPersistentHistoryTrackingKey: history, NSPersistentStoreTimeoutOption: 2.0]
        )
      }
    )
  }

  private static func opened(
    of file: URL,
    _ options: [AnyHashable: Any]
  ) throws -> StudioContents {
    var schema = try StoredModel(inStoreAt: file, from: .best).schema
    for index in schema.entities.indices { schema.entities[index].className = "NSManagedObject" }
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: schema)
    )
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    return StudioContents(coordinator: coordinator, schema: schema, modelPlace: "in the store")
  }
}

// MARK: - Asking

/// An answer of the routes.
struct Answer {
  let status: Int
  let headers: Headers
  let data: Data

  /// The member at a path, such as `rows.0.id`; `nil` if it is not there.
  func value(_ path: String) throws -> Any? {
    var value: Any? = try JSONSerialization.jsonObject(with: data)
    for name in path.split(separator: ".") {
      value =
        Int(name).map { place in
          (value as? [Any]).flatMap { $0.indices.contains(place) ? $0[place] : nil }
        } ?? (value as? [String: Any])?[String(name)]
    }
    return value
  }

  var text: String { String(decoding: data, as: UTF8.self) }

  func text(_ path: String) throws -> String? { try value(path) as? String }

  func number(_ path: String) throws -> Int? { try value(path) as? Int }

  func list(_ path: String) throws -> [[String: Any]] { try value(path) as? [[String: Any]] ?? [] }
}

/// The content of a file without a name.
private func contents(of file: HeldFile) throws -> Data {
  guard let descriptor = file.duplicate() else { return Data() }
  let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  try handle.seek(toOffset: 0)
  return try handle.readToEnd() ?? Data()
}

extension StudioStore {
  func get(_ path: String, _ query: [String: String] = [:]) async throws -> Answer {
    var parts = URLComponents()
    parts.path = path
    parts.queryItems = query.isEmpty ? nil : query.map { URLQueryItem(name: $0, value: $1) }
    let target = (parts.string ?? path).replacing("+", with: "%2B")
    return try await answer(Request(.get, target))
  }

  /// Sends an object of JSON; the path may have a query.
  func send(
    _ method: CoreDataWebServer.Method,
    _ path: String,
    _ body: [String: Any] = [:]
  ) async throws -> Answer {
    let data = try JSONSerialization.data(withJSONObject: body)
    return try await answer(Request(method, path, body: body.isEmpty ? Data() : data))
  }

  /// Asks for a job until it has ended.
  func ended(_ path: String) async throws -> Answer {
    for _ in 0..<600 {
      let answer = try await get(path)
      if try answer.text("state") != "running" { return answer }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw CancellationError()
  }

  /// Asks in SQL.
  func ask(_ sql: String) async throws -> Answer {
    let body = try JSONEncoder().encode(["sql": sql])
    return try await answer(Request(.post, "/api/sql", body: body))
  }

  private func answer(_ request: Request) async throws -> Answer {
    let response = await router.respond(to: request)
    let data =
      switch response.body {
      case .data(let data): data
      case .held(let file): try contents(of: file)
      case .empty, .file, .events: Data()
      }
    return Answer(status: response.status, headers: response.headers, data: data)
  }
}
