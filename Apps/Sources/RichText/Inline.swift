public import Foundation

extension RichText {
  /// What stands in a line.
  ///
  /// ```
  /// [.text("Read "), .text("this", [.bold]), .text(" after "), .noteLink(slots)]
  ///
  /// Read **this** after [[Slots]]
  /// ```
  public enum Inline: Hashable, Sendable {
    case text(String, Marks = [])

    /// Another note, shown by its title; it can be bold, but not code and not a link to the web.
    case noteLink(NoteLink, Marks = [])
    case hardBreak
  }

  /// A link to another note, with the title that note had when the link was made.
  public struct NoteLink: Hashable, Sendable {
    public var id: UUID
    public var title: String

    public init(id: UUID, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// An address that is safe to follow from anywhere: `http`, `https` and `mailto`.
  public struct Link: Hashable, Sendable {
    public let href: String

    /// Is nil for an address that a page could be attacked with, and for one that says nothing.
    ///
    /// Browsers overlook line breaks and blanks around a scheme, so none may be in an address.
    public init?(_ href: String) {
      let scheme = ["https://", "http://", "mailto:"].first {
        href.prefix($0.count).lowercased() == $0
      }
      guard let scheme, href.count > scheme.count, href.utf8.count <= Self.maximumLength,
        !href.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.properties.isWhitespace }),
        !href.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { return nil }
      self.href = href
    }

    /// More than any browser sends.
    static let maximumLength = 8_000
  }
}
