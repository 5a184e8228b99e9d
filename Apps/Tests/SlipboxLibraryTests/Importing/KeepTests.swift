import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Notes of Google Keep come in from Google's archive.
struct KeepTests {
  private func note(_ members: String) -> String {
    """
    {\(members), "isTrashed": false, "isPinned": false, "isArchived": false, "color": "DEFAULT",
    "userEditedTimestampUsec": 1690864183842000, "createdTimestampUsec": 1690514467150000}
    """
  }

  @Test func `a note of Keep comes in with its tasks, labels, dates and color`() async throws {
    let export = try await ImportedExport([
      "Takeout/Keep/Shopping.json": """
      {"title": "Shopping", "listContent": [{"text": "Bread", "isChecked": true}, {"text": "Milk", "isChecked": false}],
      "labels": [{"name": "home"}, {"name": "to buy"}], "color": "RED", "isTrashed": false, "isPinned": true,
      "isArchived": true, "userEditedTimestampUsec": 1690864183842000, "createdTimestampUsec": 1690514467150000}
      """
    ])
    let seen = try await export.note("Shopping")
    #expect(seen.properties == ["color: red"])
    #expect(seen.markdown == "- [x] Bread\n- [ ] Milk")
    #expect(seen.keywords == ["home", "to buy"])
    #expect((seen.isPinned, seen.status, seen.folder) == (true, .archived, "Keep"))
    #expect(seen.created == Date(timeIntervalSince1970: 1_690_514_467.15))
    #expect(abs(seen.modified.timeIntervalSince1970 - 1_690_864_183.842) < 0.001)
    #expect(export.report.refused.isEmpty)
  }

  @Test func `a picture of Keep is found although its note calls it otherwise`() async throws {
    let files = """
      "attachments": [{"filePath": "16.7.jpeg", "mimetype": "image/jpeg"}, {"filePath": "2.3gp", "mimetype": "audio/3gp"}]
      """
    let export = try await ImportedExport(
      [
        "Takeout/Google Notizen/Tree.json": note(
          "\"title\": \"Tree\", \"textContent\": \"An oak.\", \(files)"
        )
      ],
      pictures: ["Takeout/Google Notizen/16.7.jpg"]
    )
    #expect(try await export.note("Tree").files == ["16.7.jpg"])
    #expect(export.report.files == 1)
    #expect(
      export.reasons["Takeout/Google Notizen/Tree.json"] == "Its file “2.3gp” is missing."
    )
  }

  @Test func `pages and lists beside the notes of Keep are copies, and trash stays trash`()
    async throws
  {
    let export = try await ImportedExport([
      "Takeout/Keep/One.json": note(
        #""title": "", "textContent": "first\nsecond", "labels": [{"name": "a"}]"#
      ),
      "Takeout/Keep/One.html": "<p>first</p>",
      "Takeout/Keep/Old.json":
        #"{"title": "Old", "isTrashed": true, "userEditedTimestampUsec": 1690864183842000}"#,
      "Takeout/Keep/Old.html": "<p>old</p>", "Takeout/Keep/Labels.txt": "a\nunused\n",
      "Takeout/archive_browser.html": "<p>all</p>", "Takeout/Other/data.json": "{}",
    ])
    #expect(export.report.notes == 1)
    #expect(export.reasons["Takeout/Keep/Old.json"] == "It lies in Keep’s trash.")
    #expect(
      export.reasons["Takeout/Keep/Labels.txt"] == "No imported note has these labels: unused."
    )
    #expect(export.reasons.keys.contains("Takeout/archive_browser.html"))
    #expect(try await export.titles == [""])
    #expect(try await export.note("").markdown == "first\\\nsecond")
    #expect(export.report.unusedNames == ["Takeout/Other/data.json"])
  }

  @Test func `looks of words and pages of the web that Keep shows come in`() async throws {
    let html =
      #"<p dir=\"ltr\" style=\"line-height:1.38\"><span style=\"font-size:16pt;font-weight:700\">bold</span> word</p>"#
    let export = try await ImportedExport([
      "Takeout/Keep/Looks.json": note(
        """
        "title": "Looks", "textContent": "bold word", "textContentHtml": "\(html)", "annotations":
        [{"description": "Maps for all", "source": "WEBLINK", "title": "Map", "url": "https://example.org/"}]
        """
      )
    ])
    #expect(
      try await export.note("Looks").markdown
        == "**bold** word\n\n[Map](https://example.org/)\\\nMaps for all"
    )
    #expect(export.changes.isEmpty)
  }

  @Test func `a file of JSON that is not a note says what can be imported`() async throws {
    let file = ImportedFile(name: "data.json", data: Data("[1]".utf8))
    let export = try await ImportedExport(ImportSource([file]))
    #expect(export.report.notes == 0)
    #expect(export.reasons["data.json"]?.contains("Google Keep") == true)
    let damaged = ImportedFile(name: "a.json", data: Data(note(#""title": "a" "x": 1"#).utf8))
    let other = try await ImportedExport(ImportSource([damaged]))
    #expect(other.reasons["a.json"]?.hasPrefix("The file is damaged.") == true)
  }
}
