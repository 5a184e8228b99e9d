import ChildPrograms
import Foundation
import Synchronization
import Testing

@testable import CoreDataWebServer

struct `Hostile requests` {
  private func serve(
    headDeadline: Duration? = nil,
    _ test: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run {
      $0.headDeadline = headDeadline ?? $0.headDeadline
    } routes: { router, _ in
      router.get("/") { _ in .text("here") }
      router.post("/") { request in .text("took \(request.body.count)") }
      router.get("/note/:id") { request in .text(try request.parameter("id")) }
    } test: { server async throws in
      try await test(server)
      // Whatever came: the server is still there.
      #expect(try await server.text(of: "/") == "here")
    }
  }

  @Test(arguments: [
    ("Content-Length: 3\r\nContent-Length: 4\r\n", "The request says twice how long it is."),
    (
      "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
      "The request has both a Content-Length and a Transfer-Encoding."
    ),
    (
      "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
      "The request has both a Content-Length and a Transfer-Encoding."
    ),
    ("Transfer-Encoding: gzip\r\n", "The Transfer-Encoding “gzip” is not known here."),
    ("Content-Length : 40\r\n", "The request has a field whose name is none."),
    ("Transfer-Encoding : chunked\r\n", "The request has a field whose name is none."),
  ])
  func `that could hide another one are refused`(fields: String, sentence: String) async throws {
    try await serve { server async throws in
      let answer = try await server.raw(
        "POST / HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\nGET /note/smuggled HTTP/1.1\r\n\r\n"
      )
      #expect(answer.status == 400)
      #expect(answer.sentence == sentence)
      #expect(!answer.text.contains("smuggled"))
    }
  }

  @Test(arguments: ["-1", "+3", "0x10", "3, 3", "99999999999999999999999", "three", ""])
  func `with a length that is none are refused`(length: String) async throws {
    try await serve { server async throws in
      let answer = try await server.raw(
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\nabc"
      )
      #expect([400, 413].contains(answer.status))
    }
  }

