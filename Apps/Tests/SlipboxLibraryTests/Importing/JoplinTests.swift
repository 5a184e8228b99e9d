import Archives
import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Notes of Joplin come in from its RAW export and from `.jex` archives.
struct JoplinTests {
  static let walk = "9bdd5d51716c4db7b05c02700ffa68ce"
  static let other = "a4328c7f6ed74b02907997cca94cba62"
  static let outer = "815c019cb6a94c4890309b8dd64cd294"
  static let inner = "8fb7f1804434417ab05eb4d05f3ae125"
  static let tag = "153fd792ab3a40b091aaf79f413cd000"
  static let picture = "82eba373e2054df8adb94274c3add306"

  /// An item as Joplin writes it.
  static func item(
    _ id: String,
    _ text: String,
    type: Int,
    _ facts: KeyValuePairs<String, String> = [:]
  ) -> String {
    let lines = facts.map { "\($0.key): \($0.value)" }
    return ((text.isEmpty ? [] : [text, ""]) + ["id: \(id)"] + lines + ["type_: \(type)"])
      .joined(separator: "\n")
  }

  private static let files: KeyValuePairs<String, String> = [
    "\(walk).md": item(
      walk,
      "A walk\n\n# Morning\n\n![tree.png](:/\(picture))\n\nSee [that](:/\(other)#Early) and [[Other]].\n",
      type: 1,
      [
        "parent_id": inner, "created_time": "2024-04-28T21:53:13.353Z", "latitude": "32.08374110",
        "longitude": "0.00000000", "source_url": "https://example.org/walk", "is_todo": "1",
        "todo_due": "1652385600980", "todo_completed": "0",
        "user_created_time": "2024-04-13T16:27:16.000Z",
        "user_updated_time": "2024-04-14T16:27:36.000Z",
        "encryption_applied": "0", "markup_language": "1", "deleted_time": "0",
      ]
    ),
    "\(other).md": item(
      other,
      "Other\n\n<h2>Early</h2><p>a <b>page</b> <a href=\":/\(walk)\">back</a></p>",
      type: 1,
      ["parent_id": outer, "markup_language": "2", "author": "A. B."]
    ),
    "\(outer).md": item(outer, "Trips", type: 2, ["parent_id": ""]),
    "\(inner).md": item(inner, "By foot/bike", type: 2, ["parent_id": outer]),
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.md": item(
      "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
      "Empty one",
      type: 2,
      ["parent_id": outer]
    ),
    "\(tag).md": item(tag, "outside", type: 5),
    "cccccccccccccccccccccccccccccccc.md": item(
      "cccccccccccccccccccccccccccccccc",
      "",
      type: 6,
      ["note_id": walk, "tag_id": tag]
    ),
    "\(picture).md": item(picture, "tree.png", type: 4, ["mime": "image/png"]),
    "dddddddddddddddddddddddddddddddd.md": item(
      "dddddddddddddddddddddddddddddddd",
      "Thrown away\n\nold",
      type: 1,
      ["deleted_time": "1652385600980"]
    ),
    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee.md": item(
      "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
      "",
      type: 1,
      ["encryption_applied": "1"]
    ),
  ]

  @Test func `a folder of Joplin comes in with notebooks, tags, files, links and dates`()
    async throws
  {
    let export = try await ImportedExport(Self.files, pictures: ["resources/\(Self.picture).png"])
    try await expectAll(export)
  }

  @Test func `an archive of Joplin is a tar archive of the same files`() async throws {
    let files =
      Self.files.map { ($0.key, Data($0.value.utf8)) }
      + [("resources/\(Self.picture).png", Archive.picture)]
    try await expectAll(ImportedExport(ImportSource(archive: TarSample.archive(files))))
    // And beside others, in an archive of archives.
    let zip = try Archive.of([
      (path: "29_04_2024.jex", data: TarSample.archive(files)),
      (path: "a.md", data: Data("a".utf8)),
    ])
    #expect(try await ImportedExport(zip).report.notes == 3)
  }

  private func expectAll(_ export: ImportedExport) async throws {
    #expect(try await export.titles == ["A walk", "Other"])
    let walk = try await export.note("A walk")
    #expect(walk.folder == "Trips/By foot∕bike")
    #expect(walk.keywords == ["outside"])
    #expect(walk.links == ["Other"])
    #expect(walk.files == ["tree.png"])
    #expect(walk.created == moment("2024-04-13T16:27:16Z"))
    #expect(walk.modified == moment("2024-04-14T16:27:36Z"))
    #expect(
      walk.properties == [
        "source: https://example.org/walk", "latitude: 32.08374110", "completed: false",
        "due: 2022-05-12T20:00:00Z",
      ]
    )
    #expect(walk.markdown.hasPrefix("# Morning"))
    let other = try await export.note("Other")
    #expect(other.folder == "Trips")
    #expect(other.links == ["A walk"])
    #expect(other.markdown.contains("## Early\n\na **page** [[A walk|back]]"))
    #expect(export.reasons["Thrown away"] == "It lies in Joplin’s trash.")
    #expect(export.report.refused.count == 2)
    #expect((export.report.files, export.report.unused) == (1, 0))
    let folders = try await export.box.library.overview().folders.map(\.name)
    #expect(Set(folders) == ["Trips", "By foot∕bike", "Empty one"])
  }

  @Test func `a file of Markdown whose name looks like one of Joplin is a note`() async throws {
    let export = try await ImportedExport(["\(Self.walk).md": "# Plain\n\ntext"])
    #expect(try await export.titles == [Self.walk])
  }
}
