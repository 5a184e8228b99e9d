import Foundation
import Testing

@testable import CoreDataWebServer

private struct Note: Codable, Equatable {
  var id: String
  var title: String
  var created: Date
}

private struct Unexpected: Error {}

struct `Routes` {
  private func serve(_ test: (TestServer) async throws -> Void) async throws {
    try await TestServer.run { router, _ in
      router.get("/api/notes/:id") { request in .text("note \(try request.parameter("id"))") }
      router.get("/api/notes/new") { _ in .text("a new one") }
      router.get("/api/search") { request in
        .text("\(request.query["in"] ?? "-") \(request.query.all("token").joined(separator: "+"))")
      }
      router.post("/api/notes") { request in
        try .json(try request.json(Note.self), status: 201)
      }
      router.delete("/api/notes/:id") { _ in .empty }
      router.get("/api/refused") { _ in
        throw Problem(409, "There is a newer one.", details: ["newer": "note 5"])
      }
      router.get("/api/broken") { _ in throw Unexpected() }
    } test: {
      try await test($0)
    }
  }

  @Test(arguments: [(5, 503), (6, 503), (8, 503), (13, 507), (11, 500)])
  func `a full or locked disk was a trouble of which only the log knew`(
    code: Int,
    status: Int
  ) async throws {
    var router = Router()
    router.get("/api/notes") { _ in
      throw CocoaError(.fileWriteUnknown, userInfo: ["NSSQLiteErrorDomain": code])
    }
    let answer = await router.respond(to: try Request(.get, "/api/notes"))
    #expect(answer.status == status)
    guard case .data(let data) = answer.body else {
      Issue.record("no sentence")
      return
    }
    #expect(String(decoding: data, as: UTF8.self).contains("log says") == (status == 500))
  }

  @Test func `take the values of their pattern, decoded piece by piece`() async throws {
    try await serve { server async throws in
      #expect(try await server.get("/api/notes/a%2Fb%20c").text == "note a/b c")
      #expect(try await server.get("/api/notes/%E2%82%AC").text == "note €")
      #expect(try await server.get("/api/notes/").status == 404)
    }
  }

  @Test func `prefer a word to a value`() async throws {
    try await serve { server async throws in
      #expect(try await server.get("/api/notes/new").text == "a new one")
    }
  }

  @Test func `see each value of the query`() async throws {
    try await serve { server async throws in
      let answer = try await server.get("/api/search?token=a+b&in=all&token=%26")
      #expect(answer.text == "all a b+&")
    }
  }

  @Test func `read a number behind the question mark, within its bounds`() throws {
    let request = try Request(.get, "/api/notes?limit=50&after=x&most=501")
    #expect(try request.number("limit", in: 1...500) == 50)
    #expect(try request.number("first", in: 1...500) == nil)
    for name in ["after", "most"] {
      let problem = #expect(throws: Problem.self) { try request.number(name, in: 1...500) }
      #expect(problem?.message == "\(name) is a number from 1 to 500.")
    }
  }

  @Test func `read and write JSON with dates in milliseconds`() async throws {
    try await serve { server async throws in
      let note = #"{"id":"1","title":"Käse","created":"2026-11-20T15:30:00.125Z"}"#
      let answer = try await server.ask("POST", "/api/notes", body: Data(note.utf8))
      #expect(answer.status == 201)
      #expect(answer["Content-Type"] == "application/json; charset=utf-8")
      #expect(answer.text.contains(#""created":"2026-11-20T15:30:00.125Z""#))
      let decoded = try JSON.decoder().decode(Note.self, from: answer.body)
      #expect(decoded.created == Date(timeIntervalSince1970: 1_795_188_600.125))
    }
  }

