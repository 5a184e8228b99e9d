import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Graphs of Logseq come in with their tasks, references, properties and namespaces.
struct LogseqTests {
  private static let block = "60af74c1-62f8-434a-827c-abc6d2a71734"
  private static let unused = "60af74c1-62f8-434a-827c-abc6d2a71799"

  @Test func `words for tasks become boxes`() async throws {
    let export = try await ImportedExport([
      "G/logseq/config.edn": "{}",
      "G/pages/Tasks.md": """
      - TO\u{44}O buy
      - LATER read
      - DONE call
      \t- NOW write
      \t  SCHEDULED: <2026-11-21 Sat>
      - CANCELLED sing
      - TO\u{44}OS are words
      """,
    ])
    let tasks = try await export.note("Tasks").markdown.split(separator: "\n").map {
      $0.drop { $0 == " " }
    }
    #expect(tasks.starts(with: ["- [ ] buy", "- [ ] read", "- [x] call", "- [ ] NOW write\\"]))
    #expect(tasks[4].hasPrefix("SCHEDULED: "))
    #expect(tasks[5...].first == "- [x] CANCELLED sing")
    #expect(tasks.last?.hasSuffix("TO\u{44}OS are words") == true)
    #expect(export.report.unused == 0)
  }

  @Test func `references to blocks are links to them, with their words`() async throws {
    let export = try await ImportedExport([
      "G/logseq/config.edn": "{}",
      "G/pages/Travel___Rome.md": """
      - TO\u{44}O Book the [[train]]
        id:: \(Self.block)
        collapsed:: true
      - other
        id:: \(Self.unused)
      """,
      "G/pages/Plan.md": """
      - first ((\(Self.block))), [then](((\(Self.block)))) and ((\(Self.unused.replacing("6", with: "7"))))
      - {{embed ((\(Self.block)))}}
      - {{embed [[Travel/Rome]]}} and [[Travel/Rome]]
      """,
    ])
    let rome = try await export.note("Rome")
    #expect(rome.folder == "G/Travel")
    #expect(rome.markdown.contains("- [ ] Book the [[train]] ^60af74c1"))
    #expect(!rome.markdown.contains("id::") && !rome.markdown.contains("collapsed"))
    #expect(!rome.markdown.contains("a71799"))
    let plan = try await export.note("Plan")
    #expect(plan.links == ["Rome"])
    #expect(plan.markdown.contains("[[Rome#^60af74c1|Book the train]]"))
    #expect(plan.markdown.contains("[[Rome#^60af74c1|then]]"))
    #expect(plan.markdown.contains("((70af74c1"))
    // The block is on a line of its own, where it is shown.
    #expect(export.report.embedded == 1)
    #expect(export.changes.contains("appearance"))
  }

  @Test func `properties, other names and days of Logseq come in`() async throws {
    let export = try await ImportedExport([
      "G/pages/Rome.md": """
      alias:: Roma, [[Eternal City]]
      tags:: city, [[to see]]
      rating:: 5
      created-at:: 1621908710666

      - # Old town
      - #[[ancient things]] text
      #+BEGIN_QUOTE
      quoted
      #+END_QUOTE
      """,
      "G/journals/2026_11_21.md": "- [[Roma]] and [[Eternal City]]",
      "G/pages/Days.md": "- [[Nov 21st, 2026]]",
      "G/pages/a.org": "* org", "G/logseq/bak/pages/Rome/1.md": "- earlier",
    ])
    let rome = try await export.note("Rome")
    #expect(rome.aliases == ["Roma", "Eternal City"])
    #expect(rome.keywords == ["ancient things", "city", "to see"])
    #expect(rome.created == Date(timeIntervalSince1970: 1_621_908_710.666))
    #expect(rome.properties == ["rating: 5"])
    #expect(rome.markdown.contains("> quoted"))
    let day = try await export.note("2026-11-21")
    #expect(day.folder == "G/journals")
    #expect(day.links == ["Rome"])
    #expect(try await export.note("Days").links == ["2026-11-21"])
    #expect(export.reasons["G/pages/a.org"] == "Pages in Org mode are not imported.")
    #expect(export.reasons["logseq/bak"] == "Its 1 earlier versions of pages are not imported.")
  }

  @Test func `files of Logseq and code stay as they are`() async throws {
    let export = try await ImportedExport(
      [
        "G/logseq/config.edn": "{}",
        "G/pages/Code.md": """
        - ```
          TO\u{44}O ((\(Self.block)))
          ```
        - ![tree](../assets/tree.png){:height 100, :width 200}
        - done
          :LOGBOOK:
          CLOCK: [2026-11-21 Sat 10:00]
          :END:
        """,
      ],
      pictures: ["G/assets/tree.png"]
    )
    let seen = try await export.note("Code")
    #expect(seen.markdown.contains("TO\u{44}O ((\(Self.block)))"))
    #expect(seen.files == ["tree.png"])
    #expect(!seen.markdown.contains("CLOCK") && !seen.markdown.contains("height"))
    #expect(export.changes == ["facts"])
  }
}
