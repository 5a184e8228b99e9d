import Foundation
import RichText

/// A page of Notion as a page of the web, with the elements that other pages have instead of Notion's own.
///
/// ```
/// <div class="checkbox checkbox-on"></div>      <input type="checkbox" checked>
/// <figure class="callout">                      <aside data-callout="note">
/// <table class="properties">                    nothing: its rows are in `properties`
/// ```
struct NotionWeb {
  private(set) var page: String
  /// The names and values of the page's properties.
  private(set) var properties: [(name: String, value: String)] = []

  init(_ page: String) throws {
    self.page = page
    try takeProperties()
    self.page = Self.replacing(self.page, from: "<nav", to: "</nav>") { inside in
      inside.contains("table_of_contents") ? "" : inside
    }
    self.page = Self.replacing(self.page, from: "<img class=\"icon\"", to: ">") { _ in "" }
    self.page = Self.replacing(self.page, from: "<div class=\"source\">", to: "</div>", Self.file)
    self.page = Self.callouts(in: self.page)
      .replacing(Self.box(isDone: true), with: "<input type=\"checkbox\" checked>")
      .replacing(Self.box(isDone: false), with: "<input type=\"checkbox\">")
  }

  /// A link to a file of the export as an element that shows it; links to the web stay.
  private static func file(_ link: String) -> String {
    guard let start = link.firstRange(of: "href=\""),
      let end = link[start.upperBound...].firstIndex(of: "\"")
    else { return link }
    let address = link[start.upperBound..<end]
    return address.contains("://") ? link : "<img src=\"\(address)\">"
  }

  private static func box(isDone: Bool) -> String {
    "<div class=\"checkbox checkbox-\(isDone ? "on" : "off")\"></div>"
  }

  /// Takes the table of properties out of the page.
  private mutating func takeProperties() throws {
    var table = ""
    page = Self.replacing(page, from: "<table class=\"properties\">", to: "</table>") { inside in
      table += inside
      return ""
    }
    if table.isEmpty { return }
    let plain =
      table
      .replacing(
        "</span><span class=\"selected-value",
        with: "</span>, <span class=\"selected-value"
      )
      .replacing(Self.box(isDone: true), with: "true")
      .replacing(Self.box(isDone: false), with: "false")
    for case .table(let table) in try HTMLPage(plain).text.blocks {
      for row in table.rows where row.count == 2 {
        let words = row.map { RichText([.paragraph($0)]).plainText }
        properties.append(
          (words[0], words[1].hasPrefix("@") ? String(words[1].dropFirst()) : words[1])
        )
      }
    }
  }

  /// Replaces each part between two signs that is not in another such part.
  private static func replacing(
    _ page: String,
    from start: String,
    to end: String,
    _ replacement: (String) -> String
  ) -> String {
    guard page.contains(start) else { return page }
    var written = ""
    var rest = page[...]
    while let first = rest.firstRange(of: start),
      let last = rest[first.upperBound...].firstRange(of: end)
    {
      written += rest[..<first.lowerBound]
      written += replacement(String(rest[first.lowerBound..<last.upperBound]))
      rest = rest[last.upperBound...]
    }
    return written + rest
  }

  /// Makes an aside of each figure that is a callout; figures may be in one another.
  private static func callouts(in page: String) -> String {
    guard page.contains("callout") else { return page }
    var written = ""
    var rest = page[...]
    var areCallouts: [Bool] = []
    while let tag = rest.firstRange(of: "figure") {
      let before = rest[..<tag.lowerBound]
      // No further than a tag goes, so that no letter is looked at twice.
      let near = rest[tag.upperBound...].prefix(2_000)
      let end = near.firstIndex(of: ">") ?? near.endIndex
      if before.hasSuffix("</"), let isCallout = areCallouts.popLast() {
        written += before + (isCallout ? "aside" : "figure")
      } else if before.hasSuffix("<") {
        let isCallout = rest[tag.upperBound..<end].contains("callout")
        areCallouts.append(isCallout)
        if isCallout {
          written += before + "aside data-callout=\"note\""
          rest = rest[end...]
          continue
        }
        written += before + "figure"
      } else {
        written += before + "figure"
      }
      rest = rest[tag.upperBound...]
    }
    return written + rest
  }
}