  @Test(arguments: [
    (#"{"id":"1","created":"2026-11-20T15:30:00Z"}"#, "The field “title” is missing."),
    (
      #"{"id":"1","title":5,"created":"2026-11-20T15:30:00Z"}"#,
      "The field “title” is not a text."
    ),
    ("[]", "The body of the request is not an object."),
    (
      #"{"id":"1","title":null,"created":"today"}"#,
      "The field “title” is null, but a text is needed."
    ),
    (
      #"{"id":"1","title":"a","created":"today"}"#,
      "The field “created” has a value that cannot be read."
    ),
    ("{", "The body of the request is not JSON."),
    ("", "The body of the request is not JSON."),
  ])
  func `say which field of JSON is wrong`(body: String, sentence: String) async throws {
    try await serve { server async throws in
      let answer = try await server.ask("POST", "/api/notes", body: Data(body.utf8))
      #expect(answer.status == 400)
      #expect(answer.sentence == sentence)
    }
  }

  @Test func `answer HEAD as GET without the body`() async throws {
    try await serve { server async throws in
      let answer = try await server.ask("HEAD", "/api/notes/new")
      #expect(answer.status == 200)
      #expect(answer["Content-Length"] == "9")
      #expect(answer.body.isEmpty)
    }
  }

  @Test func `say which methods there are when another one comes`() async throws {
    try await serve { server async throws in
      let answer = try await server.ask("PUT", "/api/notes/5", body: Data())
      #expect(answer.status == 405)
      #expect(answer["Allow"] == "GET, HEAD, DELETE, OPTIONS")
      #expect(answer.sentence == "Here one can GET, HEAD, DELETE, OPTIONS, not PUT.")
      let options = try await server.ask("OPTIONS", "/api/notes/5")
      #expect(options.status == 204)
      #expect(options["Allow"] == "GET, HEAD, DELETE, OPTIONS")
      #expect(try await server.ask("BREW", "/api/notes/5").status == 501)
    }
  }

  @Test func `answer what is nowhere with a sentence`() async throws {
    try await serve { server async throws in
      let answer = try await server.get("/api/nothing")
      #expect(answer.status == 404)
      #expect(answer.sentence == "There is nothing at /api/nothing.")
    }
  }

  @Test func `turn a problem into its sentence and details`() async throws {
    try await serve { server async throws in
      let answer = try await server.get("/api/refused")
      #expect(answer.status == 409)
      #expect(answer.sentence == "There is a newer one.")
      #expect(answer.text.contains(#""newer":"note 5""#))
    }
  }

  @Test func `turn details of any shape into JSON`() throws {
    func body(_ details: (any Encodable & Sendable)?) throws -> String {
      guard case .data(let data) = Problem(400, "No.", details: details).response.body else {
        return ""
      }
      _ = try JSONSerialization.jsonObject(with: data)
      return String(decoding: data, as: UTF8.self)
    }
    #expect(try body(nil) == #"{"error":"No."}"#)
    #expect(try body(["a": 1]) == #"{"a":1,"error":"No."}"#)
    #expect(try body([1, 2]) == #"{"details":[1,2],"error":"No."}"#)
    #expect(try body("text") == #"{"details":"text","error":"No."}"#)
    #expect(try body([String: Int]()) == #"{"error":"No."}"#)
    #expect(try body(Double.infinity) == #"{"error":"No."}"#)
  }

  @Test func `keep what went wrong inside for the log`() async throws {
    let lines = Lines()
    try await TestServer.run {
      $0.accessLog = .lines { lines.add($0) }
    } routes: { router, _ in
      router.get("/api/broken") { _ in throw Unexpected() }
    } test: { server async throws in
      let answer = try await server.get("/api/broken?text=private")
      #expect(answer.status == 500)
      #expect(answer.sentence == "The server could not do this; its log says why.")
    }
    let line = try #require(lines.all.first)
    // The answer has the same name of the request.
    #expect(line.hasPrefix("GET /api/broken, request ") && line.hasSuffix(": Unexpected()"))
    let last = try #require(lines.all.last)
    #expect(last.hasPrefix("GET /api/broken 500 59 bytes "))
    #expect(last.hasSuffix(" ms"))
  }

  @Test func `answer without a network too`() async throws {
    var router = Router()
    router.get("/api/notes/:id") { request in .text(try request.parameter("id")) }
    let response = await router.respond(to: try Request(.get, "/api/notes/7"))
    guard case .data(let data) = response.body else { return #expect(Bool(false), "no data") }
    #expect(String(decoding: data, as: UTF8.self) == "7")
    #expect(try await router.respond(to: Request(.put, "/api/notes/7")).status == 405)
  }
}
