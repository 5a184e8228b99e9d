import ChildPrograms
import Foundation
import Synchronization
import Testing

@testable import CoreDataWebServer

/// A source of events that a test feeds, for any number of clients.
final class Feed: Sendable {
  private struct Audience {
    var listeners: [UUID: AsyncStream<ServerSentEvent>.Continuation] = [:]
    var left = 0
  }

  private let audience = Mutex(Audience())

  func stream() -> AsyncStream<ServerSentEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
    let id = UUID()
    audience.withLock { $0.listeners[id] = continuation }
    continuation.onTermination = { _ in
      self.audience.withLock { audience in
        if audience.listeners.removeValue(forKey: id) != nil { audience.left += 1 }
      }
    }
    return stream
  }

  func send(_ event: ServerSentEvent) {
    for listener in audience.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
  }

  var count: Int { audience.withLock { $0.listeners.count } }
  var left: Int { audience.withLock { $0.left } }
}

private let request = "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"

struct `Event streams` {
  private func serve(
    _ feed: Feed,
    heartbeat: Duration = .seconds(15),
    backlog: Int = 4 << 20,
    _ test: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run {
      $0.streamHeartbeat = heartbeat
      $0.streamBacklog = backlog
    } routes: { router, _ in
      router.get("/api/events") { _ in .events(feed.stream()) }
      router.get("/api/slow") { _ in
        try await Task.sleep(for: .milliseconds(300))
        return .text("done")
      }
    } test: {
      try await test($0)
    }
  }

  @Test func `send what their source has, as it comes`() async throws {
    let feed = Feed()
    try await serve(feed) { server async throws in
      let wire = try Wire(port: server.port)
      await wire.send(request)
      let head = await wire.receive(until: ": open\n\n")
      #expect(head.hasPrefix("HTTP/1.1 200"))
      #expect(head.contains("Content-Type: text/event-stream\r\n"))
      #expect(head.contains("Cache-Control: no-store\r\n"))
      #expect(await eventually { feed.count == 1 })
      feed.send(ServerSentEvent(id: "7", name: "changed", data: "a\nb\r\nc"))
      let event = await wire.receive(until: "data: c\n\n")
      #expect(event.contains("id: 7\nevent: changed\ndata: a\ndata: b\ndata: c\n\n"))
      feed.send(ServerSentEvent(data: "again"))
      #expect(await wire.receive(until: "data: again\n\n").contains("data: again\n\n"))
    }
    #expect(await eventually { feed.left == 1 })
  }

  @Test(.timeLimit(.minutes(60)))
  func `send what many threads say to everybody, and what one says in its order`() async throws {
    let feed = Feed()
    try await serve(feed) { server async throws in
      var wires: [Wire] = []
      for _ in 0..<4 {
        let wire = try Wire(port: server.port)
        await wire.send(request)
        #expect(await wire.receive(until: ": open\n\n").hasPrefix("HTTP/1.1 200"))
        wires.append(wire)
      }
      #expect(await eventually { feed.count == 4 })
      await withTaskGroup(of: Void.self) { group in
        for speaker in 0..<4 {
          group.addTask {
            for turn in 0..<25 { feed.send(ServerSentEvent(data: "\(speaker) says \(turn)")) }
          }
        }
      }
      feed.send(ServerSentEvent(data: "the end"))
      for wire in wires {
        // Chunks of the body begin and end with a carriage return and a new line.
        let all = await wire.receive(until: "data: the end\n\n")
        let lines = all.split(whereSeparator: \.isNewline).map(String.init)
        for speaker in 0..<4 {
          let said = lines.filter { $0.hasPrefix("data: \(speaker) says ") }
          #expect(said == (0..<25).map { "data: \(speaker) says \($0)" })
        }
      }
    }
  }

  @Test func `keep a name and an id on their lines`() {
    let event = ServerSentEvent(id: "1\ndata: x", name: "a\r\nb", data: "")
    #expect(String(decoding: event.bytes, as: UTF8.self) == "id: 1data: x\nevent: ab\ndata: \n\n")
  }

  @Test func `show that they are alive, and notice who left`() async throws {
    let feed = Feed()
    try await serve(feed, heartbeat: .milliseconds(50)) {
      server async throws in
      do {
        let wire = try Wire(port: server.port)
        await wire.send(request)
        _ = await wire.receive(until: ": open\n\n")
        #expect(await wire.receive(until: ": \n\n").contains(": \n\n"))
      }
      #expect(await eventually { feed.left == 1 })
    }
  }

  @Test func `are not opened by HEAD`() async throws {
    let feed = Feed()
    try await serve(feed) { server async throws in
      let answer = try await server.ask("HEAD", "/api/events")
      #expect(answer.status == 200)
      #expect(answer["Content-Type"] == "text/event-stream")
      #expect(await eventually { feed.left == 1 })
    }
  }

