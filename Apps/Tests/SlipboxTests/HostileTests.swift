import Archives
import CoreDataWebServer
import Foundation
import FoundationNetworking
import SlipboxLibrary
import Testing

@testable import Slipbox

/// Whatever is sent, the answer is a sentence, and the notes are as before.
struct HostileTests {
  /// Whether an answer refuses, in words.
  private func refuses(
    _ answer: Page.Answer,
    _ statuses: Set<Int> = [400, 404, 413, 415]
  ) -> Bool {
    statuses.contains(answer.status) && answer.text("error")?.hasSuffix(".") == true
  }

  @Test(arguments: [
    "/api/notes?in=nowhere", "/api/notes?in=folder:1", "/api/notes?sort=random",
    "/api/notes?offset=-1", "/api/notes?offset=x", "/api/notes?limit=99999999999999999999",
    "/api/notes?token=all", "/api/notes?token=draft,%27", "/api/notes?scope=there",
    "/api/notes/1", "/api/notes/%00", "/api/notes/00000000-0000-0000-0000-000000000000",
    "/api/notes/..%2f..%2fetc", "/api/suggest?limit=x", "/api/keywords?limit=-3",
    "/api/notes/x/versions", "/api/nothing", "/api/notes/x/export?as=exe",
    "/api/notes?limit=501", "/api/keywords?limit=501", "/api/suggest?limit=501",
    "/api/notes?limit=-1", "/api/notes?offset=1000000001", "/api/notes?offset=9223372036854775807",
  ])
  func `an address that means nothing is refused`(target: String) async throws {
    let page = try Page()
    #expect(refuses(try await page.ask(.get, target)))
  }

  @Test func `a search may have any characters`() async throws {
    let page = try Page()
    _ = try await page.note("100% _sure_ 'O\"Brien' \\ * ? [x] NEAR(", "a AND b OR c")
    for text in [
      "%25", "_", "'", "\"", "\\", "*", "?", "[x]", "NEAR(", "AND", "a%20AND%20b", "%F0%9F%91%8D",
      "%00", "'; DROP TABLE ZNOTE; --", "%20%20", "\u{301}", "(", ")", "-", "^", ":", "title_:x",
    ] {
      let escaped = text.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? text
      let target = "/api/notes?text=\(text.contains("%") ? text : escaped)"
      let answer = try await page.ask(.get, target)
      #expect(answer.status == 200 || refuses(answer), "\(text)")
    }
    let long = String(repeating: "x", count: 5000)
    #expect(refuses(try await page.ask(.get, "/api/notes?text=\(long)")))
    let many = (0..<90).map { "w\($0)" }.joined(separator: "+")
    #expect(try await page.ask(.get, "/api/notes?text=\(many)").status == 200)
    #expect(try await page.ask(.get, "/api/notes").number("total") == 1)
  }

