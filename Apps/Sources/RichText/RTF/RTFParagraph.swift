import Foundation

/// A paragraph as RTF has it: text with its looks, and numbers that say where it is.
struct RTFParagraph {
  var runs: [Run] = []

  /// The text before an item of a list, `"\t•\t"`; `nil` if no item begins here.
  var marker: String?
  var format = Format()

  struct Run {
    var text: String
    var style: Style
  }

  /// The settings that `\pard` resets.
  struct Format: Equatable {
    /// The list, from 1, and how deep in it, from 0.
    var list = 0
    var level = 0

    /// Distance from the left, in twentieths of a point.
    var indent = 0

    /// 0 for the first level of headings.
    var outline: Int?

    /// Whether it is in a table, and on which side.
    var isInTable = false
    var alignment: RichText.Table.Alignment?
  }

  /// The settings that `\plain` resets.
  struct Style: Equatable {
    var font = 0
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruck = false
    var height = Height.line
    var isHidden = false

    /// The colour behind the text, by its place in the colour table.
    var background = 0

    /// In half points.
    var size = 24

    /// Which of the links that were read this belongs to.
    var link: Int?

    /// Which of the footnotes that were read this is the mark of.
    var footnote: Int?
  }

  /// Where letters are: on the line, above or below it.
  enum Height {
    case line, raised, lowered
  }

  /// The thing that ends with the paragraph.
  var ending = Ending.paragraph

  enum Ending {
    case paragraph
    case cell

    /// A cell, and the row with it.
    case row
  }

  /// Whether anything was said since the paragraph before.
  var isEmpty: Bool {
    runs.isEmpty && marker == nil
  }
}

/// The target of a field of RTF: `HYPERLINK "slipbox://note/1100…"`.
enum RTFTarget: Equatable {
  case link(RichText.Link)
  case picture(UUID, width: Int?)
  case file(UUID)

  /// The target of a field's instruction; nil for other fields, and for addresses that are not safe.
  init?(instruction: String) {
    guard let word = instruction.range(of: "HYPERLINK", options: .caseInsensitive) else {
      return nil
    }
    let address = Self.quoted(instruction[word.upperBound...])
    for place in Place.allCases where address.hasPrefix(place.rawValue) {
      let rest = address.dropFirst(place.rawValue.count)
        .split(maxSplits: 1) { $0 == "?" || $0 == "#" }
      guard let id = rest.first.flatMap({ UUID(uuidString: String($0)) }) else { return nil }
      switch place {
      case .note:
        let words = rest.dropFirst().first.map { $0.removingPercentEncoding ?? String($0) }
        self = .link(RichText.Link(note: id, heading: words))
      case .file: self = .file(id)
      case .picture:
        let width = rest.dropFirst().first.flatMap { Int($0.dropFirst("width=".count)) }
        self = .picture(id, width: width)
      }
      return
    }
    guard let link = RichText.Link(address) else { return nil }
    self = .link(link)
  }

  var address: String {
    switch self {
    case .link(.page(let address)): address.href
    case .link(.note(let id)): Place.note.rawValue + id.uuidString.lowercased()
    case .link(.heading(let id, _)):
      // As the editor has it: `note:ID#Words`.
      Place.note.rawValue + id.uuidString.lowercased() + fragment
    case .file(let id): Place.file.rawValue + id.uuidString.lowercased()
    case .picture(let id, let width):
      Place.picture.rawValue + id.uuidString.lowercased() + (width.map { "?width=\($0)" } ?? "")
    }
  }

  var link: RichText.Link? {
    if case .link(let link) = self { link } else { nil }
  }

  /// The part after the identifier of a link to a heading, with its `#`.
  private var fragment: String {
    link.flatMap { link in
      link.href.firstIndex(of: "#").map { String(link.href[$0...]) }
    } ?? ""
  }

  /// The beginning of our own addresses.
  private enum Place: String, CaseIterable {
    case note = "slipbox://note/"
    case picture = "slipbox://picture/"
    case file = "slipbox://file/"
  }

  /// The text between the first quotes, or the first word if there are none.
  private static func quoted(_ text: Substring) -> String {
    let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count > 1 { return String(parts[1]) }
    return text.split(separator: " ").first.map(String.init) ?? ""
  }
}
