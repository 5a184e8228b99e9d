import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Notes of Simplenote and Standard Notes, which keep all of them in one file.
struct PlainProgramTests {
  // MARK: - Simplenote

  @Test func `notes of Simplenote come in with tags, dates, links and tasks`() async throws {
    let list = #"""
      {"activeNotes": [
        {"id": "one", "content": "Walk\r\n\r\n- [x] packed\r\n- [ ] gone\r\nSee [Two](simplenote://note/two). *no*",
         "creationDate": "2023-11-28T19:00:41.335Z", "lastModified": "2024-08-11T11:23:05.544Z", "pinned": true,
         "tags": ["out"]},
        {"id": "two", "content": "# Two\r\n\r\n**bold** [back](simplenote://note/one)", "markdown": true,
         "creationDate": "2023-11-28T19:02:44.173Z", "lastModified": "2024-04-03T17:22:35.425Z"}],
       "trashedNotes": [{"id": "three", "content": "Old\r\nthing"}]}
      """#
    let export = try await ImportedExport([
      "notes/source/notes.json": list,
      "notes/Walk.txt":
        "Walk\r\n\r\n- [x] packed\r\n- [ ] gone\r\nSee [Two](simplenote://note/two). *no*\n\nTags:\n  out",
      "notes/trash/Old.txt": "Old\r\nthing", "notes/Mine.txt": "my own",
    ])
    #expect(try await export.titles == ["Mine", "Two", "Walk"])
    let walk = try await export.note("Walk")
    #expect(walk.markdown == "- [x] packed\n- [ ] gone\n\nSee [[Two]]. \\*no\\*")
    #expect((walk.keywords, walk.isPinned, walk.links) == (["out"], true, ["Two"]))
    #expect(walk.created == moment("2023-11-28T19:00:41.335Z"))
    #expect(walk.modified == moment("2024-08-11T11:23:05.544Z"))
    let two = try await export.note("Two")
    #expect(two.markdown == "**bold** [[Walk|back]]")
    #expect(two.links == ["Walk"])
    #expect(export.reasons == ["Old": "It lies in Simplenote’s trash."])
  }

  // MARK: - Standard Notes

  private func backup(_ items: String...) -> String {
    "{\"version\": \"004\", \"items\": [\(items.joined(separator: ","))]}"
  }

  private func note(_ id: String, _ content: String) -> String {
    """
    {"uuid": "\(id)", "content_type": "Note", "content": {\(content), "references": [], "appData":
    {"org.standardnotes.sn": {"client_updated_at": "2024-04-28T09:29:42.628Z", "pinned": true, "archived": true}}},
    "created_at": "2024-04-28T09:29:22.642Z", "updated_at": "1970-01-01T00:00:00.000Z"}
    """
  }

  private static let name = "Standard Notes Backup and Import File.txt"

  @Test
  func `notes of Standard Notes come in with tags, marks, dates and the looks of their editor`()
    async throws
  {
    let document = #"""
      {\"root\":{\"type\":\"root\",\"children\":[{\"type\":\"heading\",\"tag\":\"h2\",\"children\":[{\"type\":\"text\",\"text\":\"Head\",\"format\":0}]},{\"type\":\"paragraph\",\"children\":[{\"type\":\"text\",\"text\":\"bold\",\"format\":1},{\"type\":\"link\",\"url\":\"https://example.org/\",\"children\":[{\"type\":\"text\",\"text\":\"there\",\"format\":2}]},{\"type\":\"snbubble\",\"itemUuid\":\"a\"}]},{\"type\":\"list\",\"listType\":\"check\",\"children\":[{\"type\":\"listitem\",\"checked\":true,\"children\":[{\"type\":\"text\",\"text\":\"done\"}]}]},{\"type\":\"snfile\",\"fileUuid\":\"f\"}]}}
      """#
    let export = try await ImportedExport([
      Self.name: backup(
        note(
          "a",
          #""title": "Plain", "text": "one\n\ntwo *", "noteType": "plain-text", "starred": true"#
        ),
        note("b", #""title": "Super", "text": "\#(document)", "noteType": "super""#),
        note("c", #""title": "Page", "text": "<p dir=\"auto\">a <b>page</b></p>""#),
        note("d", #""title": "Gone", "text": "x", "trashed": true"#),
        note("e", ##""title": "Marked", "text": "# a\n\n- b", "noteType": "markdown""##),
        #"{"uuid": "t", "content_type": "Tag", "content": {"title": "travel", "references": []}}"#,
        #"""
        {"uuid": "u", "content_type": "Tag", "content": {"title": "italy", "references":
        [{"content_type": "Tag", "uuid": "t", "reference_type": "TagToParentTag"},
        {"uuid": "a", "content_type": "Note"}]}}
        """#,
        #"{"uuid": "f", "content_type": "SN|File", "content": {"name": "plan.pdf", "references": []}}"#
      ),
      "Items/Note/Plain-a.txt": "one\n\ntwo", "Items/Tag/Tag-t.txt": "{}", "Other.txt": "other",
    ])
    #expect(try await export.titles == ["Marked", "Other", "Page", "Plain", "Super"])
    let plain = try await export.note("Plain")
    #expect(plain.markdown == "one\n\ntwo \\*")
    #expect((plain.keywords, plain.status) == (["travel/italy"], .archived))
    #expect((plain.isPinned, plain.isFavourite) == (true, true))
    #expect(plain.created == moment("2024-04-28T09:29:22.642Z"))
    #expect(plain.modified == moment("2024-04-28T09:29:42.628Z"))
    let document2 = try await export.note("Super")
    #expect(
      document2.markdown
        == "## Head\n\n**bold**[_there_](https://example.org/)[[Plain]]\n\n- [x] done\n\n\\[plan.pdf\\]"
    )
    #expect(try await export.note("Page").markdown == "a **page**")
    #expect(try await export.note("Marked").markdown == "# a\n\n- b")
    #expect(export.reasons["Gone"] == "It lies in the trash of Standard Notes.")
    #expect(export.reasons["plan.pdf"]?.hasPrefix("A backup does not have the content") == true)
    #expect(export.changes == ["missingFile"])
  }

  @Test func `an encrypted backup of Standard Notes says what to do`() async throws {
    let export = try await ImportedExport([
      Self.name: backup(#"{"uuid": "a", "content_type": "Note", "content": "004:abc"}"#)
    ])
    #expect(export.report.notes == 0)
    #expect(
      export.reasons[Self.name]
        == "The backup is encrypted. Make a decrypted backup in Standard Notes, and import that."
    )
  }

  // MARK: - Canvas

  @Test func `a canvas is a note with links to the notes on it`() async throws {
    let canvas = """
      {"nodes": [
        {"id": "g", "type": "group", "x": -10, "y": 300, "width": 900, "height": 400, "label": "Reading"},
        {"id": "a", "type": "text", "text": "**Slow** is fine.\\n\\n- a", "x": 0, "y": 0, "width": 10, "height": 10},
        {"id": "b", "type": "file", "file": "Reading/Slots.md", "subpath": "#Early", "x": 0, "y": 350, "width": 9, "height": 9},
        {"id": "c", "type": "file", "file": "tree.png", "x": 100, "y": 350, "width": 9, "height": 9},
        {"id": "d", "type": "link", "url": "https://example.org/", "x": 50, "y": 0, "width": 9, "height": 9, "color": "1"}],
       "edges": [{"id": "e", "fromNode": "a", "toNode": "b", "label": "leads to"},
        {"id": "f", "fromNode": "b", "fromEnd": "arrow", "toNode": "d", "toEnd": "none"}]}
      """
    let export = try await ImportedExport(
      [
        "V/Plane.canvas": canvas, "V/Reading/Slots.md": "slots", "V/Other.md": "[[Plane.canvas]]",
        "V/Empty.canvas": "",
      ],
      pictures: ["V/tree.png"]
    )
    let plane = try await export.note("Plane")
    #expect(plane.links == ["Slots"])
    #expect(plane.files == ["tree.png"])
    #expect(
      plane.markdown.hasPrefix(
        "**Slow** is fine.\n\n- a\n\n<https://example.org/>\n\n## Reading\n\n[[Slots#Early|Slots]]"
      )
    )
    #expect(
      plane.markdown.contains(
        "## Connections\n\n- Slow is fine. a → [[Slots#Early|Slots]]: leads to"
      )
    )
    #expect(plane.markdown.contains("← "))
    #expect(try await export.note("Other").links == ["Plane"])
    #expect(export.changes == ["looks", "places"])
    #expect(export.report.refused.isEmpty)
  }
}
