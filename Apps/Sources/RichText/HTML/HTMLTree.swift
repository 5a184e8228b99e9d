/// The elements of a page, put together as browsers do it where their ends are left out.
///
/// ```
/// <ul><li>one<li>two</ul>three</p>
/// ul ( li ("one") li ("two") ) · "three"
/// ```
struct HTMLTree {
  indirect enum Node {
    case element(HTMLTag, [Node])
    case text(String)
  }

  /// The open elements, the page first.
  private var open: [(tag: HTMLTag, children: [Node])] = [(HTMLTag(name: ""), [])]
  private var count = 0

  /// Deeper elements are put beside.
  private static let maximumDepth = 100

  /// The nodes of a page.
  ///
  /// - Throws: A ``RichTextError`` if there are more than a note could be made of.
  static func nodes(of bytes: [UInt8]) throws(RichTextError) -> [Node] {
    var tokens = HTMLTokens(bytes)
    var tree = HTMLTree()
    while let token = tokens.next() {
      tree.count += 1
      guard tree.count <= maximumCount else { throw .tooManyPieces }
      switch token {
      case .text(let text): tree.add(.text(text))
      case .end(let name): tree.end(name)
      case .start(let tag):
        tree.start(tag)
        if unread.contains(tag.name), !tag.isClosed {
          let words = tokens.raw(until: tag.name)
          if tag.name == "title" { tree.add(.text(HTMLEntities.decoded(words))) }
        }
      }
    }
    tree.close(to: 1)
    return tree.open[0].children
  }

  private static let maximumCount = 1_000_000

  /// Elements in which tags mean nothing.
  private static let unread: Set<String> = [
    "script", "style", "title", "textarea", "noscript", "svg",
  ]

  /// Elements without an end tag.
  private static let empty: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr", "en-media", "en-todo",
  ]
}

extension HTMLTree {
  private mutating func add(_ node: Node) {
    open[open.count - 1].children.append(node)
  }

  private mutating func start(_ tag: HTMLTag) {
    endWhatCannotHold(tag.name)
    if tag.isClosed || Self.empty.contains(tag.name) || open.count >= Self.maximumDepth {
      add(.element(tag, []))
    } else {
      open.append((tag, []))
    }
  }

  private mutating func end(_ name: String) {
    // An end without a beginning means nothing; the end of a line alone is one.
    if name == "br" { return add(.element(HTMLTag(name: name), [])) }
    guard let index = open.lastIndex(where: { $0.tag.name == name }), index > 0 else { return }
    // A word that is left open does not end a cell.
    let borders = open[(index + 1)...].contains { Self.borders.contains($0.tag.name) }
    if borders && !Self.structure.contains(name) { return }
    close(to: index)
  }

  private mutating func close(to count: Int) {
    while open.count > max(count, 1) {
      let (tag, children) = open.removeLast()
      add(.element(tag, children))
    }
  }

  /// Ends a paragraph before the next, an item before the next, and so on.
  private mutating func endWhatCannotHold(_ name: String) {
    guard let ended = Self.ends[name] else { return }
    var index = open.count - 1
    while index > 0 {
      let tag = open[index].tag.name
      if ended.ended.contains(tag) { return close(to: index) }
      if ended.within.contains(tag) { return }
      index -= 1
    }
  }

  private static let structure: Set<String> = [
    "table", "tbody", "thead", "tfoot", "tr", "td", "th", "ul", "ol", "li", "blockquote", "div",
    "body", "html", "section", "article", "en-note", "note", "content",
  ]
  private static let borders: Set<String> = ["td", "th", "table", "li", "ul", "ol"]

  /// The elements that a tag ends, and those beyond which it does not look.
  private static let ends: [String: (ended: Set<String>, within: Set<String>)] = {
    var ends: [String: (ended: Set<String>, within: Set<String>)] = [
      "li": (["li"], ["ul", "ol"]), "tr": (["tr"], ["table"]),
      "td": (["td", "th"], ["tr", "table"]),
      "th": (["td", "th"], ["tr", "table"]), "dt": (["dt", "dd"], ["dl"]),
      "dd": (["dt", "dd"], ["dl"]), "option": (["option"], ["select"]),
      "tbody": (["thead", "tbody", "tr"], ["table"]), "tfoot": (["tbody", "thead"], ["table"]),
    ]
    let blocks = [
      "p", "div", "ul", "ol", "table", "blockquote", "pre", "hr", "h1", "h2", "h3", "h4", "h5",
      "h6", "section", "article", "figure", "dl", "details",
    ]
    let holders: Set<String> = ["td", "th", "li", "div", "blockquote", "table", "figure", "dd"]
    for block in blocks { ends[block] = (["p"], holders) }
    return ends
  }()
}
