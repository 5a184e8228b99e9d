import Foundation
import Synchronization
import Testing

@testable import CoreDataWebServer

/// A server at a port of its own, with a folder for its files, that is stopped after the test.
struct TestServer: Sendable {
  let port: Int
  let folder: URL
  let server: WebServer

  /// Runs a test against a server.
  static func run(
    configure: (inout ServerConfiguration) -> Void = { _ in },
    routes: (inout Router, URL) throws -> Void,
    test: (TestServer) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("webserver-\(UUID().uuidString)")
    let uploads = folder.appendingPathComponent("uploads")
    try FileManager.default.createDirectory(at: uploads, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var router = Router()
    try routes(&router, folder)
    var configuration = ServerConfiguration(port: 0)
    configuration.accessLog = .off
    configuration.uploadFolder = uploads
    // A task may wait for minutes beside all the other tests: a test of a deadline sets it by itself.
    configuration.headDeadline = .seconds(86_400)
    configuration.idleDeadline = .seconds(86_400)
    configuration.handlerDeadline = .seconds(86_400)
    configure(&configuration)
    let server = WebServer(router, configuration: configuration)
    let port = try server.start()
    do {
      try await test(TestServer(port: port, folder: folder, server: server))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: uploads.path).isEmpty,
      "no upload is left behind"
    )
  }

  /// How many bytes of the allowance for bodies nobody has taken.
  var freeBytes: Int? { server.engine?.bodies.free }

  /// Sends bytes as they are, and gives the answer when the server has hung up.
  func raw(_ text: String) async throws -> Answer {
    try await raw(Data(text.utf8))
  }

  func raw(_ data: Data) async throws -> Answer {
    let wire = try Wire(port: port)
    await wire.send(data)
    return try #require(Answer(await wire.receiveAll()))
  }

  func ask(
    _ method: String,
    _ target: String,
    _ headers: [String: String] = [:],
    body: Data? = nil
  ) async throws -> Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n"
    if headers["Host"] == nil { head += "Host: localhost:\(port)\r\n" }
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    return try await raw(Data((head + "\r\n").utf8) + (body ?? Data()))
  }

  func get(_ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
    try await ask("GET", target, headers)
  }

  /// Asks for a text until a request has arrived within the server's deadline, which can be short.
  func text(of target: String) async throws -> String? {
    for _ in 0..<50 {
      let wire = try Wire(port: port)
      await wire.send(
        "GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n"
      )
      if let answer = Answer(await wire.receiveAll()), answer.status == 200 { return answer.text }
    }
    return nil
  }
}

/// Lines that somebody wrote, for tests of logs.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  var all: [String] { lines.withLock { $0 } }
}

/// Says to others that something has happened.
final class Flag: Sendable {
  private let state = Mutex(false)

  func raise() { state.withLock { $0 = true } }

  var isRaised: Bool { state.withLock { $0 } }
}

/// Waits until something is so, for half a minute at least.
func eventually(_ isSo: () -> Bool) async -> Bool {
  for _ in 0..<3_000 {
    if isSo() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return isSo()
}
