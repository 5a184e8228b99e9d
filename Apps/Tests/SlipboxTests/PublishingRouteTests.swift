import ChildPrograms
import CoreDataWebServer
import Foundation
import Testing

@testable import Slipbox
@testable import SlipboxLibrary

/// Published notes over HTTP.
struct PublishingRouteTests {
  private static let sound = Data("RIFF\0\0\0\0WAVEfmt ".utf8) + Data(count: 50)
  private static let drawing = Data(
    "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'><script>1</script></svg>".utf8
  )

  private func put(
    _ data: Data,
    _ name: String,
    _ note: String,
    _ page: Page
  ) async throws
    -> String
  {
    let path = "/api/notes/\(note)/files"
    let answer = try await page.ask(.put, path, headers: ["X-File-Name": name], upload: data)
    return try #require(answer.text("id"))
  }

  private func write(_ blocks: [[String: Any]], _ note: String, _ page: Page) async throws {
    let revision = try await page.ask(.get, "/api/notes/\(note)").number("revision") ?? 0
    let document: [String: Any] = ["version": 1, "type": "doc", "content": blocks]
    let path = "/api/notes/\(note)"
    let edited = try await page.ask(.patch, path, ["base": revision, "document": document])
    #expect(edited.status == 200)
  }

  private func publish(_ note: String, _ page: Page) async throws -> String {
    let answer = try await page.ask(.put, "/api/notes/\(note)/publication", ["language": "de"])
    #expect(answer.status == 200)
    #expect(answer.headers["Cache-Control"] == "no-store")
    return try #require(answer.text("path"))
  }

  private func paragraph(_ text: String, link: String? = nil) -> [String: Any] {
    var words: [String: Any] = ["type": "text", "text": text]
    if let link { words["marks"] = [["type": "link", "attrs": ["href": link]]] }
    return ["type": "paragraph", "content": [words]]
  }

