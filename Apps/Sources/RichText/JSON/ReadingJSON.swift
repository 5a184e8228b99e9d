public import CoreDataStrictJSON
public import Foundation

extension RichText {
  /// The version of the JSON that is written; see ``Upgrade``.
  public static let version = 5

  /// A text as the editor sends it: `{"version": 1, "type": "doc", "content": […]}`.
  ///
  /// Anything that the editor cannot have made is refused with a ``RichTextError``, which names the
  /// place. The answer is tidy, so that `RichText(json: text.json) == text`.
  public init(json: Data) throws {
    guard json.count <= Self.maximumSize * 16 else { throw RichTextError.tooLarge }
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(parsing: json, within: .stored)
    } catch {
      throw RichTextError("this is no JSON")
    }
    try self.init(document: value)
  }

  public init(json: String) throws {
    try self.init(json: Data(json.utf8))
  }

  /// A text as it is stored, or at least so many characters of its beginning.
  ///
  /// Takes time for the result only: a line is read as fast from a text of a megabyte as from a
  /// short one.
  public init(json: String, enough characters: Int) throws {
    var bytes = max(characters, 1) * 16
    while true {
      let beginning = JSONBeginning(of: json, enough: bytes)
      let text = try Self(json: Data(beginning.json))
      // One more, for the last may go on where it was cut, and no blanks of cells that were left out.
      if !beginning.isCut || text.plainText.has(characters + 1) {
        self = text
        return
      }
      bytes *= 16
    }
  }

  /// A text as the editor sends it, whose JSON was read already.
  public init(document: JSONValue) throws {
    var reader = JSONReader()
    self.init(try reader.blocks(of: try Upgrade.upgraded(Node(document))))
  }
}

extension String {
  /// Whether there are so many characters up to the last that is not blank; does not count further.
  fileprivate func has(_ count: Int) -> Bool {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return false }
    return index(startIndex, offsetBy: count - 1, limitedBy: last) != nil
  }
}

/// The one place that knows documents of older versions.
///
/// When the schema changes, ``RichText/version`` grows by one and a step is added here, which makes a
/// document of the version before into one of the next. Steps follow one another.
enum Upgrade {
  /// The document in today's form.
  static func upgraded(_ document: Node) throws -> Node {
    var document = document
    let version = document.version ?? 0
    guard version <= RichText.version else {
      throw RichTextError(
        """
        this text has version \(version), and version \(RichText.version) is the newest that this \
        program knows; a newer program has written it
        """
      )
    }
    guard version >= 0 else {
      throw RichTextError("there is no version \(version)", path: "version")
    }
    // Before the first release, texts with nodes of version 0 were stored with the number 1.
    let first = document.hasNoteLinkNode ? 0 : version
    for step in steps[first...] { document = step(document) }
    document.version = RichText.version
    return document
  }

  /// The step at index n makes version n + 1 of version n.
  private static let steps: [@Sendable (Node) -> Node] = [
    // Version 0 was not numbered: it is the editor's own format. A link to a note was a node.
    { $0.withMarkedNoteLinks },
    // Version 1 did not have tables, pictures and files.
    { $0 },
    // Version 2 did not have callouts and footnotes.
    { $0 },
    // Version 3 did not have superscript, subscript, and links that are not followed.
    { $0 },
    // Version 4 did not have headings of level 4, 5 and 6.
    { $0 },
  ]
}

extension Node {
  fileprivate var hasNoteLinkNode: Bool {
    type == "noteLink" || content.contains(where: \.hasNoteLinkNode)
  }

  /// The same node with marked text for each link to a note.
  ///
  /// ```
  /// {"type": "noteLink", "attrs": {"id": "11…", "title": "Slots"}}
  ///                            ↓
  /// {"type": "text", "text": "Slots", "marks": [{"type": "link", "attrs": {"href": "note:11…"}}]}
  /// ```
  ///
  /// A link without a title showed nothing, and becomes nothing.
  fileprivate var withMarkedNoteLinks: Node {
    var node = self
    node.content = content.compactMap { child in
      guard child.type == "noteLink", case .text(let id)? = child.attributes["id"],
        case .text(let title)? = child.attributes["title"]
      else { return child.withMarkedNoteLinks }
      if title.isEmpty { return nil }
      let link = MarkNode(type: "link", attributes: ["href": .text("note:\(id)")])
      let others = child.marks.filter { $0.type != "link" && $0.type != "code" }
      return Node(type: "text", marks: [link] + others, text: title)
    }
    return node
  }
}

extension RichTextError {
  static let tooLarge = RichTextError(
    "this text is too large, a note has at most \(RichText.maximumSize) bytes"
  )
}
