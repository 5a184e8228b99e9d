import Foundation
import RichText
import Testing

@testable import SlipboxLibrary

/// Exports of Notion come in without the identifiers in their names, and with their tables.
struct NotionTests {
  private static let root = "Export-950ad927-7171-4abf-9001-821e5310d286"
  private static let trips = "Trips 19accaea7a6c42b1b569ca637746ba4b"
  private static let home = "Home b96be130e1ec4fed833abe9036ff4b5a"

  private static let rome = "Rome 11d61e21a4694f519280ccf37245d01e"
  private static let whole = """
    \u{FEFF}Name,Tags,Visited,Seen,Rating,Place,Created time\r
    Rome,"city, old","June 8, 2025 6:10 AM",Yes,5,"Italy (../Home%20b96be130e1ec4fed833abe9036ff4b5a.md)","June 1, 2025 7:00 AM"\r
    Oslo,,"June 9, 2025",No,4.5,Norway,\r
    ,,,,,,\r

    """

  private func imported() async throws -> ImportedExport {
    let folder = Self.root
    return try await ImportedExport(
      [
        "\(folder)/index.html": #"<html><body><ul id="id::87fc3678"></ul></body></html>"#,
        "\(folder)/\(Self.home).md": """
        # Home

        [Trips](\(Self.escaped(Self.trips)).csv) and [Rome](\(Self.escaped("\(Self.trips)/\(Self.rome)")).md)

        <aside>
        💡 Mind the ****gap

        </aside>

        - [x]  packed
        ![tree.png](\(Self.escaped(Self.home))/tree.png)
        """,
        "\(folder)/\(Self.trips).csv": "Name,Tags\nRome,city\n",
        "\(folder)/\(Self.trips)_all.csv": Self.whole,
        "\(folder)/\(Self.trips)/\(Self.rome).md": """
        # Rome

        Tags: city, old
        Visited: June 8, 2025 6:10 AM
        Seen: Yes
        Rating: 5
        Place: Italy (../Home%20b96be130e1ec4fed833abe9036ff4b5a.md)
        Created time: June 1, 2025 7:00 AM

        Kind: not a column

        [](\(Self.escaped(Self.home)).md)
        """,
        "\(folder)/\(Self.trips)/Untitled 11d61e21a4694f519280ccf37245d01f.md":
          "# Untitled\n\nnothing",
      ],
      pictures: ["\(folder)/\(Self.home)/tree.png"]
    )
  }

  private static func escaped(_ path: String) -> String { path.replacing(" ", with: "%20") }

  @Test func `pages of Notion have their titles, and links lead to pages and tables`() async throws
  {
    let export = try await imported()
    #expect(try await export.titles == ["Home", "Oslo", "Rome", "Trips", "Untitled"])
    let home = try await export.note("Home")
    #expect(home.links == ["Rome", "Trips"])
    #expect(home.files == ["tree.png"])
    #expect(home.folder == "")
    #expect(home.markdown.contains("> [!note]\n> 💡 Mind the gap"))
    #expect(home.markdown.contains("- [x] packed"))
    #expect(
      export.reasons == [
        "\(Self.root)/index.html": "It lists the pages of the export, which are imported."
      ]
    )
  }

  @Test func `a page of a table of Notion has the row as its properties`() async throws {
    let rome = try await imported().note("Rome")
    #expect(rome.folder == "Trips")
    #expect(rome.keywords == ["city", "old"])
    #expect(rome.created == moment("June 1, 2025 7:00 AM"))
    let visited = moment("June 8, 2025 6:10 AM").formatted(.iso8601)
    #expect(rome.properties == ["Visited: \(visited)", "Seen: true", "Rating: 5", "Place: Italy"])
    #expect(rome.markdown.hasPrefix("Kind: not a column"))
    #expect(rome.links == ["Home"])
  }

  @Test func `a row of Notion without a page is a note, and the table shows all`() async throws {
    let export = try await imported()
    let oslo = try await export.note("Oslo")
    #expect(oslo.folder == "Trips")
    #expect(
      oslo.properties == ["Visited: 2025-06-09", "Seen: false", "Rating: 4.5", "Place: Norway"]
    )
    #expect(oslo.markdown.isEmpty)
    let trips = try await export.note("Trips")
    #expect(trips.links == ["Oslo", "Rome"])
    #expect(trips.markdown.contains("| Name"))
    #expect(trips.markdown.contains("Italy"))
  }

  @Test func `a page of Notion in HTML has its properties, tasks and remarks`() async throws {
    let page = """
      <html><head><title>Machine</title></head><body><article class="page sans"><header><h1 class="page-title">Machine\
      </h1><table class="properties"><tbody><tr class="property-row"><th>Tags</th><td>\
      <span class="selected-value">home</span><span class="selected-value">coffee</span></td></tr>\
      <tr><th>Serviced</th><td><div class="checkbox checkbox-on"></div></td></tr>\
      <tr><th>Bought</th><td><time>@March 1, 2024</time></td></tr></tbody></table></header><div class="page-body">\
      <nav class="block-color-gray table_of_contents"><a href="#a">A</a></nav>\
      <figure class="callout" id="1"><div><img class="icon" src="https://www.notion.so/icons/x.svg"/></div>\
      <div><p>Mind it</p></div></figure>\
      <ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>done</span></li></ul>\
      <ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>open</span></li></ul>\
      <figure><div class="source"><a href="Machine/a%20tree.png">tree</a></div></figure></div></article>\
      </body></html>
      """
    let export = try await ImportedExport(
      ["Machine 1590080aa5a3802488c2e857dea7aa7d.html": page],
      pictures: ["Machine/a tree.png"]
    )
    let seen = try await export.note("Machine")
    #expect(seen.keywords == ["coffee", "home"])
    #expect(seen.properties == ["Serviced: true", "Bought: 2024-03-01"])
    #expect(seen.markdown.hasPrefix("> [!note]\n> Mind it\n\n- [x] done\n- [ ] open"))
    #expect(seen.files == ["a tree.png"])
    #expect(export.changes.isEmpty)
  }

  @Test func `a long table of Notion shows its first rows, and has notes of all`() async throws {
    let rows = (1...600).map { "Row \($0),\($0)" }.joined(separator: "\n")
    let export = try await ImportedExport(["\(Self.trips).csv": "Name,Number\n\(rows)\n"])
    #expect(export.report.notes == 601)
    #expect(
      export.reasons["\(Self.trips).csv"] == "Its note shows 500 of 600 rows."
    )
    #expect(try await export.note("Row 600").properties == ["Number: 600"])
  }
}