  @Test func `drop a client that does not read`() async throws {
    let feed = Feed()
    try await serve(feed, backlog: 1 << 20) { server async throws in
      let wire = try Wire(port: server.port, receiveBuffer: 4_096)
      await wire.send(request)
      _ = await wire.receive(until: ": open\n\n")
      let large = ServerSentEvent(data: String(repeating: "x", count: 64 << 10))
      for _ in 0..<200 where feed.left == 0 {
        feed.send(large)
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(await eventually { feed.left == 1 })
    }
  }

  @Test func `run two hundred at once`() async throws {
    let feed = Feed()
    try await serve(feed) { server async throws in
      var wires: [Wire] = []
      for _ in 0..<200 {
        let wire = try Wire(port: server.port)
        await wire.send(request)
        wires.append(wire)
      }
      #expect(await eventually { feed.count == 200 })
      for number in 0..<5 { feed.send(ServerSentEvent(data: "event \(number)")) }
      for wire in wires {
        #expect(await wire.receive(until: "event 4\n\n").contains("data: event 4\n\n"))
      }
      #expect(try await server.get("/api/slow").text == "done")
    }
    #expect(await eventually { feed.left == 200 })
  }

  @Test func `end in order when the server stops, after answers that are being made`() async throws
  {
    let feed = Feed()
    let asked = Flag()
    var router = Router()
    router.get("/api/events") { _ in .events(feed.stream()) }
    router.get("/api/slow") { _ in
      asked.raise()
      try await Task.sleep(for: .milliseconds(300))
      return .text("done")
    }
    // Another server may get a port that is free.
    let kept = try KeptPort()
    var configuration = ServerConfiguration(port: kept.number)
    configuration.accessLog = .off
    let server = WebServer(router, configuration: configuration)
    let port = try server.start()
    let stream = try Wire(port: port)
    await stream.send(request)
    _ = await stream.receive(until: ": open\n\n")
    let slow = try Wire(port: port)
    await slow.send("GET /api/slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(await eventually { asked.isRaised })
    async let rest = stream.receiveAll()
    async let answer = slow.receiveAll()
    await server.stop()
    #expect(String(decoding: await rest, as: UTF8.self).hasSuffix("0\r\n\r\n"))
    #expect(Answer(await answer)?.text == "done")
    #expect(throws: (any Error).self) { try Wire(port: kept.number) }
  }

  @Test func `and askers do not hold up a server that stops under load`() async throws {
    let feed = Feed()
    let stopped = Flag()
    var router = Router()
    router.get("/api/events") { _ in .events(feed.stream()) }
    router.get("/api/quick") { _ in .text("whole") }
    var configuration = ServerConfiguration(port: 0)
    configuration.accessLog = .off
    configuration.stopDeadline = .seconds(3_000)
    let server = WebServer(router, configuration: configuration)
    let port = try server.start()
    let broken = await withTaskGroup(of: Int.self) { group in
      for index in 0..<20 {
        group.addTask {
          var broken = 0
          // Until nobody listens any more; afterwards another server may get the port.
          while !stopped.isRaised, let wire = try? Wire(port: port) {
            let target = index.isMultiple(of: 4) ? "/api/events" : "/api/quick"
            await wire.send(
              "GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )
            let answer = Answer(await wire.receiveAll())
            if answer?.status == 200, target == "/api/quick", answer?.text != "whole" {
              broken += 1
            }
          }
          return broken
        }
      }
      try? await Task.sleep(for: .milliseconds(200))
      let start = ContinuousClock.now
      await server.stop()
      stopped.raise()
      #expect(start.duration(to: .now) < configuration.stopDeadline)
      return await group.reduce(0, +)
    }
    #expect(broken == 0)
    #expect(await eventually { feed.count == 0 })
  }

  @Test func `without JSON are reported by their kind, and those after them are sent`() async throws
  {
    let (hub, log) = (EventHub(), Lines())
    let stream = hub.stream()
    hub.send("weights", [Double.infinity], reportingTo: .lines(log.add))
    hub.send("weights", [1.5], reportingTo: .lines(log.add))
    var first: ServerSentEvent?
    for await event in stream {
      first = event
      break
    }
    #expect(first == ServerSentEvent(name: "weights", data: "[1.5]"))
    #expect(log.all.count == 1)
    #expect(log.all.first?.hasPrefix("the event “weights” cannot be sent: ") == true)
  }

  @Test func `do not hold up a server that stops, and neither do handlers that never end`()
    async throws
  {
    let asked = Flag()
    var router = Router()
    router.get("/api/never") { _ in
      asked.raise()
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return .empty
    }
    var configuration = ServerConfiguration(port: 0)
    configuration.accessLog = .off
    configuration.stopDeadline = .milliseconds(100)
    let server = WebServer(router, configuration: configuration)
    let wire = try Wire(port: try server.start())
    await wire.send("GET /api/never HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(await eventually { asked.isRaised })
    async let answer = wire.receiveAll()
    await server.stop()
    #expect(Answer(await answer)?.status == 503)
  }
}
