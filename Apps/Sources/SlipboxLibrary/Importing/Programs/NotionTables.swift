import Foundation
import RichText

/// The tables of an export of Notion, which it calls databases: each has a file with rows, and a folder with their pages.
///
/// ```
/// Trips 19acc….csv         the rows and columns that are shown     Name,Tags
/// Trips 19acc…_all.csv     all of them                             Rome,city
/// Trips 19acc…/Rome 11d61….md                                      the page of a row, if it has one
/// ```
struct NotionTables: Sendable {
  /// By the paths of their folders.
  fileprivate(set) var tables: [String: NotionTable] = [:]
  /// The pages in folders, by titles: their paths.
  private var pages: [String: [String: [String]]] = [:]
  fileprivate var hasAny = false

  mutating func addPage(_ path: String, titled titles: [String]) {
    hasAny = true
    let folder = ImportPath.folder(of: path)
    for title in Set(titles.map(Self.key)) {
      pages[folder, default: [:]][title, default: []].append(path)
    }
  }

  mutating func addTable(_ entry: Int, _ name: NotionName) {
    hasAny = true
    if let known = tables[name.base], known.isWhole { return }
    tables[name.base] = NotionTable(entry: entry, isWhole: name.isWholeTable)
  }

  /// The table to which the pages in a folder belong.
  func table(ofPagesIn folder: String) -> NotionTable? { tables[folder] }

  /// The paths of the pages of a table's rows of a title.
  func pages(of table: String, titled title: String) -> [String] {
    pages[table]?[Self.key(title)] ?? []
  }

  private static func key(_ title: String) -> String {
    let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? "untitled" : words.canonical
  }
}

/// A table of Notion, as far as its pages have to know it.
struct NotionTable: Sendable {
  /// The number of its file in the source.
  let entry: Int
  fileprivate let isWhole: Bool
  fileprivate(set) var columns: [NotionColumn] = []

  /// More than any page shows.
  static let mostColumns = 100
  /// A row without a page becomes a note; more of them are refused.
  fileprivate static let mostRows = 5_000

  fileprivate init(entry: Int, isWhole: Bool) {
    self.entry = entry
    self.isWhole = isWhole
  }
}

extension ImportSurvey {
  /// Makes notes of Notion's tables, and of their rows without pages, and gives all notes the names of its folders.
  mutating func finishNotion() {
    guard programs.notion.hasAny else { return }
    for (base, table) in programs.notion.tables.sorted(by: { $0.key < $1.key }) {
      let path = source.entries[table.entry].path
      do { try read(table, at: base) } catch { leaveOut(path, ImportReason.sentence(error)) }
    }
    for index in sketches.indices {
      sketches[index].folder = NotionName.folder(sketches[index].folder)
    }
  }

  private mutating func read(_ table: NotionTable, at base: String) throws {
    guard let name = NotionName("\(base).csv") else { return }
    let text = try NotionRows.text(source.entries[table.entry])
    var (table, rows) = (table, NotionRows.Survey())
    var places: [(row: Range<Int>, title: String)] = []
    var seen: [String: Int] = [:]
    var leftOut = 0
    let (notion, columns) = (programs.notion, NotionTable.mostColumns)
    CommaSeparated.readPlaces(text) { row, place in
      guard rows.add(row.prefix(columns)) else { return true }
      let title = row.first ?? ""
      let isEmpty = row.allSatisfy { $0.allSatisfy(\.isWhitespace) }
      let count = notion.pages(of: base, titled: title).count
      seen[title, default: 0] += 1
      if isEmpty || seen[title, default: 0] <= count { return true }
      if places.count < NotionTable.mostRows { places.append((place, title)) } else { leftOut += 1 }
      return true
    }
    table.columns = rows.columns
    programs.notion.tables[base] = table
    try add(table, named: name, part: nil, titled: name.title)
    for (place, title) in places { try add(table, named: name, part: place, titled: title) }
    if leftOut > 0 {
      leaveOut(
        source.entries[table.entry].path,
        "\(leftOut) of its rows have no pages, and are more than become notes: they are not imported."
      )
    }
  }

  /// Adds the note of a table, or of one of its rows.
  private mutating func add(
    _ table: NotionTable,
    named name: NotionName,
    part: Range<Int>?,
    titled title: String
  ) throws {
    let folder = ImportPath.folder(of: name.base)
    try add(
      ImportSketch(
        id: UUID(),
        entry: table.entry,
        part: part,
        format: NotionFormat(),
        path: "\(name.base).csv",
        folder: source.isTree ? (part == nil ? folder : name.base) : "",
        names: title.isEmpty ? [] : [title]
      )
    )
  }
}
