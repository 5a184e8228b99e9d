import Foundation
import Testing

@testable import CoreDataWebServer

struct `Static files` {
  /// A folder with pages, a hidden file, a link that leads out, and pressed siblings of a script.
  private func serve(_ test: (TestServer) async throws -> Void) async throws {
    try await TestServer.run { router, folder in
      let web = folder.appendingPathComponent("web")
      try FileManager.default.createDirectory(
        at: web.appendingPathComponent("lists"),
        withIntermediateDirectories: true
      )
      let files = [
        "web/index.html": "<h1>Notes</h1>", "web/lists/index.html": "<h1>Lists</h1>",
        "web/numbers.bin": "0123456789", "web/app.js": "let plain = 1",
        "web/app.js.br": "as brotli", "web/app.js.gz": "as gzip", "web/.hidden": "secret",
        "secret.txt": "secret", "web/a b.txt": "with a space", "web/empty.txt": "",
      ]
      for (name, text) in files {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
      }
      try FileManager.default.createSymbolicLink(
        at: web.appendingPathComponent("link.txt"),
        withDestinationURL: folder.appendingPathComponent("secret.txt")
      )
      router.files(under: "/", from: web)
      router.get("/api/picture") { _ in
        .file(at: web.appendingPathComponent("numbers.bin"), download: "Käse \"1\".bin")
      }
    } test: {
      try await test($0)
    }
  }

  @Test(arguments: [
    ("/", "<h1>Notes</h1>", "text/html; charset=utf-8"),
    ("/index.html", "<h1>Notes</h1>", "text/html; charset=utf-8"),
    ("/lists/", "<h1>Lists</h1>", "text/html; charset=utf-8"),
    ("/app.js", "let plain = 1", "text/javascript; charset=utf-8"),
    ("/numbers.bin", "0123456789", "application/octet-stream"),
    ("/a%20b.txt", "with a space", "text/plain; charset=utf-8"),
    ("/empty.txt", "", "text/plain; charset=utf-8"),
  ])
  func `are answered with their kind`(path: String, content: String, type: String) async throws {
    try await serve { server async throws in
      let answer = try await server.get(path)
      #expect(answer.status == 200)
      #expect(answer.text == content)
      #expect(answer["Content-Type"] == type)
      #expect(answer["Content-Length"] == "\(content.utf8.count)")
      let head = try await server.ask("HEAD", path)
      #expect(head["Content-Length"] == "\(content.utf8.count)")
      #expect(head.body.isEmpty)
    }
  }

  @Test(arguments: [
    "/../secret.txt", "/%2e%2e/secret.txt", "/lists/../../secret.txt", "/..%2fsecret.txt",
    "/%2e%2e%2fsecret.txt", "/.hidden", "/%2ehidden", "/link.txt", "//secret.txt", "/lists",
    "/..\\secret.txt", "/index.html/", "/index.html/x", "/secret.txt", "/index.html%00.txt",
    "/%c0%ae%c0%ae/secret.txt", "/./index.html",
  ])
  func `are answered from their folder alone`(path: String) async throws {
    try await serve { server async throws in
      let answer = try await server.get(path)
      #expect([400, 404].contains(answer.status))
      #expect(!answer.text.contains("secret\n") && answer.text != "secret")
    }
  }

  @Test func `are not sent again to who has them`() async throws {
    try await serve { server async throws in
      let first = try await server.get("/app.js")
      let tag = try #require(first["ETag"])
      #expect(first["Cache-Control"] == "no-cache")
      let again = try await server.get("/app.js", ["If-None-Match": "\"other\", W/\(tag)"])
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
      #expect(again["ETag"] == tag)
      #expect(try await server.get("/app.js", ["If-None-Match": "*"]).status == 304)
      #expect(try await server.get("/app.js", ["If-None-Match": "\"other\""]).status == 200)
      let date = try #require(first["Last-Modified"])
      #expect(date.hasSuffix(" GMT"))
      #expect(try await server.get("/app.js", ["If-Modified-Since": date]).status == 304)
    }
  }

