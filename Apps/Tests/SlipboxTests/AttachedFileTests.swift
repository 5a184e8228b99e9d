import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Testing

@testable import Slipbox

/// Sounds, films, drawings and PDFs over HTTP.
struct AttachedFileTests {
  private static let sound = Data("RIFF\0\0\0\0WAVEfmt ".utf8) + Data(count: 5_000)
  private static let drawing = Data(
    "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'><script>alert(1)</script></svg>"
      .utf8
  )

  private func put(_ data: Data, _ name: String, _ page: Page) async throws -> Page.Answer {
    let note = try await page.note("title")
    let path = "/api/notes/\(note)/files"
    return try await page.ask(.put, path, headers: ["X-File-Name": name], upload: data)
  }

  @Test func `a sound has the type of its contents, and is played in parts`() async throws {
    let page = try Page()
    let facts = try await put(Self.sound, "report.html", page)
    #expect(facts.text("type") == "audio/wav")
    let id = try #require(facts.text("id"))
    let answer = try await page.ask(.get, "/api/files/\(id)")
    #expect(answer.headers["Content-Type"] == "audio/wav")
    #expect(answer.headers["Content-Disposition"] == nil)
    // It comes from a file, of which parts are sent; HeldFileTests and FileTests ask for these.
    #expect(answer.data.isEmpty)
    // A page of a stranger under the name of a sound is saved, not shown.
    let other = try await put(Data("<html><script>1</script>".utf8), "a.mp3", page)
    #expect(other.text("type") == "application/octet-stream")
    let saved = try await page.ask(.get, "/api/files/\(try #require(other.text("id")))")
    #expect(saved.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
  }

  @Test func `a drawing is a picture, and no script runs in it`() async throws {
    let page = try Page()
    let facts = try await put(Self.drawing, "a.svg", page)
    #expect(facts.text("type") == "image/svg+xml")
    #expect(facts.number("width") == 30 && facts.number("height") == 20)
    let id = try #require(facts.text("id"))
    for path in ["/api/files/\(id)", "/api/files/\(id)/thumbnail?size=600"] {
      let answer = try await page.ask(.get, path)
      #expect(answer.headers["Content-Type"] == "image/svg+xml")
      let policy = try #require(answer.headers["Content-Security-Policy"])
      #expect(policy.hasPrefix("default-src 'none'; style-src 'unsafe-inline'"))
      #expect(policy.hasSuffix("sandbox") && !policy.contains("script-src"))
      #expect(answer.data == Self.drawing)
    }
    let huge = Self.drawing + Data(repeating: 0x20, count: 5 << 20)
    let file = try await put(huge, "huge.svg", page)
    #expect(file.text("type") == "application/octet-stream" && file.number("width") == 0)
  }

  @Test func `pages of a file that is not a PDF are refused with a sentence`() async throws {
    let page = try Page()
    let id = try #require(try await put(Self.sound, "a.pdf", page).text("id"))
    let answer = try await page.ask(.get, "/api/files/\(id)/pages")
    #expect(answer.status == 415)
    #expect(answer.text("error") == "The file “a.pdf” is not a PDF, so it has no pages.")
    let damaged = try #require(try await put(Data("%PDF-1.4 no".utf8), "b.pdf", page).text("id"))
    for path in ["pages", "pages/1"] {
      let answer = try await page.ask(.get, "/api/files/\(damaged)/\(path)")
      #expect(answer.status == 415)
      #expect(answer.text("error")?.hasPrefix("The PDF cannot be read: it is damaged") == true)
    }
    for number in ["x", "-1", "99999999999999999999"] {
      let answer = try await page.ask(.get, "/api/files/\(damaged)/pages/\(number)")
      #expect(answer.status == 404)
    }
  }

  @Test func `a page that leaves plays its sounds and shows its drawings`() async throws {
    let page = try Page()
    let note = try await page.note("title")
    func file(_ data: Data, _ name: String) async throws -> String {
      let path = "/api/notes/\(note)/files"
      let answer = try await page.ask(.put, path, headers: ["X-File-Name": name], upload: data)
      return try #require(answer.text("id"))
    }
    let blocks: [[String: Any]] = [
      ["type": "file", "attrs": ["file": try await file(Self.sound, "s.wav"), "name": "s.wav"]],
      [
        "type": "picture",
        "attrs": ["file": try await file(Self.drawing, "d.svg"), "caption": "D"],
      ],
      [
        "type": "file",
        "attrs": ["file": try await file(Data("x".utf8), "x.txt"), "name": "x.txt"],
      ],
    ]
    let document: [String: Any] = ["version": 1, "type": "doc", "content": blocks]
    let revision = try await page.ask(.get, "/api/notes/\(note)").number("revision")
    let edited = try await page.ask(
      .patch,
      "/api/notes/\(note)",
      ["base": revision ?? 0, "document": document]
    )
    #expect(edited.status == 200)
    let html = try await page.ask(.get, "/api/notes/\(note)/export?as=html")
    let text = String(decoding: html.data, as: UTF8.self)
    let sound = Self.sound.base64EncodedString()
    #expect(
      text.contains("<audio controls aria-label=\"s.wav\" src=\"data:audio/wav;base64,\(sound)\">")
    )
    #expect(
      text.contains("<img src=\"data:image/svg+xml;base64,\(Self.drawing.base64EncodedString())\"")
    )
    #expect(text.contains("media-src data:") && !text.contains("<script"))
    #expect(text.contains("<p>📎 x.txt</p>"))
    let archive = try await page.ask(.get, "/api/notes/\(note)/export?as=markdown")
    for name in ["s.wav", "d.svg", "x.txt"] {
      #expect(archive.data.range(of: Data("files/\(name)".utf8)) != nil)
    }
  }
}
