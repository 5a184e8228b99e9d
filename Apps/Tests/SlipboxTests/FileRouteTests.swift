import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Testing

@testable import Slipbox

/// Tests of files that come in, and of files that leave.
struct FileRouteTests {
  @Test func `pictures are put in, shown in small and in full, and taken away`() async throws {
    let page = try Page()
    let id = try await page.note("title")
    let picture = try await samplePicture()
    let put = try await page.ask(
      .put,
      "/api/notes/\(id)/attachment",
      headers: ["X-File-Name": "a%20slip.png"],
      upload: picture
    )
    #expect(put.status == 200)
    #expect(put.text("undo") == nil)
    let facts = try #require(put.object("note")["attachment"] as? [String: Any])
    #expect(facts["name"] as? String == "a slip.png")
    #expect(facts["type"] as? String == "image/png")
    #expect((facts["width"] as? NSNumber)?.intValue == 480)
    #expect((facts["bytes"] as? NSNumber)?.intValue == picture.count)
    let full = try await page.ask(.get, "/api/notes/\(id)/attachment")
    #expect(full.data == picture)
    #expect(full.headers["Content-Type"] == "image/png")
    let small = try await page.ask(.get, "/api/notes/\(id)/thumbnail?size=200")
    #expect(small.status == 200)
    #expect(small.headers["Content-Type"]?.hasPrefix("image/") == true)
    #expect(small.headers["ETag"] != nil)
    let deleted = try await page.ask(.delete, "/api/notes/\(id)/attachment")
    #expect(try await page.ask(.get, "/api/notes/\(id)/attachment").status == 404)
    #expect(try await page.ask(.get, "/api/notes/\(id)/thumbnail").status == 404)
    _ = try await page.ask(.post, "/api/undo/\(try #require(deleted.text("undo")))")
    #expect(try await page.ask(.get, "/api/notes/\(id)/attachment").data == picture)
  }

  /// The picture of the sample notes.
  private func samplePicture() async throws -> Data {
    let page = try Page()
    try await page.library.addSamplesIfNew()
    let list = try await page.ask(.get, "/api/notes?token=withAttachment")
    let id = try #require(list.list("rows").first?["id"] as? String)
    return try await page.ask(.get, "/api/notes/\(id)/attachment").data
  }

  @Test(arguments: [
    ("markdown", "text/markdown; charset=utf-8", "md"),
    ("html", "text/html; charset=utf-8", "html"),
    ("rtf", "application/rtf", "rtf"), ("json", "application/json", "json"),
  ])
  func `a note leaves as a file`(form: (name: String, type: String, ending: String)) async throws {
    let page = try Page()
    let id = try await page.note("A/title: \"1\"", "hello")
    let file = try await page.ask(.get, "/api/notes/\(id)/export?as=\(form.name)")
    #expect(file.headers["Content-Type"] == form.type)
    #expect(file.headers["Content-Disposition"]?.contains("A-title- -1-.\(form.ending)") == true)
    #expect(String(decoding: file.data, as: UTF8.self).contains("hello"))
  }

  @Test func `links between notes leave by their titles and come back`() async throws {
    let page = try Page()
    let slots = try await page.note("Slots")
    let twin = try await page.note("Twin")
    let younger = try await page.note("twin")
    func text(_ words: String, _ id: String) -> [String: Any] {
      [
        "type": "text", "text": words,
        "marks": [["type": "link", "attrs": ["href": "note:\(id)"]]],
      ]
    }
    let pieces = [text("Slots", slots), text("Slots here", slots), text("twin", younger)]
    let content = pieces.map { ["type": "paragraph", "content": [$0]] as [String: Any] }
    let document: [String: Any] = ["version": 1, "type": "doc", "content": content]
    let made = try await page.ask(.post, "/api/notes", ["title": "Links", "document": document])
    let id = try #require(made.text("id"))
    let file = try await page.ask(.get, "/api/notes/\(id)/export?as=markdown")
    let words = String(decoding: file.data, as: UTF8.self)
    #expect(words.contains("[[Slots]]\n\n[[Slots|Slots here]]\n\n[[twin|\(younger)]]"))
    let back = try await page.ask(.post, "/api/import", parts: [("Links.md", file.data)])
    let copy = try #require(back.list("notes").first?["id"] as? String)
    let links = try await page.ask(.get, "/api/notes/\(copy)").list("links")
    #expect(Set(links.compactMap { $0["id"] as? String }) == [slots, younger])
    #expect(twin != younger)
  }

  @Test(arguments: ["html", "rtf"])
  func `a picture was left out of the file of its note`(form: String) async throws {
    let page = try Page()
    let picture = try await samplePicture()
    let id = try await page.note("With a picture", "hello")
    _ = try await page.ask(.put, "/api/notes/\(id)/attachment", upload: picture)
    let file = try await page.ask(.get, "/api/notes/\(id)/export?as=\(form)")
    let text = String(decoding: file.data, as: UTF8.self)
    #expect(text.contains("hello"))
    if form == "html" {
      #expect(text.contains("data:image/png;base64,\(picture.base64EncodedString())\""))
      #expect(text.contains("img-src data:"))
    } else {
      let digits = picture.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(text.contains("\\pict\\pngblip\\picw480"))
      #expect(text.contains(digits))
    }
  }

