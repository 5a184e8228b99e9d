import CoreData
import CoreDataWebServer
import Foundation
import Testing

@testable import SavedColours

/// A grid with a file of its own, which is removed when the last context is gone.
final class TestGrid: Sendable {
  let file: URL
  private let folder: URL

  init() throws {
    folder = URL.temporaryDirectory.appending(component: "colours-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(component: "SavedColours.sqlite")
  }

  deinit {
    // The folder is temporary: where it stays, nothing is lost.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The grid as a program finds it that begins now.
  func open() throws -> SavedColors { try SavedColors(persistence()) }

  func context() throws -> NSManagedObjectContext { try persistence().managedObjectContext }

  private func persistence() throws -> Persistence {
    let persistence = try Persistence(store: file)
    persistence.managedObjectContext.userInfo["file"] = self
    return persistence
  }
}

private func hex(_ text: String) throws -> Color { try #require(Color(hex: text)) }

struct `A grid in a file` {
  @Test func `a store that another program had locked kept people waiting for minutes`() throws {
    let coordinator = try TestGrid().context().persistentStoreCoordinator
    let options = try #require(coordinator?.persistentStores.first?.options)
    let patience = try #require(options[NSPersistentStoreTimeoutOption] as? NSNumber)
    #expect(patience.doubleValue <= 15)
  }

  @Test func `a colour was told to be saved before it was on the disk`() throws {
    let coordinator = try TestGrid().context().persistentStoreCoordinator
    let options = try #require(coordinator?.persistentStores.first?.options)
    let pragmas = try #require(options[NSSQLitePragmasOption] as? [String: NSObject])
    #expect(pragmas["synchronous"] == "FULL" as NSString)
  }
}

struct `A named colour` {
  @Test func `is kept by an entity that it knows`() async throws {
    let context = try TestGrid().context()
    let color = try hex("#336699")
    try await context.perform {
      var namedColor = NamedColor(name: "Sea", color: color)
      #expect(namedColor.entityRef == nil)
      let entity = NamedColorEntity.createInManagedObjectContext(context, &namedColor)
      #expect(namedColor.entityRef === entity)
      #expect(entity.colorName == "Sea")
      #expect(entity.redComponent?.doubleValue == color.red)
      try entity.saveContext()
      let again = NamedColorEntity.createInstanceFromEntity(entity)
      #expect(again == namedColor)
      #expect(again.color == color)
    }
  }

  @Test func `saves its name when it is set`() async throws {
    let grid = try TestGrid()
    let context = try grid.context()
    let color = try hex("#336699")
    try await context.perform {
      var namedColor = NamedColor(name: "Sea", color: color)
      try NamedColorEntity.createInManagedObjectContext(context, &namedColor).saveContext()
      namedColor.name = "Deep Sea"
      #expect(!context.hasChanges)
      try namedColor.saving.get()
    }
    #expect(await (try grid.open()).all().map(\.name) == ["Deep Sea"])
  }

  @Test func `changes nothing while nobody keeps it, and is a value`() throws {
    let first = NamedColor(name: "Sea", color: try hex("#336699"))
    var second = first
    second.name = "Sky"
    #expect(first.name == "Sea")
    #expect(first != second)
  }

  @Test func `tells when its name could not be saved`() async throws {
    let context = try TestGrid().context()
    let color = try hex("#336699")
    try await context.perform {
      var namedColor = NamedColor(name: "Sea", color: color)
      let entity = NamedColorEntity.createInManagedObjectContext(context, &namedColor)
      try entity.saveContext()
      namedColor.name = ""
      #expect(throws: (any Error).self) { try namedColor.saving.get() }
      #expect(entity.colorName == "Sea")
    }
  }
}

struct `A colour` {
  @Test(arguments: ["#000000", "#ffffff", "#336699", "#0a0b0c", "#fefdfc"])
  func `is the same after it was text`(text: String) throws {
    #expect(try hex(text).hex == text)
    let components = try hex(text).components
    let again = Color.fromNumbers(
      red: components.red,
      green: components.green,
      blue: components.blue
    )
    #expect(again.hex == text)
  }

  @Test(arguments: ["", "#", "336699", "#33669", "#3366999", "#33669g", "#+36699", "blue"])
  func `is no other text`(text: String) {
    #expect(Color(hex: text) == nil)
  }
}

struct `The grid` {
  @Test func `keeps colours in the order in which they were saved`() async throws {
    let test = try TestGrid()
    let grid = try test.open()
    for name in ["Sea", "Sky", "Earth"] {
      _ = try await grid.add(name: " \(name) ", color: try hex("#336699"))
    }
    #expect(await grid.all().map(\.name) == ["Sea", "Sky", "Earth"])
    #expect(await (try test.open()).all().map(\.name) == ["Sea", "Sky", "Earth"])
  }

  @Test func `renames in place`() async throws {
    let test = try TestGrid()
    let grid = try test.open()
    let cell = try await grid.add(name: "Sea", color: try hex("#336699"))
    _ = try await grid.add(name: "Sky", color: try hex("#99ccff"))
    #expect(try await grid.rename(cell.id, to: "Lake").name == "Lake")
    #expect(await grid.all().map(\.name) == ["Lake", "Sky"])
    #expect(await (try test.open()).all().map(\.name) == ["Lake", "Sky"])
  }

  @Test func `cuts a colour, and pastes it at its old place`() async throws {
    let test = try TestGrid()
    let grid = try test.open()
    let cell = try await grid.add(name: "Sea", color: try hex("#336699"))
    _ = try await grid.add(name: "Sky", color: try hex("#99ccff"))
    try await grid.cut(cell.id)
    #expect(await grid.all().map(\.name) == ["Sky"])
    #expect(await (try test.open()).all().map(\.name) == ["Sky"])
    let pasted = try await grid.paste(cell.id)
    #expect(pasted == cell)
    #expect(await grid.all().map(\.name) == ["Sea", "Sky"])
    let problem = await #expect(throws: Problem.self) { try await grid.paste(cell.id) }
    #expect(problem?.status == 410)
  }

  @Test func `refuses a colour without a name, and keeps what was`() async throws {
    let grid = try TestGrid().open()
    let cell = try await grid.add(name: "Sea", color: try hex("#336699"))
    let attempts: [() async throws -> Void] = [
      { _ = try await grid.add(name: "  ", color: try hex("#000000")) },
      { _ = try await grid.rename(cell.id, to: "") },
    ]
    for attempt in attempts {
      let problem = await #expect(throws: Problem.self) { try await attempt() }
      #expect(problem?.message == "A colour needs a name.")
    }
    #expect(await grid.all() == [cell])
  }
}

struct `Colours that another program has changed` {
  @Test func `could not be renamed or cut any more`() async throws {
    let test = try TestGrid()
    let grid = try test.open()
    let cell = try await grid.add(name: "Sea", color: try hex("#336699"))
    let attempts: [() async throws -> Void] = [
      { _ = try await grid.rename(cell.id, to: "Sky") },
      { try await grid.cut(cell.id) },
    ]
    for (name, attempt) in zip(["Lake", "Pond"], attempts) {
      _ = try await (try test.open()).rename(cell.id, to: name)
      let problem = await #expect(throws: Problem.self) { try await attempt() }
      #expect(problem?.status == 409)
      #expect(problem?.message == "Another program has changed this meanwhile. Try again.")
      #expect(await grid.all().map(\.name) == [name])
      try await attempt()
    }
    #expect(await grid.all().isEmpty)
  }
}

struct `Names of colours` {
  @Test func `of any length went to every open page`() async throws {
    let grid = try TestGrid().open()
    let longest = String(repeating: "n", count: 80)
    let cell = try await grid.add(name: longest + " ", color: try hex("#336699"))
    // A field of the page counts two letters for such a sign.
    let longer = String(repeating: "🍎", count: 41)
    let attempts: [() async throws -> Void] = [
      { _ = try await grid.add(name: longer, color: try hex("#000000")) },
      { _ = try await grid.rename(cell.id, to: longer) },
    ]
    for attempt in attempts {
      let problem = await #expect(throws: Problem.self) { try await attempt() }
      #expect(problem?.status == 400)
      #expect(problem?.message == "The name of a colour has at most 80 letters.")
    }
    #expect(await grid.all() == [cell])
    #expect(cell.name == longest)
  }
}

struct `Colours over HTTP` {
  private func ask(
    _ router: Router,
    _ method: Method,
    _ path: String,
    _ body: String = ""
  ) async throws -> (status: Int, json: Any?) {
    let response = await router.respond(to: try Request(method, path, body: Data(body.utf8)))
    guard case .data(let data) = response.body else { return (response.status, nil) }
    return (response.status, try JSONSerialization.jsonObject(with: data))
  }

  private func field(_ answer: (status: Int, json: Any?), _ name: String) throws -> String {
    try #require((answer.json as? [String: Any])?[name] as? String)
  }

  @Test func `are added, renamed, cut and pasted`() async throws {
    let router = Routes(try TestGrid().open()).router
    let added = try await ask(
      router,
      .post,
      "/api/colours",
      ##"{"name":"Sea","color":"#336699"}"##
    )
    #expect(added.status == 201)
    let id = try field(added, "id")
    let renamed = try await ask(router, .patch, "/api/colours/\(id)", #"{"name":"Lake"}"#)
    #expect(try field(renamed, "name") == "Lake")
    #expect(try await ask(router, .delete, "/api/colours/\(id)").status == 204)
    #expect(try await ask(router, .delete, "/api/colours/\(id)").status == 404)
    let pasted = try await ask(router, .post, "/api/colours/\(id)/paste")
    #expect(try field(pasted, "name") == "Lake")
    let list = try await ask(router, .get, "/api/colours").json as? [[String: Any]]
    #expect(list?.map { $0["color"] as? String } == ["#336699"])
  }

  @Test func `are refused with sentences`() async throws {
    let router = Routes(try TestGrid().open()).router
    let answer = try await ask(router, .post, "/api/colours", #"{"name":"Sea","color":"blue"}"#)
    #expect(answer.status == 400)
    #expect(try field(answer, "error") == "“blue” is no colour such as #2b5f8c.")
    #expect(try await ask(router, .patch, "/api/colours/x", #"{"name":"a"}"#).status == 404)
  }

  @Test func `come to every open page when they change`() async throws {
    let grid = try TestGrid().open()
    var (one, two) = (
      await grid.events().makeAsyncIterator(), await grid.events().makeAsyncIterator()
    )
    #expect(await one.next()?.data == "[]")
    #expect(await two.next()?.data == "[]")
    let cell = try await grid.add(name: "Sea", color: try hex("#336699"))
    #expect(await one.next()?.data.contains("Sea") == true)
    #expect(await two.next()?.data.contains("Sea") == true)
    try await grid.cut(cell.id)
    #expect(await one.next()?.data == "[]")
  }

  @Test(arguments: [
    "/", "/app.js", "/colours.css", "/icon.svg", "/look/look.css", "/look/tokens.css",
  ])
  func `have pages`(path: String) async throws {
    let router = Routes(try TestGrid().open()).router
    let response = await router.respond(to: try Request(.get, path))
    guard case .file(let url) = response.body else {
      Issue.record("no file at \(path)")
      return
    }
    #expect(try Data(contentsOf: url).count > 100)
  }
}
