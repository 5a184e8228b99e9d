public import Foundation

extension RichText {
  /// A text as TextKit writes it, or any other program.
  ///
  /// RTF says how a text looks and seldom what it is. So a paragraph in larger letters becomes a
  /// heading, an indented one a quote, letters of a typewriter become code, and links to
  /// `slipbox://note/UUID` links to notes. A colour behind the text is a highlight. Footnotes are at the end. Pictures,
  /// colours of letters and anything else that a note cannot have are left out. A damaged file is read as far as it
  /// makes sense.
  ///
  /// Throws a ``RichTextError`` if it is not RTF at all, or too large.
  public init(rtf: Data) throws {
    self = try Self.reading(rtf: rtf).text
  }

  /// The same, and what was left out: pictures, words beside the text, facts about it, and colours of letters.
  public static func reading(rtf: Data) throws -> (text: RichText, changes: Set<TextChange>) {
    let bytes = Array(rtf.drop { $0 <= 0x20 })
    guard bytes.starts(with: "{\\rtf".utf8) else {
      throw RichTextError("this is no RTF: it does not begin with “{\\rtf”")
    }
    guard bytes.count <= maximumSize * 16 else { throw RichTextError.tooLarge }
    var reader = RTFReader(bytes)
    try reader.read()
    return (RichText(RTFBlocks.blocks(of: reader)), reader.changes)
  }
}