  @Test func `files become notes, and what cannot be read is told with the reason`() async throws {
    let page = try Page()
    let known = try await page.note("Known")
    let folder = try await page.folder("F")
    let markdown = """
      ---
      title: Imported
      tags: [one, two]
      status: review
      ---

      See [[Known]] and [[Unknown]].
      """
    let answer = try await page.ask(
      .post,
      "/api/import?folder=\(folder)",
      parts: [
        ("a.md", Data(markdown.utf8)), ("b.txt", Data("plain".utf8)),
        ("c.rtf", Data(#"{\rtf1\ansi rich \b text\b0}"#.utf8)), ("d.exe", Data([0, 1, 2])),
        ("e.txt", Data([0xff, 0xfe, 0xfd])), ("f.rtf", Data("no rtf".utf8)),
      ]
    )
    #expect(answer.status == 200)
    let rows = answer.list("notes")
    #expect(rows.map { $0["title"] as? String } == ["Imported", "b", "c"])
    #expect(rows.first?["status"] as? String == "review")
    #expect((rows.first?["keywords"] as? [[String: Any]])?.count == 2)
    #expect(rows.allSatisfy { ($0["folder"] as? [String: Any])?["id"] as? String == folder })
    #expect(answer.list("refused").map { $0["name"] as? String } == ["d.exe", "e.txt", "f.rtf"])
    #expect(answer.list("refused").allSatisfy { ($0["reason"] as? String)?.isEmpty == false })
    let back = try await page.ask(.get, "/api/notes/\(known)")
    #expect(back.list("backlinks").map { $0["title"] as? String } == ["Imported"])
  }

  @Test func `an import of any size goes on after it was answered, and is told`() async throws {
    let page = try Page()
    let begun = try await page.ask(
      .post,
      "/api/imports",
      headers: ["X-File-Name": "A%20note.md"],
      upload: Data("See [[A note]].".utf8)
    )
    #expect(begun.status == 202)
    let done = try await page.end(of: begun)
    #expect(done.text("state") == "done")
    #expect(done.object("report")["notes"] as? Int == 1)
    let first = try #require(done.object("report")["first"] as? String)
    #expect(try await page.ask(.get, "/api/notes/\(first)").text("title") == "A note")
    let undo = try #require(done.object("report")["undo"] as? String)
    #expect(try await page.ask(.post, "/api/undo/\(undo)").status == 200)
    #expect(try await page.ask(.get, "/api/notes/\(first)").status == 404)
  }

  @Test(arguments: ["PK\u{3}\u{4} and nothing more", ""])
  func `what cannot be imported is refused before anything is done`(content: String) async throws {
    let page = try Page()
    let answer = try await page.ask(.post, "/api/imports", upload: Data(content.utf8))
    #expect([400, 415].contains(answer.status))
    #expect(answer.text("error")?.isEmpty == false)
    let missing = try await page.ask(.get, "/api/jobs/\(UUID())")
    #expect(missing.status == 404)
  }

  @Test func `everything leaves as an archive`() async throws {
    let page = try Page()
    _ = try await page.note("A note", "hello")
    let done = try await page.end(of: page.ask(.post, "/api/exports"))
    #expect(done.text("state") == "done")
    let id = try #require(done.text("id"))
    let file = try await page.ask(.get, "/api/exports/\(id)")
    #expect(file.status == 200 && file.headers["Content-Type"] == "application/zip")
    #expect(file.headers["Content-Disposition"]?.contains(".zip") == true)
  }

  @Test func `files of a text are kept, shown in small and saved`() async throws {
    let page = try Page()
    let id = try await page.note("With files")
    let picture = try await samplePicture()
    let kept = try await page.ask(
      .put,
      "/api/notes/\(id)/files",
      headers: ["X-File-Name": "a.png"],
      upload: picture
    )
    #expect(kept.status == 201 && kept.number("width") == 480)
    let file = try #require(kept.text("id"))
    let small = try await page.ask(.get, "/api/files/\(file)/thumbnail?size=200")
    #expect(small.status == 200 && !small.data.isEmpty)
    let page2 = try await page.ask(
      .put,
      "/api/notes/\(id)/files",
      headers: ["X-File-Name": "a.html"],
      upload: Data("<script>".utf8)
    )
    let other = try #require(page2.text("id"))
    let saved = try await page.ask(.get, "/api/files/\(other)")
    // Nothing that a browser could run is shown by it.
    #expect(saved.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
    #expect(saved.headers["Content-Type"] == "application/octet-stream")
    #expect(try await page.ask(.put, "/api/notes/\(id)/files", upload: Data()).status == 400)
  }

  @Test func `Markdown is read and written for who pastes and copies`() async throws {
    let page = try Page()
    let read = try await page.ask(.post, "/api/markdown", ["markdown": "# A\n\n- b"])
    let document = read.object("document")
    #expect(document["version"] as? Int == 5)
    let written = try await page.ask(.post, "/api/markdown/written", ["document": document])
    #expect(written.text("markdown") == "# A\n\n- b\n")
  }
}

extension Page {
  /// Asks until a job has ended.
  func end(of begun: Answer) async throws -> Answer {
    let id = try #require(begun.text("id"))
    while true {
      let answer = try await ask(.get, "/api/jobs/\(id)")
      if answer.text("state") != "running" { return answer }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
