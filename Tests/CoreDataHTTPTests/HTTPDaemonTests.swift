import ChildPrograms
import CoreDataHTTP
import Foundation
import Synchronization
import Testing

/// The server, and the clients that make it work.
@Suite(.timeLimit(.minutes(60)))
struct HTTPDaemonTests {
  private static let known =
    "GET / HTTP/1.1\r\nHost: a\r\nX-Known: 99\r\nConnection: close\r\n\r\n"

  private func serve(
    limits: HTTPLimits = HTTPLimits(),
    _ test: (EchoingServer) throws -> Void
  ) throws {
    let server = try EchoingServer(limits: limits)
    defer { server.stop() }
    try test(server)
    // Nothing that came has ended it.
    #expect(waits { try server.answer(to: Self.known).hasSuffix("here") })
  }

  private func waits(for condition: () throws -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while (try? condition()) != true {
      if ContinuousClock.now > end { return false }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return true
  }

  private func head(_ method: String, _ known: Int?, length: Int = 0) -> String {
    "\(method) / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n"
      + (known.map { "X-Known: \($0)\r\n" } ?? "") + "\r\n"
  }

  @Test(
    "a request that the library refuses by itself got two heads, and another one hid behind it",
    arguments: [
      "Content-Length: three", "Content-Length: -1", "Content-Length: 99999999999999999999999",
    ]
  )
  func heads(field: String) throws {
    try serve { server in
      let answer = try server.answer(
        to: "POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
      )
      let heads = answer.components(separatedBy: "HTTP/1.1 ").dropFirst()
      #expect(heads.count == 1)
      #expect(heads.first?.hasPrefix("400") == true)
      #expect(heads.first?.contains("Connection: close\r\n") == true)
    }
  }

  @Test func `a server that was stopped while clients came ended the program`() throws {
    for _ in 0..<300 {
      let server = try EchoingServer()
      let lines = try (0..<4).map { _ in try RawLine(port: server.port) }
      for line in lines { line.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") }
      server.stop()
      #expect(server.connectionCount == 0)
    }
  }

  @Test("more cookies than there is room for got two heads")
  func cookies() throws {
    try serve { server in
      let cookies = String(repeating: "a=b; ", count: 6_000)
      let answer = try server.answer(to: "GET / HTTP/1.1\r\nHost: a\r\nCookie: \(cookies)\r\n\r\n")
      #expect(answer.components(separatedBy: "HTTP/1.1 ").dropFirst().count == 1)
      #expect(answer.hasPrefix("HTTP/1.1 431"))
    }
  }

  @Test("a request that says twice where it ends hid another one")
  func smuggled() throws {
    try serve { server in
      let answer = try server.answer(
        to: "POST / HTTP/1.1\r\nHost: a\r\nX-Known: 1\r\nContent-Length: 3\r\n"
          + "Transfer-Encoding: chunked\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
      )
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
      let coded = try server.answer(
        to: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n"
          + "0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
      )
      #expect(coded.hasPrefix("HTTP/1.1 400"))
      #expect(coded.components(separatedBy: "HTTP/1.1 ").count == 2)
    }
  }

  @Test("an address with a NUL in it was cut there", arguments: ["/%00x", "/?a=%00"])
  func addressWithNUL(address: String) throws {
    try serve { server in
      let answer = try server.answer(to: "GET \(address) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      #expect(answer.contains("(%00)"))
    }
  }

  @Test(
    "a server that was stopped while the library refused a request ended the program"
  )
  func stoppedWhileRefusing() throws {
    for _ in 0..<20 {
      let server = try EchoingServer()
      let answer = try server.answer(
        to: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: three\r\n\r\n"
      )
      #expect(answer.hasPrefix("HTTP/1.1 400"))
      server.stop()
      server.stop()
    }
  }
}

// MARK: - Slow clients

extension HTTPDaemonTests {
  @Test(
    "a stranger who sent a byte now and then, or asked again and again, kept a connection"
  )
  func slowStrangers() throws {
    var limits = HTTPLimits()
    limits.headTime = .seconds(2)
    try serve(limits: limits) { server in
      let (slow, asking) = (try RawLine(port: server.port), try RawLine(port: server.port))
      let known = try RawLine(port: server.port)
      slow.say("GET / HTTP/1.1\r\nX-")
      known.say(head("GET", 1))
      #expect(known.heard(until: "here").hasSuffix("here"))
      let areOver = waits {
        slow.say("a")
        asking.say(head("GET", nil))
        Thread.sleep(forTimeInterval: 0.2)
        _ = asking.isOver || !asking.heard(until: "here").isEmpty
        return slow.isOver && asking.isOver
      }
      #expect(areOver)
      // A known client that is silent between two requests stays.
      #expect(!known.isOver)
    }
  }

  @Test("a known client kept a connection with a body of a byte now and then")
  func slowBody() throws {
    var limits = HTTPLimits()
    limits.bodyTime = .seconds(2)
    limits.pace = 1_000
    try serve(limits: limits) { server in
      let (slow, quick) = (try RawLine(port: server.port), try RawLine(port: server.port))
      slow.say(head("POST", 1, length: 10_000) + "a")
      quick.say(head("POST", 2, length: 50 * 500))
      for _ in 0..<50 {
        quick.say([UInt8](repeating: 0x61, count: 500))
        Thread.sleep(forTimeInterval: 0.1)
      }
      #expect(slow.heard().hasPrefix("HTTP/1.1 408"))
      #expect(quick.heard(until: "took 25000").hasSuffix("took 25000"))
    }
  }

  @Test("a body that kept the pace was waited for without end")
  func longBody() throws {
    var limits = HTTPLimits()
    limits.bodyTime = .seconds(2)
    limits.pace = 10
    limits.slowestLine = 1 << 30
    try serve(limits: limits) { server in
      let line = try RawLine(port: server.port)
      line.say(head("POST", 1, length: 1_000_000))
      let isRefused = waits {
        line.say([UInt8](repeating: 0x61, count: 100))
        return line.unheard.hasPrefix("HTTP/1.1 408") || line.isOver
      }
      #expect(isRefused)
    }
  }

  @Test("a client that did not read its answer kept a connection")
  func slowReader() throws {
    var limits = HTTPLimits()
    limits.bodyTime = .seconds(1)
    limits.slowestLine = 1 << 30
    limits.connections = 1
    try serve(limits: limits) { server in
      let line = try RawLine(port: server.port)
      line.say("GET /large HTTP/1.1\r\nHost: a\r\nX-Known: 1\r\n\r\n")
      #expect(waits { !line.unheard.isEmpty })
      // Its place is free in the end.
      #expect(waits { try server.answer(to: Self.known).hasSuffix("here") })
      #expect(line.heard().utf8.count < 64 << 20)
    }
  }

  @Test(
    "a body in chunks that had no end was read without end, or without a word"
  )
  func endlessBody() throws {
    try serve { server in
      let line = try RawLine(port: server.port)
      line.say("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "400\r\n\(String(repeating: "a", count: 1024))\r\n"
      let end = ContinuousClock.now + .seconds(120)
      var answer = ""
      while answer.isEmpty, line.say(chunk), .now < end { answer = line.unheard }
      #expect(.now < end)
    }
  }
}

// MARK: - Crowds

extension HTTPDaemonTests {
  @Test(
    "strangers who took all connections shut everybody out, and nobody was told"
  )
  func crowd() throws {
    var limits = HTTPLimits()
    limits.connections = 4
    limits.headTime = .seconds(600)
    try serve(limits: limits) { server in
      let known = try RawLine(port: server.port)
      known.say(head("GET", 1))
      #expect(known.heard(until: "here").hasSuffix("here"))
      let strangers = try (0..<20).map { _ in try RawLine(port: server.port) }
      let isAnswered = waits {
        let line = try RawLine(port: server.port)
        line.say(head("GET", 2))
        return line.heard(until: "here").hasSuffix("here")
      }
      #expect(isAnswered)
      #expect(waits { strangers[0].isOver })
      #expect(!known.isOver)
      #expect(waits { server.reports.withLock { $0.contains(.idleLeave(4)) } })
    }
  }

  @Test("one address of the network had all connections")
  func client() throws {
    var limits = HTTPLimits()
    limits.connectionsPerClient = 3
    limits.headTime = .seconds(600)
    try serve(limits: limits) { server in
      // One after the other: the server may take two that come at once in any order.
      let first = try (1...3).map { count in
        let line = try RawLine(port: server.port)
        #expect(waits { server.connectionCount == count })
        return line
      }
      let later = try first.map { other in
        let line = try RawLine(port: server.port)
        #expect(waits { other.isOver })
        return line
      }
      #expect(later.allSatisfy { !$0.isOver })
    }
  }

  @Test("one holder of a token had all connections")
  func holder() throws {
    var limits = HTTPLimits()
    limits.connectionsPerHolder = 2
    try serve(limits: limits) { server in
      func holding() throws -> RawLine {
        let line = try RawLine(port: server.port)
        line.say(head("POST", 1, length: 1_000) + "a")
        return line
      }
      var lines = try (0..<2).map { _ in try holding() }
      let isFull = waits {
        // On a busy machine, a question below may come first, or the body too slowly: then a line has an answer.
        for index in lines.indices where !lines[index].unheard.isEmpty || lines[index].isOver {
          lines[index] = try holding()
        }
        let line = try RawLine(port: server.port)
        line.say(head("GET", 1))
        return line.heard(until: "\r\n").hasPrefix("HTTP/1.1 429")
      }
      #expect(isFull)
      let other = try RawLine(port: server.port)
      other.say(head("GET", 2))
      #expect(other.heard(until: "here").hasSuffix("here"))
      lines.removeAll()
      let isFree = waits {
        let line = try RawLine(port: server.port)
        line.say(head("GET", 1))
        return line.heard(until: "\r\n").hasPrefix("HTTP/1.1 200")
      }
      #expect(isFree)
    }
  }
}
