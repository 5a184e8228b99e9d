public import Foundation

/// The notes and files that a page of HTML may refer to, and its writer.
public struct HTMLSurroundings {
  /// The file of a `src`, or of the `hash` of Evernote's own element.
  public var fileAt: (String) -> RichText.Attached?

  /// The note of an address.
  public var noteAt: (String) -> UUID?

  /// The note of a title, which links of Evernote's own are read by: their addresses lead nowhere else.
  public var noteNamed: (String) -> UUID?

  /// The tasks of a group that Evernote keeps beside the text.
  public var tasksOf: (String) -> [RichText.TaskItem]

  /// Whether each `<div>` is a line, and an empty one ends a paragraph, as programs for notes have it.
  public var linesAreDivs: Bool

  /// Whether the page is XML, as Evernote's are: `<div/>` is an empty element there, and a beginning in HTML.
  public var isXML: Bool

  public init(
    linesAreDivs: Bool = false,
    isXML: Bool = false,
    noteAt: @escaping (String) -> UUID? = { _ in nil },
    noteNamed: @escaping (String) -> UUID? = { _ in nil },
    tasksOf: @escaping (String) -> [RichText.TaskItem] = { _ in [] },
    fileAt: @escaping (String) -> RichText.Attached? = { _ in nil }
  ) {
    self.fileAt = fileAt
    self.noteAt = noteAt
    self.noteNamed = noteNamed
    self.tasksOf = tasksOf
    self.linesAreDivs = linesAreDivs
    self.isXML = isXML
  }
}

/// A page of HTML, as far as a note has use for it.
public struct HTMLPage: Sendable {
  public private(set) var title: String?

  /// The values of `<meta name=…>`, by names in lower case.
  public private(set) var facts: [String: String] = [:]
  public let text: RichText

  /// The parts that became something else.
  public let changes: Set<TextChange>

  /// Reads a page; any page gives some text.
  ///
  /// Nothing of it is run or fetched. Headings, lists, tasks, tables, quotes, code, links, pictures and the usual
  /// looks are read, everything else is the words in it.
  ///
  /// - Throws: A ``RichTextError`` if there is more than a note may have.
  public init(
    _ html: String,
    in surroundings: HTMLSurroundings = HTMLSurroundings()
  ) throws(RichTextError) {
    guard html.utf8.count <= RichText.maximumSize * 40 else { throw .tooLarge }
    let bytes = Array(html.utf8)
    let nodes = try HTMLTree.nodes(of: surroundings.isXML ? XMLTokens.html(of: bytes) : bytes)
    var builder = HTMLBuilder(surroundings)
    builder.read(nodes)
    text = RichText(builder.finish())
    changes = builder.changes
    guard text.plainText.utf8.count <= RichText.maximumSize else { throw .tooLarge }
    readFacts(nodes)
  }

  private mutating func readFacts(_ nodes: [HTMLTree.Node]) {
    for case .element(let tag, let children) in nodes {
      switch tag.name {
      case "html", "head": readFacts(children)
      case "title":
        let words = children.reduce(into: "") { if case .text(let more) = $1 { $0 += more } }
        let line = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if title == nil, !line.isEmpty { title = line }
      case "meta":
        if let name = tag.attributes["name"]?.lowercased(), let content = tag.attributes["content"]
        {
          facts[name] = content
        }
      default: break
      }
    }
  }
}
