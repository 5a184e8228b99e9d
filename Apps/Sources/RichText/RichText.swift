/// The text of a note: paragraphs, headings, lists and quotes, with marks and links to other notes.
///
/// ```
///            the editor          Apple's apps        people and their tools
///         ProseMirror JSON           RTF           Markdown · HTML · plain text
///              │    ▲               │   ▲              │ ▲       ▲       ▲
///              ▼    │               ▼   │              ▼ │       │       │
///           ┌──────────────────────────────────────────────────────────────┐
///           │  RichText:  [.heading(.one, [.text("Faults")]),              │
///           │              .paragraph([.text("See "), .text("Slots", …)])] │
///           └──────────────────────────────────────────────────────────────┘
/// ```
///
/// A value is made in one of four ways: `RichText(json:)` reads the editor's JSON and refuses JSON that the editor
/// cannot have made; `RichText(rtf:)` reads TextKit's RTF; `RichText(markdown:)` reads anything at all, as Markdown
/// does; and `RichText([Block])` puts blocks together in code. It is written in as many: `json`, `rtf`, `markdown`,
/// `html(title:)` and `plainText`.
///
/// Whichever way a value came about, it is tidy, and so equal texts are equal values: neighbouring
/// texts with the same marks are one, a line break is a hard break, each list item begins with a
/// paragraph, and nothing is deeper than ``maximumDepth``. Nothing is there that the editor could not show: every value
/// can be opened in it, and edited, and is the same afterwards.
///
/// Links lead to other notes, and to `http`, `https` and `mailto`: a ``Link`` cannot be made of anything
/// else.
public struct RichText: Hashable, Sendable {
  /// The blocks of the text, at least one.
  public let blocks: [Block]

  /// A text of these blocks, tidied.
  public init(_ blocks: [Block]) {
    self.blocks = Tidying.tidy(blocks)
  }

  /// An empty text, which is one empty paragraph: somewhere for the cursor to be.
  public init() {
    blocks = [.paragraph([])]
  }

  /// A paragraph for each line.
  public init(plainText: String) {
    self.init(
      plainText.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { .paragraph([.text(String($0))]) }
    )
  }
}

// MARK: - Limits

extension RichText {
  /// How many levels of JSON a text may have: a list and its item are two.
  public static let maximumDepth = 32

  /// How much text a note may have, in bytes of UTF-8.
  public static let maximumSize = 1_000_000

  /// How many pieces a text may have that is sent or imported.
  ///
  /// Pieces are blocks, items of lists, and texts that look different from those beside them. Each takes some
  /// hundred bytes, however little it says.
  public static let maximumPieces = 50_000

  /// How many bytes the addresses of a text may have that is sent or imported.
  ///
  /// An address counts once for each piece of text that leads to it. In Markdown a few bytes can name a long address
  /// again and again; the text that comes of them would be too large to be read again.
  public static let maximumAddresses = 4_000_000

  /// How many pieces this text has.
  public var pieceCount: Int { blocks.reduce(0) { $0 + $1.pieceCount } }

  /// Checks that a text that was sent or imported is small enough to be edited, and to be read again.
  ///
  /// - Throws: A ``RichTextError`` that says which limit the text exceeds.
  public func checkLimits() throws(RichTextError) {
    guard size <= Self.maximumSize else { throw .tooLarge }
    guard pieceCount <= Self.maximumPieces else { throw .tooManyPieces }
    let addresses = lines.joined().reduce(0) { $0 + ($1.link?.href.utf8.count ?? 0) }
    guard addresses <= Self.maximumAddresses else { throw .tooManyAddresses }
  }
}

extension RichText.Block {
  fileprivate var pieceCount: Int {
    switch self {
    case .paragraph(let line), .heading(_, let line): 1 + line.count
    case .codeBlock, .horizontalRule, .picture, .file: 1
    case .table(let table):
      table.rows.reduce(1) { $1.reduce($0 + 1) { $0 + 1 + $1.count } }
    case .blockquote(let blocks), .footnote(_, let blocks): blocks.reduce(1) { $0 + $1.pieceCount }
    case .callout(let callout):
      callout.blocks.reduce(2 + callout.title.count) { $0 + $1.pieceCount }
    case .bulletList(let items), .orderedList(_, let items):
      items.reduce(1) { $1.blocks.reduce($0 + 1) { $0 + $1.pieceCount } }
    case .taskList(let items):
      items.reduce(1) { $1.blocks.reduce($0 + 1) { $0 + $1.pieceCount } }
    }
  }
}
