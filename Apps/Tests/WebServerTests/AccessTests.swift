import Foundation
import Testing

@testable import WebServer

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

  @Test func `a key is as long as no guess`() {
    #expect(key.secret.utf8.count == 64)
    #expect(AccessKey(program: "box").secret != key.secret)
  }

  // MARK: - The file of the key

  private func inFolder(_ test: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("key-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try test(folder.appendingPathComponent("access-key"))
  }

  private func mode(_ file: URL) -> mode_t {
    var status = stat()
    return lstat(file.path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `the key is the same at the next start, and only its owner can read it`() throws {
    try inFolder { file in
      let first = try AccessKey.kept(in: file, program: "box")
      #expect(mode(file) == 0o600)
      #expect(try AccessKey.kept(in: file, program: "box") == first)
    }
  }

  @Test func `a key that others could have read is replaced`() throws {
    try inFolder { file in
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

  @Test func `a key behind a link is not followed`() throws {
    try inFolder { file in
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
    #expect(["127.0.0.1", "[::1]"].contains(address.hostInAddresses))
    #expect(address.port > 0)
  }
}
