import CoreDataHTTP
import Foundation
import Testing

@testable import CoreDataWebServer

struct `Who may ask` {
  private let key = AccessKey(program: "box")

  private func serve(_ test: (TestServer) async throws -> Void) async throws {
    try await TestServer.run {
      $0.key = key
    } routes: { router, folder in
      try Data("file".utf8).write(to: folder.appendingPathComponent("page.txt"))
      router.get("/") { _ in .text("here") }
      router.get("/api/events") { _ in .events(AsyncStream { $0.finish() }) }
      router.post("/api/notes") { _ in .text("written") }
      router.files(under: "/files", from: folder)
    } test: {
      try await test($0)
    }
  }

  @Test(arguments: [
    "/", "/api/events", "/files/page.txt", "/nowhere", "/?access=", "/?access=x", "/?other=1",
  ])
  func `everybody who could reach the port was served`(target: String) async throws {
    try await serve { server async throws in
      let answer = try await server.get(target)
      #expect(answer.status == 401)
      #expect(answer.sentence?.hasPrefix("This browser is not known here") == true)
      let page = try await server.get(target, ["Accept": "text/html,*/*"])
      #expect(page.status == 401)
      #expect(page.text.contains("Open the address that the program printed"))
      #expect(!page.text.contains(key.secret))
    }
  }

  @Test func `a stranger writes nothing`() async throws {
    try await serve { server async throws in
      for cookie in [
        "", "box-\(server.port)=", "box-\(server.port)=\(key.secret)0", "box-1=\(key.secret)",
      ] {
        let answer = try await server.ask(
          "POST",
          "/api/notes",
          ["Cookie": cookie],
          body: Data("{}".utf8)
        )
        #expect(answer.status == 401)
        #expect(answer["Connection"] == "close")
      }
    }
  }

