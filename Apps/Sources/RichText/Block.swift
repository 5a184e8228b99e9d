extension RichText {
  /// An element on lines of its own.
  ///
  /// ```
  /// .heading(.two, [.text("Reading list")])            Reading list
  /// .orderedList(start: 3, [                           ────────────
  ///   ListItem([.paragraph([.text("Faults")])]),         3. Faults
  ///   ListItem([.paragraph([.text("Slots")])]),          4. Slots
  /// ])
  /// ```
  public enum Block: Hashable, Sendable {
    case paragraph([Inline])
    case heading(HeadingLevel, [Inline])
    case bulletList([ListItem])
    case orderedList(start: Int, [ListItem])
    case taskList([TaskItem])
    case blockquote([Block])

    /// Text as it is, with its lines; the language is a word such as `swift`.
    case codeBlock(language: String?, String)
    case horizontalRule
    case table(Table)
    case picture(Picture)
    case file(AttachedFile)
    case callout(Callout)

    /// The text of a footnote; in a tidy text footnotes are at the end, in the order of their
    /// marks.
    case footnote(label: String, [Block])
  }

  /// The level of a heading; Markdown and HTML have the same six.
  public enum HeadingLevel: Int, CaseIterable, Sendable {
    case one = 1
    case two
    case three
    case four
    case five
    case six
  }

  /// A point of a list: a paragraph, and whatever belongs below it.
  public struct ListItem: Hashable, Sendable {
    public var blocks: [Block]

    public init(_ blocks: [Block]) {
      self.blocks = blocks
    }
  }

  /// A point of a list that can be ticked off.
  public struct TaskItem: Hashable, Sendable {
    public var isDone: Bool
    public var blocks: [Block]

    public init(isDone: Bool, _ blocks: [Block]) {
      self.isDone = isDone
      self.blocks = blocks
    }
  }
}
