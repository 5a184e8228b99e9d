import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Testing

@testable import Slipbox

/// A page that asks the routes, without a network, over a slip box in a temporary folder.
final class Page: Sendable {
  let folder: URL
  let library: Library
  let router: Router

  /// Makes a page; `now` reads the clock of the lock.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)", isDirectory: true)
    library = try Library(folder: folder)
    let lock = SlipboxLock(in: folder, now: now)
    router = SlipboxRouter(library, pages: nil, lock: lock).router
  }

  /// The same over a database, with a folder for the machine's files.
  init(_ database: DatabasePlace) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)", isDirectory: true)
    library = try Library(database, folder: folder)
    router = SlipboxRouter(library, pages: nil).router
  }

  deinit {
    library.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The server's answer.
  struct Answer {
    let status: Int
    let headers: Headers
    let data: Data

    /// The body as JSON: dictionaries, arrays, texts and numbers.
    var json: Any? { try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) }

    subscript(key: String) -> Any? { (json as? [String: Any])?[key] }

    func text(_ key: String) -> String? { self[key] as? String }
    func number(_ key: String) -> Int? { (self[key] as? NSNumber)?.intValue }
    func object(_ key: String) -> [String: Any] { self[key] as? [String: Any] ?? [:] }
    func list(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }
  }

  func ask(
    _ method: Method,
    _ target: String,
    _ body: Any? = nil,
    headers: Headers = [:],
    upload: Data? = nil,
    parts: [(name: String, data: Data)] = []
  ) async throws -> Answer {
    var content = Data()
    if let body {
      content = try JSONSerialization.data(withJSONObject: body, options: .fragmentsAllowed)
    }
    return try await send(method, target, content, headers: headers, upload: upload, parts: parts)
  }

  func send(
    _ method: Method,
    _ target: String,
    _ content: Data,
    headers: Headers = [:],
    upload: Data? = nil,
    parts: [(name: String, data: Data)] = []
  ) async throws -> Answer {
    let place = folder.appendingPathComponent("upload-\(UUID().uuidString)")
    if let upload { try upload.write(to: place) }
    defer { try? FileManager.default.removeItem(at: place) }
    let files = try parts.map { part in
      let file = folder.appendingPathComponent("part-\(UUID().uuidString)")
      try part.data.write(to: file)
      return Part(name: "file", filename: part.name, file: file, byteCount: part.data.count)
    }
    let response: Response
    do {
      let request = try Request(
        method,
        target,
        headers: headers,
        body: content,
        upload: upload.map { Upload(file: place, byteCount: $0.count) },
        parts: files
      )
      response = await router.respond(to: request)
    } catch let problem as Problem {
      // An invalid address is refused before there is a request.
      response = problem.response
    }
    guard case .data(let data) = response.body else {
      return Answer(status: response.status, headers: response.headers, data: Data())
    }
    return Answer(status: response.status, headers: response.headers, data: data)
  }

  /// Makes a note, and gives its identifier.
  func note(_ title: String, _ text: String = "", folder: String? = nil) async throws -> String {
    var new: [String: Any] = ["title": title]
    if !text.isEmpty { new["document"] = Self.document(text) }
    if let folder { new["folder"] = folder }
    let answer = try await ask(.post, "/api/notes", new)
    #expect(answer.status == 201)
    return try #require(answer.text("id"))
  }

  func folder(_ name: String, in parent: String? = nil) async throws -> String {
    var new = ["name": name]
    new["parent"] = parent
    let answer = try await ask(.post, "/api/folders", new)
    #expect(answer.status == 201)
    return try #require(answer.text("id"))
  }

  static func document(_ text: String) -> [String: Any] {
    [
      "version": 1, "type": "doc",
      "content": [["type": "paragraph", "content": [["type": "text", "text": text]]]],
    ]
  }
}