  @Test func `the printed address lets a browser in, and its cookie does from then on`()
    async throws
  {
    try await serve { server async throws in
      let arrival = try await server.get("/?access=\(key.secret)")
      #expect(arrival.status == 303)
      #expect(arrival["Location"] == "/")
      let cookie = try #require(arrival["Set-Cookie"])
      #expect(cookie.hasPrefix("box-\(server.port)=\(key.secret);"))
      for word in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        #expect(cookie.contains("; \(word)"))
      }
      #expect(arrival["Cache-Control"] == "no-store")
      let pair = String(cookie.prefix { $0 != ";" })
      for sent in [pair, "other=1; \(pair)", "\(pair); other=1", "box-\(server.port)=old; \(pair)"]
      {
        #expect(try await server.get("/", ["Cookie": sent]).text == "here")
      }
      let written = try await server.ask(
        "POST",
        "/api/notes",
        ["Cookie": pair],
        body: Data("{}".utf8)
      )
      #expect(written.text == "written")
    }
  }

  @Test func `behind a proxy with TLS, the cookie was for connections without it, too`()
    async throws
  {
    try await serve { server async throws in
      let target = "/?access=\(key.secret)"
      let secure = try await server.get(target, ["X-Forwarded-Proto": "https"])["Set-Cookie"]
      #expect(secure?.hasSuffix("; Secure") == true)
      let plain = try await server.get(target, ["X-Forwarded-Proto": "http"])["Set-Cookie"]
      #expect(plain?.contains("Secure") == false)
    }
  }

  @Test func `a key is as long as no guess`() {
    #expect(key.secret.utf8.count == 64)
    #expect(AccessKey(program: "box").secret != key.secret)
  }

  @Test func `a random key was accepted after a hundred tries, by its last letters`() {
    var state: UInt64 = 61
    let digits = Array("0123456789abcdef".utf8)
    let secret = Array(key.secret.utf8)
    let accepted = (0..<100_000).count { _ in
      let guess = (0..<64).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return digits[Int(state >> 60)]
      }
      return guess != secret && key.isSame(String(decoding: guess, as: UTF8.self))
    }
    #expect(accepted == 0)
    #expect(key.isSame(key.secret))
  }

  @Test func `a key that differs in one letter is another`() {
    let secret = Array(key.secret.utf8)
    for place in 0..<64 {
      for letter in "0123456789abcdefABCDEF\0é".utf8 where letter != secret[place] {
        var guess = secret
        guess[place] = letter
        #expect(!key.isSame(String(decoding: guess, as: UTF8.self)))
      }
    }
    for count in [0, 1, 63] { #expect(!key.isSame(String(key.secret.prefix(count)))) }
    for more in ["0", " ", "\0", key.secret] { #expect(!key.isSame(key.secret + more)) }
  }

  @Test(arguments: ["address", "cookie"])
  func `guessing had no limit`(way: String) async throws {
    let lines = Lines()
    try await TestServer.run {
      $0.key = key
      $0.guessWindow = .seconds(100_000)
      $0.accessLog = .lines { lines.add($0) }
    } routes: { router, _ in
      router.get("/") { _ in .text("here") }
    } test: { server async throws in
      func send(_ secret: String, page: Bool = false) async throws -> Answer {
        let accepts = page ? ["Accept": "text/html"] : [:]
        if way == "address" { return try await server.get("/?access=\(secret)", accepts) }
        let cookie = ["Cookie": "box-\(server.port)=\(secret)"]
        return try await server.get("/", accepts.merging(cookie) { $1 })
      }
      for _ in 0..<20 {
        let answer = try await send(AccessKey(program: "box").secret)
        #expect(answer.status == 401)
        #expect(answer["Set-Cookie"] == nil)
      }
      let refused = try await send(AccessKey(program: "box").secret)
      #expect(refused.status == 429)
      let wait = try #require(Int(refused["Retry-After"] ?? ""))
      #expect((1...60).contains(wait))
      #expect(
        refused.sentence == "Too many wrong keys came from here. Try again in 1 minute."
      )
      let page = try await send(AccessKey(program: "box").secret, page: true)
      #expect(page.status == 429)
      #expect(page.text.contains("<h1>Too many wrong keys</h1>"))
      // The right key is not tried in an address that guesses; a browser that is in stays in.
      #expect(try await server.get("/?access=\(key.secret)").status == 429)
      let known = ["Cookie": "box-\(server.port)=\(key.secret)"]
      #expect(try await server.get("/", known).text == "here")
      #expect(try await server.get("/").status == 401)
    }
    let told = lines.all.filter { $0.contains("wrong access keys") }
    #expect(
      told.map { $0.suffix(from: $0.firstIndex(of: "w") ?? $0.startIndex) } == [
        "wrong access keys from 127.0.0.1 within a minute: no key from there is accepted for 1 minute"
      ]
    )
    #expect(!lines.all.joined().contains(key.secret))
  }

  @Test func `a browser with an old key was taken for one that guesses`() async throws {
    try await serve { server async throws in
      let old = ["Cookie": "box-\(server.port)=\(AccessKey(program: "box").secret)"]
      for _ in 0..<40 { #expect(try await server.get("/", old).status == 401) }
      #expect(try await server.get("/?access=\(key.secret)").status == 303)
    }
  }

  @Test func `a request with many cookies tried many keys at once`() async throws {
    try await serve { server async throws in
      let name = "box-\(server.port)"
      let guesses = (0..<10).map { _ in "\(name)=\(AccessKey(program: "box").secret)" }
      let cookies = (guesses + ["\(name)=\(key.secret)"]).joined(separator: "; ")
      #expect(try await server.get("/", ["Cookie": cookies]).status == 401)
    }
  }

  @Test func `an arrival is told in the log, without the key`() async throws {
    let lines = Lines()
    try await TestServer.run {
      $0.key = key
      $0.accessLog = .lines { lines.add($0) }
    } routes: { router, _ in
      router.get("/") { _ in .text("here") }
    } test: { server async throws in
      _ = try await server.get("/?access=\(key.secret)")
    }
    #expect(
      lines.all.contains { $0.contains("A browser at 127.0.0.1 was let in with the access key") }
    )
    #expect(!lines.all.joined().contains(key.secret))
  }

  // MARK: - A new key

  @Test func `a new key replaces the old one when the server listens, and not before`() async throws
  {
    try await inFolder { file async throws in
      let old = try AccessKey.kept(in: file, program: "box")
      let new = AccessKey(program: "box", in: file)
      #expect(new.secret != old.secret)
      // The server cannot start: its port is taken.
      try await TestServer.run { _, _ in
      } test: { other async throws in
        var configuration = ServerConfiguration(port: other.port)
        configuration.key = new
        let server = WebServer(Router(), configuration: configuration)
        #expect(throws: Problem.self) { try server.start() }
        #expect(try AccessKey.kept(in: file, program: "box").secret == old.secret)
      }
      var configuration = ServerConfiguration(port: 0)
      configuration.key = new
      let server = WebServer(Router(), configuration: configuration)
      _ = try server.start()
      await server.stop()
      #expect(try AccessKey.kept(in: file, program: "box").secret == new.secret)
      #expect(mode(file) == 0o600)
    }
  }

  // MARK: - The file of the key

  private func inFolder(_ test: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("key-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await test(folder.appendingPathComponent("access-key"))
  }

  private func mode(_ file: URL) -> mode_t {
    var status = stat()
    return lstat(file.path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `the key is the same at the next start, and only its owner can read it`() async throws
  {
    try await inFolder { file in
      let first = try AccessKey.kept(in: file, program: "box")
      #expect(mode(file) == 0o600)
      #expect(try AccessKey.kept(in: file, program: "box") == first)
    }
  }

  @Test func `a key that others could have read is replaced`() async throws {
    try await inFolder { file in
      let first = try AccessKey.kept(in: file, program: "box")
      chmod(file.path, 0o644)
      let second = try AccessKey.kept(in: file, program: "box")
      #expect(second.secret != first.secret)
      #expect(mode(file) == 0o600)
      for text in ["", "x", String(repeating: "0", count: 63), String(repeating: "Z", count: 64)] {
        try Data(text.utf8).write(to: file)
        chmod(file.path, 0o600)
        #expect(try AccessKey.kept(in: file, program: "box").secret.utf8.count == 64)
      }
    }
  }

  @Test func `a key behind a link is not followed`() async throws {
    try await inFolder { file in
      let other = file.deletingLastPathComponent().appendingPathComponent("other")
      try Data("somebody's".utf8).write(to: other)
      symlink(other.path, file.path)
      _ = try AccessKey.kept(in: file, program: "box")
      #expect(try String(contentsOf: other, encoding: .utf8) == "somebody's")
      #expect(mode(file) == 0o600)
    }
  }
}

struct `Pages of other sites` {
  private func serve(_ test: (TestServer) async throws -> Void) async throws {
    try await TestServer.run { router, _ in
      router.get("/") { _ in .text("here") }
    } test: {
      try await test($0)
    }
  }

  @Test(
    arguments: ["cross-site", "same-site"],
    [
      ["Sec-Fetch-Mode": "no-cors"], ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"],
      [:],
    ]
  )
  func `could load what is here`(site: String, more: [String: String]) async throws {
    try await serve { server async throws in
      let answer = try await server.get("/", more.merging(["Sec-Fetch-Site": site]) { $1 })
      #expect(answer.status == 403)
      #expect(answer.sentence == "Another site may not read anything here.")
    }
  }

  @Test func `may have links that people follow`() async throws {
    try await serve { server async throws in
      let visit = [
        "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
      ]
      #expect(try await server.get("/", visit).text == "here")
    }
  }
}

struct `An address that others reach` {
  @Test func `was served without a word`() async throws {
    let problem = #expect(throws: Problem.self) {
      try WebServer(Router(), configuration: ServerConfiguration(host: "0.0.0.0", port: 0)).start()
    }
    #expect(
      problem?.message
        == "0.0.0.0 can be reached from other machines; say under which name or address they may ask: "
        + "--allow-host NAME."
    )
    let configuration = ServerConfiguration(
      host: "0.0.0.0",
      port: 0,
      allowedHosts: ["box.example"]
    )
    let server = WebServer(Router(), configuration: configuration)
    #expect(try server.start() > 0)
    await server.stop()
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `is not the one that is printed: the bound one is`(host: String) throws {
    let server = WebServer(Router(), configuration: ServerConfiguration(host: host, port: 0))
    let address = try server.listen()
    #expect(address.isLoopback)
    #expect(["127.0.0.1", "[::1]"].contains(address.hostInURLs))
    #expect(address.port > 0)
  }
}
