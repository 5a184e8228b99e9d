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
    /// The address, in which quotes, angle brackets and backslashes are written as `%22` and so on.
    public let href: String

    /// Is nil for an address that a page could be attacked with, and for one that says nothing.
    ///
    /// Browsers overlook line breaks and blanks around a scheme, so none may be in an address.
    public init?(_ href: String) {
      let scheme = ["https://", "http://", "mailto:"].first {
        href.prefix($0.count).lowercased() == $0
      }
      guard let scheme, href.utf8.count > scheme.utf8.count,
        href.utf8.count <= Self.maximumLength,
        !href.unicodeScalars.contains(where: Self.isForbidden)
      else { return nil }
      self.href = Self.escaped(href)
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value <= 0x20 || scalar.properties.isWhitespace
        || scalar.properties.generalCategory == .control
    }

    private static func escaped(_ href: String) -> String {
      guard href.utf8.contains(where: { escapes[Unicode.Scalar($0)] != nil }) else { return href }
      return href.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }

    private static let escapes: [Unicode.Scalar: String] = [
      "\"": "%22", "<": "%3C", ">": "%3E",
      "\\": "%5C", "`": "%60",
    ]

    /// More than any browser sends.
    static let maximumLength = 8_000
  }
}
