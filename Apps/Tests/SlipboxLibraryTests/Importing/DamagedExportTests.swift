import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Files of other programs with changed bytes become notes, or are refused with a sentence.
struct DamagedExportTests {
  private static let samples: KeyValuePairs<String, String> = [
    "Keep/n%.json": """
    {"title": "a", "textContent": "b", "listContent": [{"text": "c", "isChecked": true}], "labels": [{"name": "d"}],
    "attachments": [{"filePath": "e.png"}], "isTrashed": false, "userEditedTimestampUsec": 1690864183842000}
    """,
    "S%/source/notes.json": """
    {"activeNotes": [{"id": "x", "content": "a\\n- [ ] b [c](simplenote://note/x)", "tags": ["t"]}], "trashedNotes": []}
    """,
    "N%/Standard Notes Backup and Import File.txt": """
    {"items": [{"uuid": "a", "content_type": "Note", "content": {"title": "a", "noteType": "super", "references": [],
    "text": "{\\"root\\":{\\"children\\":[{\\"type\\":\\"list\\",\\"children\\":[{\\"type\\":\\"listitem\\"}]}]}}"}}]}
    """,
    "V/c%.canvas": """
    {"nodes": [{"id": "a", "type": "text", "text": "b", "x": 1, "y": 2, "width": 3, "height": 4}, {"id": "g",
    "type": "group", "label": "h"}], "edges": [{"fromNode": "a", "toNode": "g"}]}
    """,
    "T/T %1590080aa5a3802488c2e857dea7.csv":
      "Name,Tags,When\n\"a, b\",\"c\",\"June 8, 2025\"\n\"d\n",
    "T/P %1590080aa5a3802488c2e857dea7.md": "# a\n\nTags: b\n\n<aside>\nc [](d%20e.md)\n</aside>",
    "T/H %1590080aa5a3802488c2e857dea7.html":
      "<title>a</title><table class=\"properties\"><tr><th>b</th><td>c</td></tr></table><figure class=\"callout\">d</figure>",
    "J/%abd5d51716c4db7b05c02700ffa68.md":
      "a\n\nb [c](:/82eba373e2054df8adb94274c3add306)\n\nid: x\nis_todo: 1\ntype_: 1",
    "G/pages/p%.md":
      "a:: b\n\n- TO\u{44}O c ((60af74c1-62f8-434a-827c-abc6d2a71734))\n  id:: 60af74c1-62f8-434a-827c-abc6d2a71734\n#+BEGIN_NOTE",
  ]

  private static let copies = 150

  @Test(.timeLimit(.minutes(10)))
  func `files of other programs with changed bytes are notes or refused`() async throws {
    var random = SeededNumbers(77)
    var files: [(path: String, data: Data)] = [("G/logseq/config.edn", Data())]
    for (path, text) in Self.samples {
      for number in 0..<Self.copies {
        let digits = String(format: "%04x", number)
        files.append((path.replacing("%", with: digits), Self.damaged(Data(text.utf8), &random)))
      }
    }
    let export = try await ImportedExport(Archive.of(files))
    #expect(export.report.notes > 0)
    #expect(export.report.refused.allSatisfy { $0.reason.hasSuffix(".") })
    // And the server goes on.
    _ = try await export.box.note("after")
  }

  @Test func `archives of Joplin with changed bytes are read or refused`() async throws {
    var random = SeededNumbers(78)
    let item = JoplinTests.item(JoplinTests.walk, "a\n\nb", type: 1)
    let archive = TarSample.archive([
      ("\(JoplinTests.walk).md", Data(item.utf8)), ("resources/a.png", Data()),
    ])
    var readCount = 0
    for _ in 0..<500 {
      do {
        _ = try ImportSource(archive: Self.damaged(archive, &random))
        readCount += 1
      } catch {
        #expect(error.localizedDescription.hasSuffix("."))
      }
    }
    #expect(readCount > 0)
  }

  /// The data with some bytes changed, taken out or doubled.
  static func damaged(_ data: Data, _ random: inout SeededNumbers) -> Data {
    var data = Array(data)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !data.isEmpty {
      let place = Int.random(in: 0..<data.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: data[place] = UInt8.random(in: 0...255, using: &random)
      case 1: data.remove(at: place)
      case 2: data.removeSubrange(place..<min(place + 20, data.count))
      default: data.insert(contentsOf: data[place..<min(place + 20, data.count)], at: place)
      }
    }
    return Data(data)
  }
}
