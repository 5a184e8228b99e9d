extension RichText {
  /// A box with a sign, a title and blocks: a remark, a warning, a summary.
  ///
  /// ```
  /// > [!tip] Short is better        Callout(kind: "tip", title: [.text("Short is better")], [
  /// > Leave out what you can.         .paragraph([.text("Leave out what you can.")])
  ///                                 ])
  /// ```
  ///
  /// The signs are those that other programs for notes have; see ``kind``.
  public struct Callout: Hashable, Sendable {
    /// Whether a reader may fold it up, and how it is shown first.
    public enum Fold: String, CaseIterable, Sendable {
      case open, closed
    }

    /// A word in small letters, such as `note`, `tip` or `warning`.
    ///
    /// Others know words that we do not: they stay.
    public var kind: String

    /// Nil for one that cannot be folded.
    public var fold: Fold?

    /// On one line; empty if the kind says enough.
    public var title: [Inline]
    public var blocks: [Block]

    public init(kind: String, fold: Fold? = nil, title: [Inline] = [], _ blocks: [Block]) {
      self.kind = kind
      self.fold = fold
      self.title = title
      self.blocks = blocks
    }

    /// The replacement for a title: `note` gives “Note”.
    public var nameOfKind: String {
      let words = kind.replacing("-", with: " ").replacing("_", with: " ")
      return words.prefix(1).uppercased() + words.dropFirst()
    }
  }
}

extension RichText.Callout {
  /// The title as a paragraph, and the blocks.
  var allBlocks: [RichText.Block] { [.paragraph(title)] + blocks }

  /// The same callout with a tidy head, and these blocks in it.
  func tidied(_ blocks: [RichText.Block]) -> RichText.Callout {
    let oneLine = title.map { $0 == .hardBreak ? RichText.Inline.text(" ") : $0 }
    // A line break inside of a text becomes a hard break first.
    let line = Tidying.tidy(Tidying.tidy(oneLine).map { $0 == .hardBreak ? .text(" ") : $0 })
    return RichText.Callout(
      kind: Self.tidy(kind) ?? Self.usual,
      fold: fold,
      title: line,
      blocks
    )
  }

  /// The kind named by a word, in small letters; `nil` if it is not a word.
  static func tidy(_ kind: String) -> String? {
    let kind = kind.lowercased()
    let isWord = (1...40).contains(kind.utf8.count) && kind.utf8.allSatisfy(isPart)
    return isWord ? kind : nil
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static let usual = "note"
}
