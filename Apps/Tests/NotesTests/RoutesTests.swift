import ChildPrograms
import CoreDataWebServer
import Foundation
import FoundationNetworking
import Testing

@testable import Notes

struct `Notes over HTTP` {
  /// Asks the router as a browser would; gives the status and the JSON.
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

  @Test func `are written, changed, given a category, deleted and brought back`() async throws {
    let test = try TestNotebook()
    let router = Routes(test.notebook).router
    let made = try await ask(router, .post, "/api/notes", #"{"title":"One","contents":"text"}"#)
    #expect(made.status == 201)
    let id = try field(made, "id")
    let changed = try await ask(router, .patch, "/api/notes/\(id)", #"{"title":"Uno"}"#)
    #expect(try field(changed, "title") == "Uno")
    #expect(try field(changed, "contents") == "text")

    let category = try await ask(router, .post, "/api/categories", #"{"name":"Work"}"#)
    #expect(category.status == 201)
    let work = try field(category, "id")
    let assigned = try await ask(
      router,
      .put,
      "/api/notes/\(id)/category",
      #"{"category":"\#(work)"}"#
    )
    #expect(try field(assigned, "category") == work)
    let removed = try await ask(
      router,
      .patch,
      "/api/categories/\(work)/notes",
      #"{"remove":["\#(id)"]}"#
    )
    #expect((removed.json as? [String: Any])?["count"] as? Int == 0)
    let renamed = try await ask(router, .patch, "/api/categories/\(work)", #"{"name":"Office"}"#)
    #expect(try field(renamed, "name") == "Office")

    let token = try field(try await ask(router, .delete, "/api/notes/\(id)"), "undo")
    #expect(try await ask(router, .get, "/api/notes/\(id)").status == 404)
    #expect(try await ask(router, .post, "/api/undo/\(token)").status == 204)
    #expect(try await ask(router, .get, "/api/notes/\(id)").status == 200)
    #expect(try await ask(router, .delete, "/api/categories/\(work)").status == 200)
    let list = try await ask(router, .get, "/api/notes").json as? [[String: Any]]
    #expect(list?.map { $0["title"] as? String } == ["Uno"])
  }

  @Test func `lost their category where the field was forgotten`() async throws {
    let test = try TestNotebook()
    let router = Routes(test.notebook).router
    let (note, category) = (try await test.note("one"), try await test.category("Work"))
    _ = try await test.notebook.assign(category.id, toNote: note.id)
    let forgotten = try await ask(router, .put, "/api/notes/\(note.id)/category", "{}")
    #expect(forgotten.status == 400)
    #expect(try field(forgotten, "error") == "The field “category” is missing.")
    #expect(try await test.notebook.note(note.id).category == category.id)
    let none = #"{"category":null}"#
    #expect(try await ask(router, .put, "/api/notes/\(note.id)/category", none).status == 200)
    #expect(try await test.notebook.note(note.id).category == nil)
  }

  @Test func `are refused with sentences`() async throws {
    let router = Routes(try TestNotebook().notebook).router
    let untitled = try await ask(router, .post, "/api/notes", "{}")
    #expect(untitled.status == 400)
    #expect(try field(untitled, "error") == "A note needs a title, and a category a name.")
    let nameless = try await ask(router, .post, "/api/categories", "{}")
    #expect(try field(nameless, "error") == "The field “name” is missing.")
    #expect(try await ask(router, .get, "/api/notes/x").status == 404)
    #expect(try await ask(router, .post, "/api/undo/x").status == 410)
  }

  @Test(arguments: ["/", "/app.js", "/notes.css", "/icon.svg", "/look/look.css", "/look/page.js"])
  func `have pages`(path: String) async throws {
    let router = Routes(try TestNotebook().notebook).router
    let response = await router.respond(to: try Request(.get, path))
    guard case .file(let url) = response.body else {
      Issue.record("no file at \(path)")
      return
    }
    #expect(try Data(contentsOf: url).count > 100)
  }
}

struct `The program notes` {
  private func run(_ arguments: [String]) throws -> ChildProgram.Outcome {
    try ChildProgram.run(.built("notes"), arguments)
  }

  @Test func `explains itself`() throws {
    let outcome = try run(["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("USAGE: notes [--port PORT]"))
  }

  @Test(arguments: [
    (["--port"], "notes: --port needs a value; --help says which\n"),
    (
      ["--port", "x"],
      "notes: x is no port; ports go from 0 (any that is free) to 65535\n"
    ),
    (["--colour"], "notes: unknown argument --colour; --help lists those there are\n"),
  ])
  func `says what it does not understand`(arguments: [String], complaint: String) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == 1)
    #expect(outcome.errors == complaint)
  }

  @Test func `did not name the file that is no store`() throws {
    let file = URL.temporaryDirectory.appending(component: "notes-\(UUID().uuidString).sqlite")
    // The file is temporary: where it stays, nothing is lost.
    defer { try? FileManager.default.removeItem(at: file) }
    let text = Data(String(repeating: "This is a letter, not a database. ", count: 40).utf8)
    try text.write(to: file)
    let outcome = try run(["--port", "0", "--store", file.path])
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("notes: "))
    #expect(outcome.errors.contains(file.path))
    #expect(try Data(contentsOf: file) == text)
  }

  @Test func `serves until it is asked to end, and ends in order`() async throws {
    let test = try TestNotebook()
    let process = try ChildProgram(
      .built("notes"),
      ["--port", "0", "--store", test.file.path],
      output: .pipe,
      errors: .nothing
    )
    let line = String(decoding: process.output.availableData, as: UTF8.self)
    let printed = try #require(line.firstMatch(of: /Notes are at (http:\S+:(\d+)\/)\?access=(\w+)/))
    let url = try #require(URL(string: printed.1 + "api/categories"))
    var request = URLRequest(url: url)
    request.setValue("notes-\(printed.2)=\(printed.3)", forHTTPHeaderField: "Cookie")
    request.httpShouldHandleCookies = false
    let asked = request
    let answer: (Data, URLResponse) = try await withCheckedThrowingContinuation { continuation in
      let task = URLSession.shared.dataTask(with: asked) { data, response, error in
        if let data, let response {
          continuation.resume(returning: (data, response))
        } else {
          continuation.resume(throwing: error ?? URLError(.unknown))
        }
      }
      task.resume()
    }
    #expect(String(decoding: answer.0, as: UTF8.self) == "[]")
    #expect(process.terminate() == .status(0))
  }
}