  @Test(arguments: [
    ("bytes=2-4", 206, "234", "bytes 2-4/10"),
    ("bytes=7-", 206, "789", "bytes 7-9/10"),
    ("bytes=-3", 206, "789", "bytes 7-9/10"),
    ("bytes=0-99", 206, "0123456789", "bytes 0-9/10"),
    ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
    ("bytes=0-0", 206, "0", "bytes 0-0/10"),
    ("bytes=4-2", 200, "0123456789", nil),
    ("bytes=0-1,3-4", 200, "0123456789", nil),
    ("bytes=a-b", 200, "0123456789", nil),
    ("bytes=-", 200, "0123456789", nil),
    ("lines=1-2", 200, "0123456789", nil),
    ("bytes=99999999999999999999-", 200, "0123456789", nil),
  ])
  func `are answered in parts`(
    range: String,
    status: Int,
    content: String,
    field: String?
  ) async throws {
    try await serve { server async throws in
      let answer = try await server.get("/numbers.bin", ["Range": range])
      #expect(answer.status == status)
      #expect(answer.text == content)
      #expect(answer["Content-Range"] == field)
      #expect(answer["Accept-Ranges"] == "bytes")
    }
  }

  @Test(arguments: ["bytes=10-", "bytes=10-12", "bytes=-0"])
  func `say how long they are when a part lies behind their end`(range: String) async throws {
    try await serve { server async throws in
      let answer = try await server.get("/numbers.bin", ["Range": range])
      #expect(answer.status == 416)
      #expect(answer["Content-Range"] == "bytes */10")
      #expect(answer.sentence == "The file has 10 bytes; the range lies behind them.")
    }
  }

  @Test func `go on in parts only while they are the same`() async throws {
    try await serve { server async throws in
      let tag = try #require(try await server.get("/numbers.bin")["ETag"])
      let same = try await server.get("/numbers.bin", ["Range": "bytes=5-", "If-Range": tag])
      #expect(same.status == 206)
      let other = try await server.get("/numbers.bin", ["Range": "bytes=5-", "If-Range": "\"x\""])
      #expect(other.status == 200)
      #expect(other.text == "0123456789")
    }
  }

  @Test(arguments: [
    ("gzip, br", "as brotli", "br"), ("gzip", "as gzip", "gzip"),
    ("br;q=0, *;q=0.5", "as gzip", "gzip"), ("identity", "let plain = 1", nil),
    ("gzip;q=0", "let plain = 1", nil), ("", "let plain = 1", nil),
  ])
  func `are sent pressed when a pressed sibling is there`(
    accepted: String,
    content: String,
    encoding: String?
  ) async throws {
    try await serve { server async throws in
      let answer = try await server.get("/app.js", ["Accept-Encoding": accepted])
      #expect(answer.text == content)
      #expect(answer["Content-Encoding"] == encoding)
      #expect(answer["Content-Type"] == "text/javascript; charset=utf-8")
      #expect(answer["Vary"] == "Accept-Encoding")
    }
  }

  @Test func `are downloads under a name of any letters`() async throws {
    try await serve { server async throws in
      let answer = try await server.get("/api/picture", ["Range": "bytes=0-2"])
      #expect(answer.status == 206)
      #expect(answer.text == "012")
      #expect(
        answer["Content-Disposition"]
          == "attachment; filename=\"K_se _1_.bin\"; filename*=UTF-8''K%C3%A4se%20%221%22.bin"
      )
    }
  }

  @Test func `asked for by HEAD came in parts`() async throws {
    try await serve { server async throws in
      let answer = try await server.ask("HEAD", "/numbers.bin", ["Range": "bytes=2-4"])
      #expect(answer.status == 200)
      #expect(answer["Content-Length"] == "10")
      #expect(answer.body.isEmpty)
    }
  }

  @Test func `not changed were told with a length of nothing`() async throws {
    try await serve { server async throws in
      let tag = try #require(try await server.get("/numbers.bin")["ETag"])
      let known = try await server.get("/numbers.bin", ["If-None-Match": tag])
      #expect(known.status == 304)
      #expect(known.body.isEmpty)
      #expect(known["Content-Length"] == "10")
      // Nothing of it comes, and the next answer on the line is the next.
      let wire = try Wire(port: server.port)
      let ask = "GET /numbers.bin HTTP/1.1\r\nHost: localhost\r\n"
      await wire.send(ask + "If-None-Match: \(tag)\r\n\r\n" + ask + "Connection: close\r\n\r\n")
      let both = String(decoding: await wire.receiveAll(), as: UTF8.self)
      #expect(both.components(separatedBy: "0123456789").count == 2)
      #expect(both.components(separatedBy: "HTTP/1.1 ").map { $0.prefix(3) } == ["", "304", "200"])
    }
  }

  @Test func `pressed by a link that leads out were sent`() async throws {
    try await serve { server async throws in
      let secret = server.folder.appendingPathComponent("secret")
      try Data("secret".utf8).write(to: secret)
      // In the place of the served folder, the sibling would lead out of it.
      try FileManager.default.createSymbolicLink(
        at: server.folder.appendingPathComponent("web/linked.js.br"),
        withDestinationURL: secret
      )
      try Data("let linked = 1".utf8)
        .write(to: server.folder.appendingPathComponent("web/linked.js"))
      let answer = try await server.get("/linked.js", ["Accept-Encoding": "br"])
      #expect(answer.text == "let linked = 1")
    }
  }

  @Test func `only answer GET and HEAD`() async throws {
    try await serve { server async throws in
      let answer = try await server.ask("DELETE", "/app.js")
      #expect(answer.status == 405)
      #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
    }
  }
}

