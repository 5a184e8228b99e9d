import Foundation
import Synchronization
import Testing

@testable import CoreDataWebServer

/// Addresses with a secret in them, which are opened without the key.
struct `Guests with a link` {
  private let key = AccessKey(program: "box")

  private func serve(
    log: Lines = Lines(),
    page: @escaping Handler = { request in
      guard try request.parameter("secret") == "right" else { throw Problem(404, "No such page.") }
      return .html("<p>read</p>")
    },
    _ test: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run {
      $0.key = key
      $0.accessLog = .lines { log.add($0) }
      $0.clientField = "X-Client"
      // A busy machine may take minutes for the guesses of a test.
      $0.guessWindow = .seconds(100_000)
    } routes: { router, _ in
      router.get("/") { _ in .text("mine") }
      router.get("/p/:secret", openedBy: "secret", page)
      router.get("/p/:secret/files/:file", openedBy: "secret") { request in
        if try request.parameter("secret") == "right" { throw URLError(.badURL) }
        throw Problem(404, "No such file.")
      }
    } test: {
      try await test($0)
    }
  }

  private func cookie(_ server: TestServer) -> [String: String] {
    ["Cookie": "box-\(server.port)=\(key.secret)"]
  }

  @Test func `a guest reads, and is asked for nothing and given nothing to keep`() async throws {
    try await serve { server async throws in
      for method in ["GET", "HEAD"] {
        let answer = try await server.ask(method, "/p/right")
        #expect(answer.status == 200)
        #expect(answer.text == (method == "GET" ? "<p>read</p>" : ""))
        #expect(answer["Content-Length"] == "11")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["X-Robots-Tag"] == "noindex, nofollow")
        #expect(answer["Referrer-Policy"] == "no-referrer")
        #expect(answer["Set-Cookie"] == nil)
      }
      // Somebody with an old key reads, too; it does not count as a guess.
      for number in 0..<30 {
        let old = ["Cookie": "box-\(server.port)=\(number)"]
        #expect(try await server.get("/p/right", old).status == 200)
      }
      #expect(try await server.get("/?access=\(key.secret)").status == 303)
    }
  }

  @Test func `a guest reads nothing else, and sends nothing`() async throws {
    try await serve { server async throws in
      for target in ["/", "/p", "/p/", "/p/right/other", "/p/right/files", "/p/right/../"] {
        let status = try await server.get(target).status
        #expect(status == (target.hasSuffix("../") ? 400 : 401), "\(target)")
      }
      for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        #expect(try await server.ask(method, "/p/right").status == 401)
      }
      let sent = try await server.ask("GET", "/p/right", body: Data("x".utf8))
      #expect(sent.status == 401 && sent["Connection"] == "close")
      let elsewhere = try await server.get("/p/right", ["Host": "evil.example"])
      #expect(elsewhere.status == 421)
      let framed = try await server.get(
        "/p/right",
        ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"]
      )
      #expect(framed.status == 403)
    }
  }

  @Test func `all that is not there has one answer`() async throws {
    try await serve { server async throws in
      let answers = [
        try await server.get("/p/wrong"), try await server.get("/p/wrong2"),
        try await server.get("/p/wrong/files/picture"),
      ]
      for answer in answers {
        #expect(answer.status == 404)
        #expect(answer.body == answers[0].body)
        #expect(answer["X-Robots-Tag"] == "noindex, nofollow")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(!answer.text.contains("wrong") && !answer.text.contains("No such"))
      }
    }
  }

  @Test func `guesses are limited, and neither readers nor the owner pay for them`() async throws {
    let log = Lines()
    try await serve(log: log) { server async throws in
      // A reader of a link that is over asks again and again.
      for _ in 0..<30 { #expect(try await server.get("/p/over").status == 404) }
      var answered = 1
      while try await server.get("/p/guess-\(answered)").status == 404 { answered += 1 }
      #expect(answered == GuessLimit.perMinute)
      let refused = try await server.get("/p/another")
      #expect(refused.status == 429)
      #expect(refused["Retry-After"].flatMap(Int.init).map { $0 <= 60 } == true)
      #expect(refused.text.contains("Too many wrong links came from here"))
      #expect(try await server.get("/p/right").status == 200)
      #expect(try await server.get("/?access=\(key.secret)").status == 303)
      #expect(try await server.get("/", cookie(server)).text == "mine")
    }
    #expect(log.all.contains { $0.contains("20 wrong links from 127.0.0.1 within a minute") })
  }

  @Test func `no log names the secret`() async throws {
    let log = Lines()
    try await serve(log: log) { server async throws in
      #expect(try await server.get("/p/right").status == 200)
      // The handler fails, which the log says.
      #expect(try await server.get("/p/right/files/a").status == 500)
      #expect(await eventually { log.all.count > 2 })
    }
    #expect(log.all.contains { $0.contains("GET /p/:secret 200") })
    #expect(log.all.contains { $0.contains("GET /p/:secret/files/:file, request") })
    #expect(log.all.allSatisfy { !$0.contains("right") }, "\(log.all)")
  }

  @Test func `a hundred guests at once have two handlers, and the owner does not wait for them`()
    async throws
  {
    let (now, open) = (Lines(), Flag())
    let page: Handler = { _ in
      now.add("in")
      while !open.isRaised { try await Task.sleep(for: .milliseconds(5)) }
      return .text("read")
    }
    try await serve(page: page) { server async throws in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<100 { group.addTask { try await server.get("/p/right").status } }
        #expect(await eventually { !now.all.isEmpty })
        for _ in 0..<20 { #expect(try await server.get("/", cookie(server)).text == "mine") }
        // All come from one address, of which one request waits for a handler.
        #expect(now.all.count == 1)
        open.raise()
        for try await status in group { #expect(status == 200) }
      }
      #expect(now.all.count == 100)
    }
  }

  @Test func `guests of many addresses take turns, two at once`() async {
    let turns = GuestTurns()
    let begun = Lines()
    let leaving = Leaving()
    for request in 0..<3 {
      for address in ["a", "b", "c"] {
        turns.take(address) { leave in
          begun.add("\(address)\(request)")
          leaving.add(leave)
          return true
        }
      }
    }
    #expect(begun.all == ["a0", "b0"])
    while let leave = leaving.next() { leave() }
    #expect(begun.all == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test func `a guest who has left gives the turn to the next`() async {
    let turns = GuestTurns()
    let begun = Lines()
    let leaving = Leaving()
    for request in 0..<500 {
      turns.take("a") { leave in
        guard request == 0 || request == 499 else { return false }
        begun.add("\(request)")
        leaving.add(leave)
        return true
      }
    }
    #expect(begun.all == ["0"])
    leaving.next()?()
    #expect(begun.all == ["0", "499"])
    leaving.next()?()
    turns.take("b") { leave in
      begun.add("b")
      leave()
      return true
    }
    #expect(begun.all.last == "b")
  }
}

/// The ends of turns, in the order in which the turns began.
private final class Leaving: Sendable {
  private let ends = Mutex<[@Sendable () -> Void]>([])

  func add(_ end: @escaping @Sendable () -> Void) { ends.withLock { $0.append(end) } }

  func next() -> (@Sendable () -> Void)? {
    ends.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
