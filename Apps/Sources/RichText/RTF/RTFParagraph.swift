import Foundation

/// A paragraph as RTF has it: text that looks one way or another, and numbers that say where it stands.
struct RTFParagraph {
  var runs: [Run] = []

  /// The text before an item of a list, `"\t•\t"`; nil for what is no beginning of an item.
  var marker: String?
  var format = Format()

  struct Run {
    var text: String
    var style: Style
  }

  /// What `\pard` forgets.
  struct Format: Equatable {
    /// The list, from 1, and how deep in it, from 0.
    var list = 0
    var level = 0

    /// Distance from the left, in twentieths of a point.
    var indent = 0

    /// 0 for the first level of headings.
    var outline: Int?
  }

  /// What `\plain` forgets.
  struct Style: Equatable {
    var font = 0
    var isBold = false
    var isItalic = false
    var isUnderlined = false
    var isStruck = false
    var isHidden = false

    /// In half points.
    var size = 24

    /// Which of the links that were read this belongs to.
    var link: Int?
  }

  /// Whether anything was said since the paragraph before.
  var isEmpty: Bool {
    runs.isEmpty && marker == nil
  }
}

/// Where a field of RTF leads: `HYPERLINK "slipbox://note/1100…"`.
enum RTFLink {
  case web(RichText.Link)
  case note(UUID)

  /// The link of a field's instruction; nil for other fields, and for addresses that are not safe.
  init?(instruction: String) {
    guard let word = instruction.range(of: "HYPERLINK", options: .caseInsensitive) else {
      return nil
    }
    let address = Self.quoted(instruction[word.upperBound...])
    if address.hasPrefix(Self.notes) {
      guard let id = UUID(uuidString: String(address.dropFirst(Self.notes.count))) else {
        return nil
      }
      self = .note(id)
    } else {
      guard let link = RichText.Link(address) else { return nil }
      self = .web(link)
    }
  }

  /// What the address of a note begins with.
  static let notes = "slipbox://note/"

  /// What is between the first quotes, or the first word where there are none.
  private static func quoted(_ text: Substring) -> String {
    let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count > 1 { return String(parts[1]) }
    return text.split(separator: " ").first.map(String.init) ?? ""
  }
}
