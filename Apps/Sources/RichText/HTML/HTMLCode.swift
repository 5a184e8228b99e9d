/// The lines of code in a page: its words as they are, with an end of line around each element that is a block.
///
/// ```
/// <ol><li>let a = 1</li><li>let b = 2</li></ol>   →   let a = 1\nlet b = 2
/// <tr><td>a</td><td>b</td></tr>                   →   a\tb
/// ```
struct HTMLCode {
  private(set) var text = ""

  /// The pictures and files in it.
  private(set) var others: [HTMLTree.Node] = []

  /// Whether a line ends before the next words, and whether they are in another cell of the same row.
  private var isLineOver = false
  private var isCellOver = false

  mutating func read(_ nodes: [HTMLTree.Node]) {
    for node in nodes {
      switch node {
      case .text(let words): add(words)
      case .element(let tag, let children): read(tag, children)
      }
    }
  }

  private mutating func read(_ tag: HTMLTag, _ children: [HTMLTree.Node]) {
    switch tag.name {
    case "script", "style", "template": break
    case "br": add("\n")
    case "img", "en-media", "iframe", "video", "audio", "embed", "object":
      others.append(.element(tag, children))
    case "td", "th":
      read(children)
      isCellOver = true
    case "table", "tbody", "thead", "tfoot", "ul", "ol", "dl":
      // Blanks between rows and items mean nothing.
      isLineOver = isLineOver || !text.isEmpty
      read(children.filter { !$0.isBlank })
      isLineOver = true
    case "tr":
      isLineOver = isLineOver || !text.isEmpty
      read(children.filter { !$0.isBlank })
      (isLineOver, isCellOver) = (true, false)
    case _ where Self.lines.contains(tag.name):
      isLineOver = isLineOver || !text.isEmpty
      read(children)
      isLineOver = true
    default: read(children)
    }
  }

  private mutating func add(_ words: String) {
    if words.isEmpty { return }
    if isLineOver, !text.isEmpty, !text.hasSuffix("\n"), !words.hasPrefix("\n") {
      text += "\n"
    } else if isCellOver, !isLineOver {
      text += "\t"
    }
    (isLineOver, isCellOver) = (false, false)
    text += words
  }

  private static let lines: Set<String> = [
    "address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "div", "dt",
    "figure", "figcaption", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
    "main", "p", "pre", "section", "summary",
  ]
}

extension HTMLTree.Node {
  fileprivate var isBlank: Bool {
    if case .text(let text) = self { text.allSatisfy(\.isWhitespace) } else { false }
  }
}
