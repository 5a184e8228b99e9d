import RichText

/// The works of a text, in the order of its list.
public struct CitedReferences: Encodable, Sendable {
  public let works: [Work]
  /// The keys that no file has.
  public let missing: [String]
  /// The notes with the files.
  public let sources: [String]

  public struct Work: Encodable, Sendable {
    public let key: String
    public let authors: String
    public let year: String
    public let line: [Piece]
  }

  public struct Piece: Encodable, Sendable {
    public let text: String
    public let isItalic: Bool
    @OrNull public var href: String?
  }
}

extension CitedReferences.Work {
  init(_ work: ReferenceList.Work) {
    self.init(
      key: work.key,
      authors: work.name.authors,
      year: work.name.year,
      line: work.line.compactMap { piece in
        guard case .text(let text, let marks) = piece else { return nil }
        return .init(text: text, isItalic: marks.styles.contains(.italic), href: marks.link?.href)
      }
    )
  }
}