  @Test(arguments: [
    "", "{", "[]", "null", "\"text\"", "{\"title\": 5}", "{\"title\": null, \"status\": []}",
    "{\"base\": 1.5, \"title\": \"x\"}", "{\"base\": 1, \"document\": \"text\"}",
    "{\"base\": 1, \"document\": {\"type\": \"doc\", \"content\": [{\"type\": \"script\"}]}}",
    "{\"base\": 1, \"document\": {\"type\": \"doc\", \"content\": [{\"type\": \"paragraph\", \"content\": [{\"type\": \"text\", \"text\": \"x\", \"marks\": [{\"type\": \"link\", \"attrs\": {\"href\": \"javascript:alert(1)\"}}]}]}]}}",
    "{\"title\": \"no base\"}", "{\"folder\": 7}", "{\"folder\": \"x\"}", "{\"status\": \"Draft\"}",
    "{\"addKeywords\": [{}]}", "{\"addKeywords\": \"word\"}", "{\"addLinks\": [\"x\"]}",
    "{\"addLinks\": [\"00000000-0000-0000-0000-000000000000\"]}", "{\"order\": 1e400}",
    "{\"order\": \"first\"}", "\u{0}\u{1}\u{2}", "{\"favourite\": \"yes\"}",
  ])
  func `an edit that makes no sense is refused`(body: String) async throws {
    let page = try Page()
    let id = try await page.note("title", "text")
    let before = try await page.ask(.get, "/api/notes/\(id)").data
    let answer = try await page.send(.patch, "/api/notes/\(id)", Data(body.utf8))
    #expect(refuses(answer), "\(answer.status) \(String(decoding: answer.data, as: UTF8.self))")
    let after = try await page.ask(.get, "/api/notes/\(id)").data
    #expect(
      try JSONSerialization.jsonObject(with: before) as? NSDictionary
        == JSONSerialization.jsonObject(with: after) as? NSDictionary
    )
    #expect(try await page.ask(.get, "/api/notes").number("total") == 1)
  }

  @Test func `JSON may be nested without end`() async throws {
    let page = try Page()
    let id = try await page.note("title")
    for depth in [100, 400, 100_000] {
      let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let quote =
        String(repeating: #"{"type":"blockquote","content":["#, count: depth)
        + #"{"type":"paragraph"}"# + String(repeating: "]}", count: depth)
      for body in [
        list, #"{"base":1,"document":\#(list)}"#,
        #"{"base":1,"document":{"type":"doc","content":[\#(quote)]}}"#,
      ] {
        #expect(refuses(try await page.send(.patch, "/api/notes/\(id)", Data(body.utf8))))
      }
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `eight thousand bytes of brackets kept the server busy for ten seconds`() async throws {
    let page = try Page()
    let lists = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let many = Array(repeating: lists, count: 1_000).joined(separator: ",")
    #expect(
      refuses(try await page.send(.post, "/api/notes", Data(#"{"document":[\#(many)]}"#.utf8)))
    )
  }

  @Test(.timeLimit(.minutes(60)))
  func `three megabytes nested in the wrong place kept the server busy for twelve minutes`()
    async throws
  {
    let page = try Page()
    let id = try await page.note("title")
    let nested = String(repeating: #"{"a":["#, count: 50) + "1" + String(repeating: "]}", count: 50)
    let many = Array(repeating: nested, count: 8_000).joined(separator: ",")
    for body in [
      #"{"base":1,"document":{"type":"doc","content":[{"type":"paragraph","attrs":{"x":[\#(many)]}}]}}"#,
      #"{"base":1,"document":{"type":"doc","content":[{"type":"paragraph","content":[\#(many)]}]}}"#,
      #"{"base":1,"other":[\#(many)]}"#, "[\(many)]",
    ] {
      #expect(refuses(try await page.send(.patch, "/api/notes/\(id)", Data(body.utf8))))
    }
  }

  @Test(arguments: [
    "-9223372036854775808", "9223372036854775807", "-9007199254740991", "9007199254740991", "1441",
  ])
  func `a clock far ahead of every other stopped the server`(offset: String) async throws {
    let page = try Page()
    let id = try await page.note("title", "text")
    let document = #"{"type":"doc","content":[{"type":"paragraph"}]}"#
    for number in 0..<2 {
      let body =
        #"{"base":-\#(number + 1),"utcOffset":\#(offset),"title":"t\#(number)","document":\#(document)}"#
      let answer = try await page.send(.patch, "/api/notes/\(id)", Data(body.utf8))
      // The number is not a number, or not an offset; then the copy has the server's time.
      #expect(answer.status == 400 || answer.status == 409, "\(answer.status)")
    }
    #expect(try await page.ask(.get, "/api/notes/\(id)").status == 200)
  }

  @Test(arguments: [
    "9223372036854775807", "9007199254740991", "-9223372036854775808", "99999999999999999999999",
    "x",
  ])
  func `a place in the history behind its end stopped the server`(number: String) async throws {
    let page = try Page()
    _ = try await page.note("title")
    let token = try await page.library.changes.lastToken()
    let store = token.prefix { $0 != "-" }
    let answer = try await page.ask(.get, "/api/events?since=\(store)-\(number)")
    #expect(answer.status == 200)
  }

  @Test func `a text of more pieces than can be edited is refused`() async throws {
    let page = try Page()
    let id = try await page.note("title")
    let line = #"{"type":"paragraph"}"#
    let lines = Array(repeating: line, count: 60_000).joined(separator: ",")
    let body = #"{"base":1,"document":{"type":"doc","content":[\#(lines)]}}"#
    let answer = try await page.send(.patch, "/api/notes/\(id)", Data(body.utf8))
    #expect(refuses(answer))
    #expect(answer.text("error")?.contains("more than 50000 pieces") == true)
  }

  @Test(arguments: [(5, 503), (8, 503), (13, 507)])
  func `a full or locked disk was a problem without a name`(code: Int, status: Int) throws {
    let error = CocoaError(.fileWriteUnknown, userInfo: ["NSSQLiteErrorDomain": code])
    #expect(try #require(Problem(store: error)).status == status)
    #expect(Problem(store: CocoaError(.fileWriteUnknown))?.status == nil)
  }

  @Test func `a text that is too long is refused`() async throws {
    let page = try Page()
    let id = try await page.note("title")
    let long = Page.document(String(repeating: "long ", count: 300_000))
    #expect(refuses(try await page.ask(.patch, "/api/notes/\(id)", ["base": 1, "document": long])))
    let name = String(repeating: "n", count: 10_000)
    #expect(refuses(try await page.ask(.post, "/api/folders", ["name": name])))
    #expect(refuses(try await page.ask(.post, "/api/keywords", ["name": name])))
  }

  @Test(arguments: [
    ("/api/folders", "{}"), ("/api/folders", "{\"name\": \"  \"}"),
    ("/api/folders", "{\"name\": \"x\", \"parent\": \"00000000-0000-0000-0000-000000000000\"}"),
    ("/api/keywords", "{\"name\": \"\"}"),
    ("/api/keywords", "{\"name\": \"x\", \"color\": \"red\"}"),
    ("/api/notes/move", "{\"notes\": [\"x\"]}"), ("/api/notes/trash", "{}"),
    ("/api/notes/trash", "{\"notes\": [\"00000000-0000-0000-0000-000000000000\"]}"),
    ("/api/notes", "{\"status\": \"lost\"}"), ("/api/notes", "{\"id\": \"1\"}"),
    ("/api/notes", "{\"folder\": \"00000000-0000-0000-0000-000000000000\"}"),
  ])
  func `what cannot be made is refused`(post: (target: String, body: String)) async throws {
    let page = try Page()
    #expect(refuses(try await page.send(.post, post.target, Data(post.body.utf8))))
    let overview = try await page.ask(.get, "/api/overview")
    #expect(overview.list("folders").isEmpty)
    #expect((overview.object("places")["all"] as? NSNumber)?.intValue == 0)
  }

  @Test(arguments: ["/api/notes", "/api/keywords", "/api/suggest", "/api/references"])
  func `a list had as many rows as were asked for`(list: String) async throws {
    let page = try Page()
    _ = try await page.note("one")
    for number in 0..<3 {
      _ = try await page.ask(.post, "/api/keywords", ["name": "word \(number)"])
    }
    let answer = try await page.ask(.get, "\(list)?limit=501")
    #expect(answer.status == 400)
    #expect(answer.text("error") == "“limit” is at most 500, not 501.")
    #expect(try await page.ask(.get, "\(list)?limit=500").status == 200)
    #expect(try await page.ask(.get, "\(list)?limit=0").status == 200)
  }

  @Test(.timeLimit(.minutes(30)), arguments: ["/api/notes/move", "/api/notes/trash"])
  func `a hundred thousand notes that are none are refused at once`(target: String) async throws {
    let page = try Page()
    let id = try await page.note("one")
    let ids = [id] + (0..<99_000).map { _ in UUID().uuidString }
    let body = #"{"notes": [\#(ids.map { #""\#($0)""# }.joined(separator: ","))]}"#
    let answer = try await page.send(.post, target, Data(body.utf8))
    #expect(refuses(answer), "\(answer.status)")
    #expect(try await page.ask(.get, "/api/notes/\(id)")["trashed"] is NSNull)
  }

  @Test func `a limit of no keywords gave all of them`() async throws {
    let page = try Page()
    _ = try await page.ask(.post, "/api/keywords", ["name": "word"])
    #expect((try await page.ask(.get, "/api/keywords?limit=0").json as? [Any])?.isEmpty == true)
  }

  @Test func `a window behind the end is empty`() async throws {
    let page = try Page()
    _ = try await page.note("one")
    let answer = try await page.ask(.get, "/api/notes?offset=1000000000&limit=500")
    #expect(answer.status == 200)
    #expect(answer.list("rows").isEmpty)
    #expect(answer.number("offset") == 1)
    #expect(answer.number("total") == 1)
  }

  @Test func `pictures that were refused had no status of their own`() async throws {
    let page = try Page()
    let id = try await page.note("title")
    func put(_ file: Data) async throws -> Page.Answer {
      try await page.ask(.put, "/api/notes/\(id)/attachment", upload: file)
    }
    let unknown = try await put(Data("<svg onload=alert(1)>".utf8))
    #expect(unknown.status == 415)
    #expect(unknown.text("error")?.hasPrefix("This is no picture that can be shown; ") == true)
    let damaged = try await put(Data([0xff, 0xd8, 0xff]) + Data(repeating: 0, count: 1000))
    #expect(damaged.status == 415)
    #expect(damaged.text("error")?.hasPrefix("The picture is damaged") == true)
    let huge = try await put(Self.png(width: 20_000, height: 20_000))
    #expect(huge.status == 413)
    #expect(huge.text("error")?.hasPrefix("The picture has 20000 × 20000 pixels; ") == true)
    #expect(try await put(Data()).status == 400)
    #expect(try await page.ask(.get, "/api/notes/\(id)")["attachment"] is NSNull)
  }

  /// The beginning of a PNG of a size.
  private static func png(width: UInt32, height: UInt32) -> Data {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      let named = Array(name.utf8) + content
      var sum: UInt32 = 0xffff_ffff
      for byte in named {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xedb8_8320 : sum >> 1 }
      }
      return bytes(UInt32(content.count)) + named + bytes(~sum)
    }
    func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }
    return Data(
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        + chunk("IHDR", bytes(width) + bytes(height) + [8, 0, 0, 0, 0])
        // An empty stream.
        + chunk("IDAT", [0x78, 0x9c, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01]) + chunk("IEND", [])
    )
  }

  @Test func `pictures that are none are refused`() async throws {
    let page = try Page()
    let id = try await page.note("title")
    let files: [Data] = [
      Data(), Data("<svg onload=alert(1)>".utf8), Data("%PDF-1.7".utf8), Data("GIF89a".utf8),
      Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
      Data([0xff, 0xd8, 0xff]) + Data(repeating: 0, count: 1000),
      Data("RIFF....WEBPVP8 ".utf8), Data("<html><script>".utf8),
    ]
    for file in files {
      #expect(refuses(try await page.ask(.put, "/api/notes/\(id)/attachment", upload: file)))
    }
    #expect(refuses(try await page.ask(.get, "/api/notes/\(id)/attachment")))
  }

  @Test func `files that are imported may hold anything`() async throws {
    let page = try Page()
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = Random(seed: seed)
    let noise = Data((0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) })
    let files: [(String, Data)] = [
      ("../../etc/passwd.md", Data("# x".utf8)), (".md", Data("y".utf8)), ("", Data("z".utf8)),
      ("noise.md", noise), ("noise.rtf", noise), ("noise.txt", noise),
      ("deep.md", Data(String(repeating: "> ", count: 20_000).utf8)),
      ("deep.rtf", Data((#"{\rtf1 "# + String(repeating: "{", count: 20_000)).utf8)),
      ("script.md", Data("<script>alert(1)</script> [x](javascript:alert(1))".utf8)),
      ("stars.md", Data(String(repeating: "*a **b ", count: 5000).utf8)),
      ("brackets.md", Data(String(repeating: "[[", count: 20_000).utf8)),
    ]
    let answer = try await page.ask(.post, "/api/import", parts: files)
    #expect(answer.status == 200, "seed \(seed)")
    let count = answer.list("notes").count + answer.list("refused").count
    #expect(count == files.count, "seed \(seed)")
    for row in answer.list("notes") {
      let id = try #require(row["id"] as? String)
      let note = try await page.ask(.get, "/api/notes/\(id)")
      #expect(note.status == 200, "seed \(seed)")
      #expect(!String(decoding: note.data, as: UTF8.self).contains("\"href\":\"javascript"))
      let html = try await page.ask(.get, "/api/notes/\(id)/export?as=html")
      #expect(!String(decoding: html.data, as: UTF8.self).contains("<script>alert"))
    }
    #expect(refuses(try await page.ask(.post, "/api/import")))
  }

  /// Archives that are small and told the importer to put together, or to keep, far more than is in them.
  private static let swelling: [(name: String, files: @Sendable () -> [(String, Data)])] = [
    (
      "a long name of a folder before each of many paths",
      {
        let root = String(repeating: "r", count: 60_000)
        let folders = (0..<70_000).map { "\"f\($0)\"" }.joined(separator: ",")
        return [
          ("\(root)/.slipbox.json", Data("{\"folders\": [\(folders)]}".utf8)),
          ("a.md", Data("# A\n".utf8)),
        ]
      }
    ),
    (
      "a list of empty lines",
      {
        [
          ("iCloud Notes/Notes Details.csv", Data(repeating: UInt8(ascii: "\n"), count: 32 << 20)),
          ("iCloud Notes/Notes/A/A/A.txt", Data("A\n".utf8)),
        ]
      }
    ),
    (
      "a list of empty values",
      {
        [
          (
            "iCloud Notes/Notes Details.csv",
            Data(String(repeating: ",,,,\n", count: 6 << 20).utf8)
          ),
          ("iCloud Notes/Notes/A/A/A.txt", Data("A\n".utf8)),
        ]
      }
    ),
  ]

  @Test(.timeLimit(.minutes(30)), arguments: swelling.indices)
  func `a small archive took gigabytes of the server's memory`(index: Int) async throws {
    let files = Self.swelling[index].files()
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).zip")
    defer { try? FileManager.default.removeItem(at: url) }
    let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    var archive = ZipWriter(descriptor)
    for (path, data) in files { try archive.add(path, data, date: Date()) }
    try archive.finish()
    close(descriptor)
    let unpacked = files.reduce(0) { $0 + $1.0.utf8.count + $1.1.count } >> 20

    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try ServerProcess(store: folder)
    let (before, begun) = (server.mostMegabytes, server.processorSeconds)
    var request = URLRequest(
      url: try #require(URL(string: "http://127.0.0.1:\(server.port)/api/imports"))
    )
    request.httpMethod = "POST"
    request.httpBody = try Data(contentsOf: url)
    request.setValue(server.cookie, forHTTPHeaderField: "Cookie")
    request.setValue("http://127.0.0.1:\(server.port)", forHTTPHeaderField: "Origin")
    request.setValue("application/zip", forHTTPHeaderField: "Content-Type")
    let (answer, _) = try await URLSession.shared.data(for: request)
    let job = try #require(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
    let id = try #require(job["id"] as? String)
    var state = ""
    while !["done", "failed"].contains(state) {
      var look = URLRequest(
        url: try #require(URL(string: "http://127.0.0.1:\(server.port)/api/jobs/\(id)"))
      )
      look.setValue(server.cookie, forHTTPHeaderField: "Cookie")
      let (data, _) = try await URLSession.shared.data(for: look)
      let now = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      state = now?["state"] as? String ?? "failed"
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(state == "done")
    #expect(server.mostMegabytes - before < 64 + 20 * unpacked)
    // Less than five in a debug build on the machine where this was written.
    #expect(server.processorSeconds - begun < 60)
  }
}
