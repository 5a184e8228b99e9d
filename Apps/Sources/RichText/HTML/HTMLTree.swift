import CGumbo

/// The elements of a page, put together as browsers do it: libgumbo follows the HTML standard.
///
/// ```
/// <ul><li>one<li>two</ul>three</p>
/// html ( head · body ( ul ( li ("one") · li ("two") ) · "three" · p ) )
/// ```
///
/// The library bounds neither its memory nor its time, which grows with the square of the depth; `CGumbo` does.
struct HTMLTree {
  indirect enum Node {
    case element(HTMLTag, [Node])
    case text(String)
  }

  /// The content of deeper elements is put beside them.
  private static let maximumDepth = 100
  private static let maximumCount = 1_000_000
  private static let maximumMemory = 512 << 20
  /// Processor time; tests wait for less.
  @TaskLocal static var maximumSeconds: UInt32 = 10

  /// Returns the nodes of a page.
  ///
  /// - Throws: A ``RichTextError`` if a note could not be made of the page: it has more than a million nodes, or is nested
  ///   so deeply that reading it takes 512 MB or 10 seconds.
  static func nodes(of bytes: [UInt8]) throws(RichTextError) -> [Node] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    guard let nodes = bytes.withUnsafeBytes(nodes) else { throw .tooManyElements }
    return nodes
  }

  private static func nodes(of bytes: UnsafeRawBufferPointer) -> [Node]? {
    let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
    guard let start else { return [] }
    guard let page = cgumbo_parse(start, bytes.count, maximumMemory, maximumSeconds) else {
      return nil
    }
    defer { cgumbo_free(page) }
    guard let document = cgumbo_document(page) else { return nil }
    return nodes(in: document)
  }
}

// MARK: - The library's nodes

extension HTMLTree {
  private typealias Source = UnsafePointer<GumboNode>

  /// An element that is being put together.
  private struct Open {
    let tag: HTMLTag
    let source: GumboVector
    var next: UInt32 = 0
    var children: [Node] = []
  }

  /// Returns the nodes in a document, or `nil` if there are too many.
  ///
  /// Goes through them with a list of its own: they may be deeper than a stack is.
  private static func nodes(in document: Source) -> [Node]? {
    var open = [Open(tag: HTMLTag(name: ""), source: document.pointee.v.document.children)]
    // How many elements are open in each that is kept: those beyond the greatest depth are not.
    var deeper: [(source: GumboVector, next: UInt32)] = []
    var count = 0
    while true {
      guard let node = next(&open[open.count - 1], &deeper) else {
        let done = open.removeLast()
        guard !open.isEmpty else { return done.children }
        open[open.count - 1].children.append(.element(done.tag, done.children))
        continue
      }
      count += 1
      guard count <= maximumCount else { return nil }
      switch node.pointee.type {
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
        let element = node.pointee.v.element
        if open.count < maximumDepth {
          open.append(Open(tag: tag(element), source: element.children))
        } else {
          open[open.count - 1].children.append(.element(tag(element), []))
          deeper.append((element.children, 0))
        }
      case GUMBO_NODE_TEXT, GUMBO_NODE_CDATA, GUMBO_NODE_WHITESPACE:
        let text = String(cString: node.pointee.v.text.text)
        open[open.count - 1].children.append(.text(text))
      default: break
      }
    }
  }

  /// Takes the next node of an element that is open, or of one in it that is too deep.
  private static func next(
    _ open: inout Open,
    _ deeper: inout [(source: GumboVector, next: UInt32)]
  ) -> Source? {
    while var innermost = deeper.popLast() {
      guard innermost.next < innermost.source.length else { continue }
      let node = innermost.source.data[Int(innermost.next)]
      innermost.next += 1
      deeper.append(innermost)
      return node.map { Source($0.assumingMemoryBound(to: GumboNode.self)) }
    }
    guard open.next < open.source.length else { return nil }
    let node = open.source.data[Int(open.next)]
    open.next += 1
    return node.map { Source($0.assumingMemoryBound(to: GumboNode.self)) }
  }

  private static func tag(_ element: GumboElement) -> HTMLTag {
    var tag = HTMLTag(name: name(of: element))
    for index in 0..<Int(min(element.attributes.length, maximumAttributes)) {
      guard let data = element.attributes.data[index] else { continue }
      let attribute = data.assumingMemoryBound(to: GumboAttribute.self).pointee
      let name = String(cString: attribute.name)
      if tag.attributes[name] == nil { tag.attributes[name] = String(cString: attribute.value) }
    }
    return tag
  }

  /// More than any page has use for.
  private static let maximumAttributes: UInt32 = 64

  private static func name(of element: GumboElement) -> String {
    if element.tag != GUMBO_TAG_UNKNOWN {
      return String(cString: gumbo_normalized_tagname(element.tag))
    }
    var written = element.original_tag
    gumbo_tag_from_original_text(&written)
    guard let start = written.data else { return "" }
    let bytes = UnsafeRawBufferPointer(start: start, count: written.length)
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }
}

/// A tag that begins an element.
struct HTMLTag: Equatable {
  /// In lower case.
  var name: String
  var attributes: [String: String] = [:]

  /// The rules of `style`, in lower case and without blanks: `["font-weight": "bold"]`.
  var style: [String: String] {
    guard let style = attributes["style"] else { return [:] }
    var rules: [String: String] = [:]
    for rule in style.lowercased().split(separator: ";").prefix(40) {
      let parts = rule.split(separator: ":", maxSplits: 1).map { part in
        part.filter { !$0.isWhitespace }
      }
      if parts.count == 2 { rules[parts[0]] = parts[1] }
    }
    return rules
  }
}
