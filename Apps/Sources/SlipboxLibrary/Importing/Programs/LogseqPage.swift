import Foundation
import RichText

/// The place and the names of a page of Logseq, by the path of its file.
///
/// ```
/// Graph/pages/Travel___Italy.md          Italy         in Graph/Travel, also called Travel/Italy
/// Graph/journals/2026_11_21.md           2026-11-21    in Graph/journals, also called Nov 21st, 2026
/// ```
struct LogseqPage: Sendable {
  let title: String
  let folder: String
  /// The names by which links may call it.
  let names: [String]
  /// The day of a page of the journal.
  let day: Date?

  /// The folder of a graph with the sign behind it, if a path shows that it is one.
  static func graph(with path: String) -> String? {
    let sign = "logseq/config.edn"
    if path == sign || path.hasSuffix("/\(sign)") { return String(path.dropLast(sign.count)) }
    // An export as Markdown lacks the settings; its journal shows whose it is.
    let folder = ImportPath.folder(of: path)
    guard ImportPath.name(of: folder) == "journals", day(of: ImportPath.stem(of: path)) != nil
    else {
      return nil
    }
    return String(folder.dropLast("journals".count))
  }

  /// - Parameters:
  ///   - path: The path of the file.
  ///   - root: The folder of the graph, with the sign behind it.
  ///   - given: The title that the page gives itself.
  ///   - isTree: Whether the path says in which folder the page is.
  init(_ path: String, in root: String, titled given: String? = nil, isTree: Bool = true) {
    let stem = ImportPath.stem(of: path)
    let graph = root.hasSuffix("/") ? String(root.dropLast()) : root
    let inside = path.dropFirst(root.count)
    if inside.hasPrefix("journals/"), let (numbers, date) = Self.day(of: stem) {
      day = date
      title = String(format: "%04d-%02d-%02d", numbers.year, numbers.month, numbers.day)
      names = Self.names(of: numbers) + [stem] + (given.map { [$0] } ?? [])
      folder = isTree ? [graph, "journals"].filter { !$0.isEmpty }.joined(separator: "/") : ""
      return
    }
    day = nil
    let written = stem.replacing("___", with: "/")
    let name = given ?? written.removingPercentEncoding ?? written
    let parts = name.split(separator: "/").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    title = parts.last ?? stem
    names = [name, title, stem]
    folder =
      isTree ? ([graph] + parts.dropLast()).filter { !$0.isEmpty }.joined(separator: "/") : ""
  }

  private typealias Day = (year: Int, month: Int, day: Int)

  /// The day in the name of a page of the journal: `2026_11_21`.
  private static func day(of stem: String) -> (Day, Date)? {
    let parts = stem.split { $0 == "_" || $0 == "-" }
    guard parts.count == 3, parts[0].count == 4,
      let date = MarkdownFile.date(parts.joined(separator: "-")),
      let year = WholeNumber.read(parts[0], within: 1900...9999),
      let month = WholeNumber.read(parts[1], within: 1...12),
      let day = WholeNumber.read(parts[2], within: 1...31)
    else { return nil }
    return ((year, month, day), date)
  }

  /// A day in the ways in which Logseq can be set to write it.
  private static func names(of day: Day) -> [String] {
    let name = months[day.month - 1]
    let (year, month, date) = (day.year, two(day.month), two(day.day))
    let short = name.prefix(3)
    return [
      "\(short) \(day.day)\(ending(of: day.day)), \(year)",
      "\(name) \(day.day)\(ending(of: day.day)), \(year)",
      "\(short) \(day.day), \(year)", "\(day.day) \(short) \(year)",
      "\(year)-\(month)-\(date)", "\(year)/\(month)/\(date)", "\(year)_\(month)_\(date)",
      "\(date)-\(month)-\(year)", "\(month)/\(date)/\(year)", "\(date).\(month).\(year)",
    ]
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func ending(of day: Int) -> String {
    switch day {
    case 1, 21, 31: "st"
    case 2, 22: "nd"
    case 3, 23: "rd"
    default: "th"
    }
  }
}