  /// Everything that comes after a head, until the server hangs up; a request follows it.
  private func heads(after head: String, _ server: TestServer) async throws -> [Answer] {
    let wire = try Wire(port: server.port)
    await wire.send(head + "\r\nGET /note/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let text = String(decoding: await wire.receiveAll(), as: UTF8.self)
    return try text.components(separatedBy: "HTTP/1.1 ").dropFirst()
      .map { try #require(Answer(Data("HTTP/1.1 \($0)".utf8))) }
  }

  @Test(arguments: ["-1", "+3", "3, 3", "99999999999999999999999", "three", ""])
  func `with a length that is none get one head, and hide no other request`(
    length: String
  ) async throws {
    try await serve { server async throws in
      let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n"
      let answers = try await heads(after: head, server)
      #expect(answers.map(\.status) == [400])
      #expect(answers.first?.sentence == "The Content-Length “\(length)” is no number of bytes.")
      #expect(answers.first?["Connection"] == "close")
      #expect(answers.first?["X-Content-Type-Options"] == "nosniff")
    }
  }

  @Test func `with more cookies than there is room for get one head`() async throws {
    try await serve { server async throws in
      let cookies = String(repeating: "a=b; ", count: 6_000)
      let head = "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookies)\r\n"
      #expect(try await heads(after: head, server).map(\.status) == [431])
    }
  }

  @Test func `with a length that is none take no answer from a neighbour that still sends`()
    async throws
  {
    try await serve { server async throws in
      let neighbours = try (0..<3).map { _ in try Wire(port: server.port) }
      for neighbour in neighbours {
        await neighbour.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
      }
      let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: three\r\n"
      for _ in neighbours {
        #expect(try await heads(after: head, server).map(\.status) == [400])
      }
      for neighbour in neighbours {
        await neighbour.send("Connection: close\r\n\r\n")
        #expect(Answer(await neighbour.receiveAll())?.text == "here")
      }
    }
  }

  @Test(arguments: [
    "zz\r\nabc\r\n0\r\n\r\n", "-5\r\nabc\r\n", "fffffffffffffffffffff\r\nabc",
    "3\r\nabcdef\r\n0\r\n\r\n",
  ])
  func `with broken chunks are not taken`(body: String) async throws {
    try await serve { server async throws in
      let wire = try Wire(port: server.port)
      await wire.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
          + body
      )
      let answer = String(decoding: await wire.receiveAll(), as: UTF8.self)
      #expect(!answer.hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test(arguments: [
    "/note/%", "/note/%4", "/note/%zz", "/note/%00", "/note/a%00b", "/note/%ff", "/note/%c3",
    "/?x=%", "/?x=%00", "/?%zz=1", "/note/%2e%2e", "/note/..", "/note/%ed%a0%80",
  ])
  func `with a broken address get a sentence`(target: String) async throws {
    try await serve { server async throws in
      let answer = try await server.get(target)
      #expect(answer.status == 400)
      #expect(answer.sentence?.hasPrefix("The ") == true)
    }
  }

  @Test func `with huge fields are refused`() async throws {
    try await serve { server async throws in
      let wire = try Wire(port: server.port)
      let huge = String(repeating: "x", count: 200_000)
      await wire.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Huge: \(huge)\r\n\r\n")
      let answer = Answer(await wire.receiveAll())
      #expect(answer == nil || answer?.status == 431)
      let many = (0..<5_000).map { "X-\($0): y\r\n" }.joined()
      let second = try Wire(port: server.port)
      await second.send("GET / HTTP/1.1\r\nHost: localhost\r\n\(many)\r\n")
      let refused = Answer(await second.receiveAll())
      #expect(refused == nil || (400..<500).contains(refused?.status ?? 0))
    }
  }

  @Test func `that never come to an end are hung up on`() async throws {
    try await serve(headDeadline: .seconds(3)) { server async throws in
      let slow = try Wire(port: server.port)
      await slow.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
      var pieces = 0
      while pieces < 200, await slow.send("X-Slow: y\r\n") {
        pieces += 1
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(pieces < 200)
      let silent = try Wire(port: server.port)
      #expect(await silent.receiveAll().isEmpty)
    }
  }

  @Test(arguments: [
    "GET\r\n\r\n", "\r\n\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    "GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\n\r\n", "* * *\r\n\r\n",
    "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost\u{0}: localhost\r\n\r\n",
  ])
  func `that are no requests are not answered as one`(text: String) async throws {
    try await serve { server async throws in
      let wire = try Wire(port: server.port)
      await wire.send(text)
      wire.finishSending()
      let answer = String(decoding: await wire.receiveAll(), as: UTF8.self)
      #expect(!answer.contains("here"))
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", "GET / HTTP/1.1\r\nbad\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
  ])
  func `that are refused got two heads of an answer`(text: String) async throws {
    try await serve { server async throws in
      let wire = try Wire(port: server.port)
      await wire.send(text)
      wire.finishSending()
      let answer = String(decoding: await wire.receiveAll(), as: UTF8.self)
      #expect(answer.components(separatedBy: "HTTP/1.").count == 2, "\(answer)")
      #expect(answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"))
    }
  }

  @Test func `that hang up in the middle do no harm`() async throws {
    try await serve { server async throws in
      for count in [1, 10, 20, 40, 60] {
        let wire = try Wire(port: server.port)
        await wire.send(
          String("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc".prefix(count))
        )
      }
    }
  }

  @Test(arguments: ["3\r\nabc\r\n", "3\r\nab", "3\r\nabc\r\n0", "0\r\n"])
  func `that are cut off between two chunks are not taken for whole`(body: String) async throws {
    try await serve { server async throws in
      let wire = try Wire(port: server.port)
      await wire.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + body
      )
      wire.finishSending()
      let answer = String(decoding: await wire.receiveAll(), as: UTF8.self)
      #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }
  }

  @Test func `that are cut off before their length are not taken for whole`() async throws {
    try await serve { server async throws in
      let wire = try Wire(port: server.port)
      await wire.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc")
      wire.finishSending()
      let answer = String(decoding: await wire.receiveAll(), as: UTF8.self)
      #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }
  }

  @Test func `of who never reads the answer kept a line for ever`() async throws {
    let large = Data(repeating: 0x61, count: 16 << 20)
    let log = Lines()
    try await TestServer.run {
      $0.headDeadline = .seconds(3)
      $0.slowestLine = 1 << 30
      $0.accessLog = .lines(log.add)
    } routes: { router, _ in
      router.get("/large") { _ in .data(large, contentType: "application/octet-stream") }
      router.get("/small") { _ in .text("whole") }
    } test: { server async throws in
      let lazy = try Wire(port: server.port, receiveBuffer: 4_096)
      await lazy.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await eventually { !log.all.isEmpty })
      // Others are served all the while.
      #expect(try await server.text(of: "/small") == "whole")
    }
  }

  @Test func `one after the other on a connection are answered in order`() async throws {
    try await serve { server async throws in
      let wire = try Wire(port: server.port)
      let one = "GET /note/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
      let two = "GET /note/2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      await wire.send(one + two)
      let answers = String(decoding: await wire.receiveAll(), as: UTF8.self)
      #expect(answers.components(separatedBy: "HTTP/1.1 200").count == 3)
      let first = try #require(answers.range(of: "\r\n\r\n1"))
      let second = try #require(answers.range(of: "\r\n\r\n2"))
      #expect(first.lowerBound < second.lowerBound)
    }
  }
}

struct `Guards against other pages` {
  private func serve(
    hosts: [String] = [],
    _ test: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run {
      $0.allowedHosts = hosts
    } routes: { router, _ in
      router.get("/") { _ in .text("here") }
      router.post("/") { _ in .text("written") }
    } test: {
      try await test($0)
    }
  }

  @Test(arguments: ["localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:8080", "box.example:80"])
  func `let known names in`(host: String) async throws {
    try await serve(hosts: ["Box.example"]) { server async throws in
      #expect(try await server.get("/", ["Host": host]).text == "here")
    }
  }

  @Test(arguments: [
    "evil.example", "localhost.evil.example", "10.0.0.1", "", "[::2]", "127.0.0.1.x",
    "localhost:80.evil.example", "localhost:evil.example", "[::1].evil.example", "[::1]x:80",
  ])
  func `refuse names that a stranger may have pointed here`(host: String) async throws {
    try await serve { server async throws in
      let answer = try await server.get("/", ["Host": host])
      #expect(answer.status == 421)
      #expect(answer.sentence?.contains("does not answer to the name “\(host)”") == true)
    }
  }

  @Test func `take numeric names where other machines may ask`() {
    let open = Guards(ServerConfiguration(host: "0.0.0.0", port: 1))
    #expect(throws: Never.self) { try open.check(.get, ["Host": "192.168.1.5:8080"]) }
    #expect(throws: Problem.self) { try open.check(.get, ["Host": "evil.example"]) }
    #expect(throws: Problem.self) { try open.check(.get, ["Host": "1.2.3.4.5"]) }
  }

  @Test(arguments: [
    ["Origin": "http://evil.example"], ["Origin": "null"], ["Origin": "http://localhost:1"],
    ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
    ["Origin": "http://localhost:8080/x"],
  ])
  func `refuse to write for another page`(headers: [String: String]) async throws {
    try await serve { server async throws in
      let asked = headers.merging(["Host": "localhost:8080"]) { first, _ in first }
      let answer = try await server.ask("POST", "/", asked, body: Data("{}".utf8))
      #expect(answer.status == 403)
      #expect(answer.sentence?.hasSuffix("may not change anything here.") == true)
    }
  }

  @Test(arguments: [
    ["Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"],
    ["Origin": "https://LOCALHOST:8080"], ["Sec-Fetch-Site": "none"], [:],
  ])
  func `write for their own page, and for tools`(headers: [String: String]) async throws {
    try await serve { server async throws in
      let asked = headers.merging(["Host": "localhost:8080"]) { first, _ in first }
      #expect(try await server.ask("POST", "/", asked, body: Data("{}".utf8)).text == "written")
    }
  }
}

struct `A server` {
  @Test func `says when its port is taken`() async throws {
    try await TestServer.run { _, _ in
    } test: { server async throws in
      let second = WebServer(Router(), configuration: ServerConfiguration(port: server.port))
      let problem = #expect(throws: Problem.self) { try second.start() }
      #expect(
        problem?.message
          == "The port \(server.port) of 127.0.0.1 is in use; choose another with --port, or 0 for any."
      )
    }
  }

  @Test func `says when there is no such address or port`() {
    var configuration = ServerConfiguration(host: "nowhere.invalid", port: 0)
    let first = #expect(throws: Problem.self) {
      try WebServer(Router(), configuration: configuration).start()
    }
    #expect(
      first?.message == "There is no address of the name nowhere.invalid; give another with --host."
    )
    configuration = ServerConfiguration(port: 70_000)
    #expect(throws: Problem.self) { try WebServer(Router(), configuration: configuration).start() }
  }

  @Test
  func `that was stopped kept its port while another program was being started`() async throws {
    let port = try KeptPort()
    let configuration = ServerConfiguration(port: port.number)
    let first = WebServer(Router(), configuration: configuration)
    #expect(try first.start() == port.number)
    // A program that is being started has all files of this one until it runs.
    let copies = try ListenerCopies(at: port.number)
    try #require(!copies.descriptors.isEmpty)
    await first.stop()
    let next = WebServer(Router(), configuration: configuration)
    #expect(try next.start() == port.number)
    await next.stop()
  }

  @Test func `stops when it never started, and twice`() async throws {
    let server = WebServer(Router(), configuration: ServerConfiguration(port: 0))
    await server.stop()
    _ = try server.start()
    await server.stop()
    await server.stop()
    #expect(throws: Problem.self) { try server.start() }
  }

  @Test func `writes a text with controls on one line`() {
    let lines = Mutex<[String]>([])
    AccessLog.lines { line in lines.withLock { $0.append(line) } }
      .report("GET /a\r\nforged \u{1B}[2J\u{9B}1mé")
    #expect(lines.withLock { $0 } == ["GET /a??forged ?[2J?1mé"])
  }

  @Test func `writes one line for each request into a file`() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("access-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let log = try AccessLog.file(file)
    try await TestServer.run {
      $0.accessLog = log
    } routes: { router, _ in
      router.get("/a") { _ in .text("12345") }
    } test: { server async throws in
      _ = try await server.get("/a?text=private")
      // The answer is there before its line is.
      #expect(await eventually { (try? Data(contentsOf: file))?.last == UInt8(ascii: "\n") })
      _ = try await server.get("/%0d%0aforged")
    }
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("Z GET /a 200 5 bytes "))
    #expect(lines[1].contains(" GET /%0d%0aforged 404 "))
  }
}