  @Test func `a page has the note with its pictures and files, and nothing else`() async throws {
    let page = try Page()
    let other = try await page.note("Diary", "secret words")
    let note = try await page.note("Moss")
    let hidden = try await put(Self.drawing, "hidden.svg", note, page)
    let picture = try await put(Self.drawing, "d.svg", note, page)
    let sound = try await put(Self.sound, "s.wav", note, page)
    let file = try await put(Data("plain".utf8), "x.txt", note, page)
    let foreign = try await put(Data("theirs".utf8), "y.txt", other, page)
    var embed = paragraph("!")
    embed["content"] = [
      ["type": "text", "text": "!"],
      [
        "type": "text", "text": "Diary",
        "marks": [["type": "link", "attrs": ["href": "note:\(other)"]]],
      ],
    ]
    try await write(
      [
        paragraph("green %%Ask Anna.%%"), paragraph("See it", link: "note:\(other)"), embed,
        paragraph("%%not yet"),
        ["type": "picture", "attrs": ["file": hidden]], paragraph("shown%%"),
        ["type": "picture", "attrs": ["file": picture, "caption": "D"]],
        ["type": "file", "attrs": ["file": sound, "name": "s.wav"]],
        ["type": "file", "attrs": ["file": file, "name": "x.txt"]],
      ],
      note,
      page
    )
    let facts = try await page.ask(
      .patch,
      "/api/notes/\(note)",
      [
        "addKeywords": [["name": "bryology"]],
        "properties": [["name": "place", "kind": "text", "value": "Harz"]],
      ]
    )
    #expect(facts.status == 200)
    let path = try await publish(note, page)
    let answer = try await page.ask(.get, path)
    #expect(answer.status == 200)
    #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
    #expect(answer.headers["ETag"] == nil)
    let policy = try #require(answer.headers["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("script-src"))
    let text = String(decoding: answer.data, as: UTF8.self)
    for part in [
      "<html lang=\"de\">", "<h1>Moss</h1>", "<p>See it</p>", "<p>green </p>",
      "<img src=\"\(path)/files/\(picture)\" alt=\"D\">", "<audio controls",
      "src=\"\(path)/files/\(sound)\"", "<a href=\"\(path)/files/\(file)\" download>x.txt</a>",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    for word in [
      "Anna", "Diary", "secret", "note:", "bryology", "Harz", "not yet", "shown%", hidden, foreign,
      other, note, "<script",
    ] {
      #expect(!text.contains(word), "\(word) in \(text)")
    }

    let drawing = try await page.ask(.get, "\(path)/files/\(picture)")
    #expect(drawing.data == Self.drawing && drawing.headers["Content-Type"] == "image/svg+xml")
    #expect(drawing.headers["Content-Security-Policy"]?.hasSuffix("sandbox") == true)
    let plain = try await page.ask(.get, "\(path)/files/\(file)")
    #expect(plain.data == Data("plain".utf8))
    #expect(plain.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
    #expect(try await page.ask(.get, "\(path)/files/\(sound)").status == 200)
    for name in [hidden, foreign, "picture", UUID().uuidString, "x", "..%2f..%2faccess-key"] {
      #expect(try await page.ask(.get, "\(path)/files/\(name)").status == 404, "\(name)")
    }
    let elsewhere = "/p/\(String(repeating: "a", count: 32))/files/\(picture)"
    #expect(try await page.ask(.get, elsewhere).status == 404)
  }

  @Test func `a photograph is published without its place`() async throws {
    let page = try Page()
    let note = try await page.note("Moss")
    let place = "52.5163N 13.3777E"
    // Data behind the end of a picture leave with its metadata.
    let photo = SamplePicture.png + Data(place.utf8)
    let path = "/api/notes/\(note)/attachment"
    #expect(try await page.ask(.put, path, upload: photo).status == 200)
    let inText = try await put(photo, "p.png", note, page)
    try await write([["type": "picture", "attrs": ["file": inText]]], note, page)
    let link = try await publish(note, page)
    let text = String(decoding: try await page.ask(.get, link).data, as: UTF8.self)
    #expect(text.contains("src=\"\(link)/files/picture\""))
    for name in ["picture", inText] {
      let answer = try await page.ask(.get, "\(link)/files/\(name)")
      #expect(answer.status == 200 && answer.headers["Content-Type"] == "image/png")
      #expect(answer.headers["ETag"] == nil)
      // It is larger than what guests take from memory, so its bytes are read beside the route.
      let file = try await page.library.publishedFile(name, of: String(link.dropFirst(3)))
      guard case .picture(let picture) = file else {
        Issue.record("it is not a picture")
        continue
      }
      #expect(picture.data.count > 50 && picture.data.range(of: Data(place.utf8)) == nil)
    }
  }

  @Test func `a link is made, listed, replaced and ended`() async throws {
    let page = try Page()
    let note = try await page.note("Moss")
    let path = try await publish(note, page)
    #expect(try await publish(note, page) == path)
    let list = try await page.ask(.get, "/api/published")
    #expect(list.headers["Cache-Control"] == "no-store")
    let row = try #require(list.list("notes").first)
    #expect(Set(row.keys) == ["note", "title", "isInTrash", "since", "path"])
    #expect(row["path"] as? String == path && row["title"] as? String == "Moss")
    #expect(list.object("reach")["isLocal"] as? Bool == true)
    let replaced = try await page.ask(.post, "/api/notes/\(note)/publication")
    let new = try #require(replaced.text("path"))
    #expect(new != path)
    #expect(try await page.ask(.get, path).status == 404)
    #expect(try await page.ask(.get, new).status == 200)
    #expect(try await page.ask(.delete, "/api/notes/\(note)/publication").status == 204)
    #expect(try await page.ask(.get, new).status == 404)
    #expect(try await page.ask(.get, "/api/published").list("notes").isEmpty)
    for target in ["x", UUID().uuidString] {
      #expect(try await page.ask(.put, "/api/notes/\(target)/publication").status == 404)
    }
    let wrong = try await page.ask(.put, "/api/notes/\(note)/publication", ["language": 1])
    #expect(wrong.status == 400)
  }

  @Test func `a long page waits in a file, not in memory`() async throws {
    let page = try Page()
    let note = try await page.note("Moss", String(repeating: "green ", count: 10_000))
    let router = SlipboxRouter(page.library, pages: nil).router
    let answer = await router.respond(to: try Request(.get, try await publish(note, page)))
    guard case .held(let file) = answer.body else {
      Issue.record("it is in memory")
      return
    }
    #expect(file.byteCount > 60_000)
  }

  @Test func `a reader of a long page held up another text of the same length`() async throws {
    let page = try Page()
    let router = SlipboxRouter(page.library, pages: nil).router
    let green = String(repeating: "green ", count: 10_000)
    let note = try await page.note("Moss", green + "fern")
    let path = try await publish(note, page)
    func file() async throws -> HeldFile? {
      let answer = await router.respond(to: try Request(.get, path))
      return if case .held(let file) = answer.body { file } else { nil }
    }
    let first = try #require(try await file())
    #expect(try await file() === first)
    try await write([paragraph(green + "rose")], note, page)
    let second = try #require(try await file())
    #expect(second !== first && second.byteCount == first.byteCount)
  }
}

/// Published notes of the program itself, by somebody without its key.
@Suite(.serialized) struct PublishingProcessTests {
  private func inFolder(_ test: (URL) throws -> Void) throws {
    let store = URL.temporaryDirectory.appending(component: "slipbox-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: store) }
    try test(store)
  }

  private func publish(_ line: Line, _ words: String) throws -> (note: String, path: String) {
    let note = UUID().uuidString.lowercased()
    let text = #"{"type":"paragraph","content":[{"type":"text","text":"\#(words)"}]}"#
    let document = #"{"version":1,"type":"doc","content":[\#(text)]}"#
    let made = try line.ask(
      "POST",
      "/api/notes",
      #"{"id":"\#(note)","title":"Moss","document":\#(document)}"#
    )
    #expect(made.status == 201)
    let link = try line.ask("PUT", "/api/notes/\(note)/publication")
    let path = link.body.firstMatch(of: /"path":"([^"]*)"/)?.output.1
    return (note, String(try #require(path)).replacing("\\/", with: "/"))
  }

  @Test(.timeLimit(.minutes(60)))
  func `a stranger reads a published note, also after a restart, until it is ended`() throws {
    try inFolder { store in
      let first = try ServerProcess(store: store)
      let (note, path) = try publish(try Line(first), "green")
      func read(_ server: ServerProcess) throws -> (status: Int, body: String) {
        try Line(port: server.port, cookie: "").ask("GET", path)
      }
      #expect(try read(first).body.contains("<p>green</p>"))
      #expect(try Line(port: first.port, cookie: "").ask("GET", "/api/notes/\(note)").status == 401)
      #expect(try Line(port: first.port, cookie: "").ask("GET", "/api/published").status == 401)
      #expect(first.end() == .status(0))
      let second = try ServerProcess(store: store)
      #expect(try read(second).status == 200)
      let unknown = try Line(port: second.port, cookie: "").ask("GET", "/p/unknown")
      #expect(unknown.status == 404)
      #expect(try Line(second).ask("DELETE", "/api/notes/\(note)").status == 200)
      let trashed = try read(second)
      #expect(trashed.status == 404 && trashed.body == unknown.body)
      #expect(try Line(second).ask("POST", "/api/notes/\(note)/restore").status == 200)
      #expect(try read(second).status == 200)
      #expect(try Line(second).ask("DELETE", "/api/notes/\(note)/publication").status == 204)
      let ended = try read(second)
      #expect(ended.status == 404 && ended.body == unknown.body)
      #expect(second.end() == .status(0))
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `strangers who read a long note do not hold up its writer`() throws {
    try inFolder { store in
      let server = try ServerProcess(store: store)
      let (_, path) = try publish(try Line(server), String(repeating: "green ", count: 100_000))
      let strangers = try (0..<200).map { _ in
        let line = try Line(port: server.port, cookie: "")
        try line.send("GET", path)
        return line
      }
      let writer = try Line(server)
      var slowest = Duration.zero
      for _ in 0..<20 {
        let began = ContinuousClock.now
        #expect(try writer.ask("GET", "/api/notes").status == 200)
        slowest = max(slowest, began.duration(to: .now))
      }
      // All of them, one after the other, take longer.
      #expect(slowest < .seconds(5), "\(slowest)")
      #expect(try #require(strangers[0].answer()).status == 200)
      withExtendedLifetime(strangers) {}
    }
  }
}
