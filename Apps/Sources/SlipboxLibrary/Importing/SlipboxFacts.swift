import Foundation

/// The facts of an export that Markdown cannot express, in the file `.slipbox.json` of the archive.
///
/// ```json
/// {"keywords": {"reading": "#3b5ba9"}, "folders": ["Reading/Slow"], "pinned": ["Reading/Slots.md"], "templates": [],
///  "links": {"Reading/Slots.md": ["Reading/Tables.md"]}}
/// ```
struct SlipboxFacts: Encodable, Sendable, Equatable {
  /// The folder of the file in an archive, with the sign behind it; all paths begin there.
  ///
  /// It is kept apart, because an archive may have one long name and very many short paths.
  private(set) var root = ""
  /// The colours of keywords, by their names.
  var keywords: [String: String] = [:]
  /// Folders in which no note lies.
  var folders: [String] = []
  /// The files of the notes that have a mark, where they do not say so themselves.
  var marked: [NoteMark: [String]] = [:]
  /// The files of the notes to which a note has links beside its text, by its own file.
  var links: [String: [String]] = [:]

  static let name = ".slipbox.json"
  private static let maximumSize = 32 << 20
  private static let limits = JSONLimits(depth: 8, values: 4_000_000)
  /// More than anybody has.
  private static let mostPaths = 200_000

  init() {}

  /// Reads the file of an archive; `nil` if it is another one, or not ours.
  init?(_ entry: ImportSource.Entry) {
    guard ImportPath.name(of: entry.path) == Self.name,
      // Somebody has changed the file: the notes come in without it.
      let data = try? entry.read(Self.maximumSize),
      let value = try? JSONValue(parsing: data, within: Self.limits),
      case .object(let members) = value
    else { return nil }
    // The archive may have been unpacked into a folder.
    root = String(entry.path.dropLast(Self.name.count))
    if case .object(let colours)? = members["keywords"] {
      keywords = colours.table.compactMapValues(Self.text)
    }
    func paths(_ value: JSONValue?) -> [String] {
      guard case .list(let values)? = value else { return [] }
      return values.prefix(Self.mostPaths).compactMap(Self.text)
        .filter { $0.utf8.count <= ImportPath.longest }
    }
    folders = paths(members["folders"])
    for mark in NoteMark.allCases {
      let files = mark.exportedList.map { paths(members[$0]) } ?? []
      if !files.isEmpty { marked[mark] = files }
    }
    if case .object(let linked)? = members["links"] {
      for (path, others) in linked.table { links[path] = paths(others) }
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// The path of a file of the archive as the lists have it; `nil` for a file that lies elsewhere.
  func relative(_ path: String) -> String? {
    path.hasPrefix(root) ? String(path.dropFirst(root.count)) : nil
  }

  func encode(to encoder: any Encoder) throws {
    var lists = ["folders": folders]
    for mark in NoteMark.allCases {
      if let list = mark.exportedList { lists[list] = marked[mark, default: []] }
    }
    try lists.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(keywords, forKey: .keywords)
    try container.encode(links, forKey: .links)
  }

  private enum CodingKeys: CodingKey {
    case keywords, links
  }

  var data: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }
}
