public import Foundation

extension RichText {
  /// The version of the JSON that is written; see ``Upgrade``.
  public static let version = 1

  /// A text as the editor sends it: `{"version": 1, "type": "doc", "content": […]}`.
  ///
  /// Anything that the editor cannot have made is refused with a ``RichTextError``, which says where
  /// it is. The answer is tidy, so that `RichText(json: text.json) == text`.
  public init(json: Data) throws {
    guard json.count <= Self.maximumSize * 16 else { throw RichTextError.tooLarge }
    let document = try Upgrade.upgraded(Self.node(json))
    var reader = JSONReader()
    self.init(try reader.blocks(of: document))
  }

  public init(json: String) throws {
    try self.init(json: Data(json.utf8))
  }

  /// The nodes, or a sentence about what is no node.
  private static func node(_ json: Data) throws -> Node {
    do {
      return try JSONDecoder().decode(Node.self, from: json)
    } catch DecodingError.keyNotFound(let key, let context) {
      throw RichTextError("“\(key.stringValue)” is missing", path: path(context.codingPath))
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      throw RichTextError("this is of the wrong kind", path: path(context.codingPath))
    } catch DecodingError.dataCorrupted(let context) {
      throw RichTextError("this is no JSON", path: path(context.codingPath))
    }
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
    for step in steps[version...] { document = step(document) }
    document.version = RichText.version
    return document
  }

  /// The step at index n makes version n + 1 of version n.
  private static let steps: [@Sendable (Node) -> Node] = [
    // Version 0 has no number: it is what the editor itself hands out, and the nodes are the same.
    { $0 }
  ]
}

extension RichTextError {
  static let tooLarge = RichTextError(
    "this text is too large, a note has at most \(RichText.maximumSize) bytes"
  )
}
