import ChildPrograms
import CoreDataHTTP
import CoreDataSyncCore
import CoreDataSyncHTTP
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataSyncServer

/// Whom a server waits for, and for how long.
struct SlowClientTests {
  private func head(
    _ method: String,
    _ path: String,
    _ token: String,
    length: Int = 0
  ) -> String {
    "\(method) /v1/zones/Notes/\(path) HTTP/1.1\r\nHost: localhost\r\n"
      + "Authorization: Bearer \(token)\r\nContent-Length: \(length)\r\n\r\n"
  }

  /// The status of an answer, on a line of its own.
  private func status(_ path: String, _ token: String, port: Int) throws -> String {
    let line = try RawLine(port: port)
    line.say(head("GET", path, token))
    return String(line.heard(until: "\r\n").dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  /// Whether a client with a token is answered once the earlier ones are gone: their lines have their places until the
  /// server's threads have had a turn.
  private func isAnswered(_ token: String, port: Int) throws -> Bool {
    try waits(atMost: 30) { try status("news", token, port: port) == "200" }
  }

  /// Says this again, on a new line, for each line that was refused: a question of the test's own came before it, and
  /// had its place.
  private func repeats(_ words: String, onRefused lines: inout [RawLine], port: Int) throws {
    for (place, line) in lines.enumerated() where line.unheard.hasPrefix("HTTP/1.1 429") {
      lines[place] = try RawLine(port: port)
      lines[place].say(words)
    }
  }

  private func waits(atMost seconds: Double, for condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
      if ContinuousClock.now > end { return false }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return true
  }

  @Test func `a stranger who sent a byte now and then kept a connection for as long as he liked`()
    throws
  {
    let local = try LocalServer(headTime: .seconds(2))
    let token = try local.service.tokens.make(zone: "Notes", .write, label: "", at: 0)
    let body = SyncRequest.pull(
      .init(
        replica: SyncID(random: 1, 1),
        after: .start,
        seen: .start,
        acknowledged: .start,
        isSnapshot: true,
        limit: 10
      )
    ).bytes
    // A client that has shown a token may be as slow, and a stream of news as silent.
    let stream = try RawLine(port: local.port)
    stream.say(head("GET", "events", token))
    #expect(stream.heard(until: "data: 0\n").hasPrefix("HTTP/1.1 200"))
    let upload = try RawLine(port: local.port)
    upload.say(head("POST", "sync", token, length: body.count))
    upload.say([body[0]])
    // One sends a head, and one a body for which nobody needs a token.
    let strangers = (try RawLine(port: local.port), try RawLine(port: local.port))
    strangers.0.say("GET /v1/zones/Notes/tokens HTTP/1.1\r\nX-")
    strangers.1.say("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
    let areClosed = waits(atMost: 30) {
      strangers.0.say("a")
      strangers.1.say("a")
      return strangers.0.isOver && strangers.1.isOver
    }
    #expect(areClosed)
    #expect(!stream.isOver)
    upload.say(Array(body.dropFirst()))
    #expect(upload.heard(until: "\r\n").hasPrefix("HTTP/1.1 200"))
    #expect(try status("news", token, port: local.port) == "200")
  }

  @Test(
    "the body of a request with a wrong token was waited for",
    arguments: ["sync", "assets/6f1c", "news", "events", "tokens"]
  )
  func wrongToken(path: String) throws {
    let local = try LocalServer()
    let line = try RawLine(port: local.port)
    line.say(head("POST", path, String(repeating: "0", count: 32), length: 500))
    // To the end, which comes before the body.
    #expect(line.heard().hasPrefix("HTTP/1.1 401"))
  }

  @Test func `strangers who took all connections shut everybody out, and nobody was told`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "crowd-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let told = Mutex<[String]>([])
    let time = Atomic<UInt64>(1)
    let service = SyncService(
      try ServerStorage(path: folder.appending(path: "zones.sqlite").path, isDurable: false),
      era: 5,
      report: { sentence in told.withLock { $0.append(sentence) } },
      clock: { time.load(ordering: .relaxed) }
    )
    let token = try service.tokens.make(zone: "Notes", .read, label: "", at: 1)
    let server = try HTTPServer(service, port: 0, connections: 4, headTime: .seconds(600))
    defer { server.stop() }
    let port = server.address.port
    let stream = try RawLine(port: port)
    stream.say(head("GET", "events", token))
    #expect(stream.heard(until: "data: 0\n").hasPrefix("HTTP/1.1 200"))
    let strangers = try (0..<20).map { _ in
      let line = try RawLine(port: port)
      line.say("GET ")
      return line
    }
    for _ in 0..<5 { #expect(try isAnswered(token, port: port)) }
    // The first of them made room, and a client that has shown a token stays.
    #expect(strangers[0].isOver)
    #expect(!stream.isOver)
    #expect(waits(atMost: 30) { told.withLock { !$0.isEmpty } })
    #expect(told.withLock { $0.count } == 1)
    #expect(told.withLock { $0.first }?.hasPrefix("All 4 connections are in use") == true)
    time.store(60_001, ordering: .relaxed)
    #expect(try isAnswered(token, port: port))
    let others = try (0..<5).map { _ in try RawLine(port: port) }
    #expect(waits(atMost: 30) { told.withLock { $0.count } == 2 })
    withExtendedLifetime(others) {}
  }

  // Waits for the time that the server gives a body.
  @Test(.enabled(if: Tries.areMany))
  func `whoever had a token kept a connection with a body of a byte now and then`() throws {
    let local = try LocalServer(bodyTime: .seconds(10))
    let token = try local.service.tokens.make(zone: "Notes", .write, label: "", at: 0)
    let (slow, upload) = (try RawLine(port: local.port), try RawLine(port: local.port))
    slow.say(head("POST", "sync", token, length: 1_000_000) + "a")
    // Another body takes longer, and comes at a pace.
    let piece = [UInt8](repeating: 0, count: 20_000)
    upload.say(head("POST", "sync", token, length: 120 * piece.count))
    for _ in 0..<120 {
      upload.say(piece)
      Thread.sleep(forTimeInterval: 0.1)
    }
    let answer = slow.heard()
    #expect(answer.hasPrefix("HTTP/1.1 408"))
    #expect(answer.hasSuffix("Nothing of it was taken; send it again.\n"))
    // It is not a message, and was read to its end.
    #expect(upload.heard(until: "\r\n").hasPrefix("HTTP/1.1 400"))
  }

  @Test func `whoever had a token could have all connections, so that all others were refused`()
    throws
  {
    let local = try LocalServer(connectionsForToken: 3)
    let token = try local.service.tokens.make(zone: "Notes", .read, label: "", at: 0)
    let other = try local.service.tokens.make(zone: "Notes", .read, label: "", at: 0)
    var lines = try (0..<3).map { _ in try RawLine(port: local.port) }
    let words = head("POST", "sync", token, length: 1_000) + "a"
    for line in lines { line.say(words) }
    let isFull = try waits(atMost: 30) {
      try repeats(words, onRefused: &lines, port: local.port)
      return try status("news", token, port: local.port) == "429"
    }
    #expect(isFull)
    #expect(try status("news", other, port: local.port) == "200")
    #expect(lines.count == 3)
    lines.removeAll()
    #expect(try waits(atMost: 30) { try status("news", token, port: local.port) == "200" })
  }

  @Test(
    "whoever hung up while he waited for news kept his place, and others with his token were refused",
    arguments: ["events", "news?after=0&wait=55"]
  )
  func places(path: String) throws {
    let local = try LocalServer()
    let token = try local.service.tokens.make(zone: "Notes", .read, label: "", at: 0)
    var lines = try (0..<WaitingRoom.places).map { _ in try RawLine(port: local.port) }
    for line in lines { line.say(head("GET", path, token)) }
    let isFull = try waits(atMost: 60) {
      try repeats(head("GET", path, token), onRefused: &lines, port: local.port)
      return try status("events", token, port: local.port) == "429"
    }
    #expect(isFull)
    #expect(lines.count == WaitingRoom.places)
    lines.removeAll()
    // After fifteen seconds something is said, and it is noticed anyway.
    let isFree = try waits(atMost: 10) {
      try status("events", token, port: local.port) == "200"
    }
    #expect(isFree)
  }
}