struct `Answers made on request` {
  @Test func `are pressed when they are long and the client likes it`() async throws {
    let long = String(repeating: "a note like the others; ", count: 200)
    try await TestServer.run { router, _ in
      router.get("/long") { _ in .text(long) }
      router.get("/short") { _ in .text("short") }
    } test: { server async throws in
      let pressed = try await server.get("/long", ["Accept-Encoding": "gzip"])
      #expect(pressed["Content-Encoding"] == "gzip")
      #expect(pressed.body.prefix(2) == Data([0x1F, 0x8B]))
      #expect(pressed.body.count < 200)
      let plain = try await server.get("/long")
      #expect(plain.text == long)
      #expect(plain["Content-Encoding"] == nil)
      #expect(try await server.get("/short", ["Accept-Encoding": "gzip"]).text == "short")
    }
  }

  @Test func `are not sent again when their tag is known`() async throws {
    try await TestServer.run { router, _ in
      router.get("/tagged") { _ in .text("text").with("ETag", "\"7\"") }
    } test: { server async throws in
      #expect(try await server.get("/tagged", ["If-None-Match": "\"7\""]).status == 304)
      #expect(try await server.get("/tagged", ["If-None-Match": "\"8\""]).text == "text")
    }
  }

  @Test(arguments: [
    ("\"7\", \"8\"", 304), ("W/\"7\"", 304), ("*", 304), ("\"6\", \"7,5\"", 200), ("", 200),
    ("7", 200), ("\"6\"\r\nIf-None-Match: \"7\"", 304), ("\"a, \"7\", b\"", 200),
  ])
  func `compare their tag with each of a list`(known: String, status: Int) async throws {
    try await TestServer.run { router, _ in
      router.get("/tagged") { _ in .text("text").with("ETag", "\"7\"") }
    } test: { server async throws in
      #expect(try await server.get("/tagged", ["If-None-Match": known]).status == status)
    }
  }

  @Test func `were not told to writers who named their tag`() async throws {
    try await TestServer.run { router, _ in
      router.put("/tagged") { _ in .text("written").with("ETag", "\"7\"") }
    } test: { server async throws in
      let answer = try await server.ask(
        "PUT",
        "/tagged",
        ["If-None-Match": "\"7\""],
        body: Data("x".utf8)
      )
      #expect(answer.status == 200)
      #expect(answer.text == "written")
    }
  }

  @Test func `tell browsers to be careful`() async throws {
    try await TestServer.run { router, _ in
      router.get("/page") { _ in .html("<p>") }
      router.get("/own") { _ in
        Response.html("<p>").with("Content-Security-Policy", "default-src 'none'")
      }
      router.get("/split") { _ in .redirect(to: "/a\r\nX-Evil: yes") }
    } test: { server async throws in
      for path in ["/page", "/nothing"] {
        let answer = try await server.get(path)
        let policy = try #require(answer["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'self';"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Referrer-Policy"] == "no-referrer")
        #expect(answer["Permissions-Policy"] == "camera=(), geolocation=(), microphone=()")
        #expect(answer["Cross-Origin-Opener-Policy"] == "same-origin")
        #expect(answer["Cache-Control"] == "no-store")
      }
      #expect(try await server.get("/own")["Content-Security-Policy"] == "default-src 'none'")
      let split = try await server.get("/split")
      #expect(split["X-Evil"] == nil)
      #expect(split["Location"] == "/aX-Evil: yes")
    }
  }
}
