/// The result of reading a text, line by line.
struct MarkdownDocument {
  let blocks: [MarkdownDraft]

  /// Links and files that were defined, by their labels.
  let links: [String: MarkdownTarget]

  /// The labels of the footnotes that have a text: `[^1]` without one stays as it is written.
  let footnotes: Set<String>
}

/// The target of a definition: `[label]: https://example.org`, or a picture that is in the address itself.
enum MarkdownTarget {
  case link(RichText.Link)
  case file(String)
}

/// A block whose lines are not looked at yet: links may be defined further down.
indirect enum MarkdownDraft {
  case paragraph(ArraySlice<UInt8>)
  case heading(Int, ArraySlice<UInt8>)
  case code(language: String, String)
  case rule

  /// The cells of the rows as they are written, the first of which has the columns' headings.
  case table([RichText.Table.Alignment?], [[ArraySlice<UInt8>]])
  case quote([MarkdownDraft])
  case callout(MarkdownCallout, [MarkdownDraft])
  case footnote(String, [MarkdownDraft])

  /// Items that follow one another, with one kind of marker, are a list.
  case item(MarkdownMarker, [MarkdownDraft])
}

/// The beginning of a callout.
struct MarkdownCallout {
  let kind: String
  let fold: RichText.Callout.Fold?
  let title: ArraySlice<UInt8>
}

/// The beginning of a list item.
struct MarkdownMarker: Equatable {
  /// `-`, `+` or `*`, or the sign after a number.
  let sign: UInt8
  let number: Int?

  /// With the marker itself, in columns.
  let width: Int

  /// Whether the two may be in one list.
  func goes(with other: MarkdownMarker) -> Bool {
    sign == other.sign && (number == nil) == (other.number == nil)
  }

  /// The marker at the beginning of a line.
  init?(_ line: ArraySlice<UInt8>) {
    guard let first = line.first else { return nil }
    var digits = line.prefix(10).prefix { (0x30...0x39).contains($0) }
    switch first {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
      sign = first
      number = nil
      digits = []
    case _ where (1...9).contains(digits.count):
      guard let mark = line.dropFirst(digits.count).first,
        mark == UInt8(ascii: ".") || mark == UInt8(ascii: ")")
      else { return nil }
      sign = mark
      number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    default: return nil
    }
    width = digits.count + 1
    let next = line.dropFirst(width).first
    guard next == nil || next == 0x20 || next == 0x09 else { return nil }
  }
}
