public import Foundation

extension RichText {
  /// The target of a link: a page of the web, somebody's mail, a thing in another program, or another note.
  ///
  /// ```
  /// Link("https://example.org")                          .page(https://example.org)
  /// Link("note:11000000-0000-4000-8000-000000000022")    .note(11000000-…)
  /// Link("note:11000000-…#Early%20days")                 .heading(11000000-…, "Early days")
  /// Link("zotero://select/items/1")                      .page(zotero://select/items/1), which is not followed
  /// Link("javascript:alert(1)")                          nil
  /// ```
  public enum Link: Hashable, Sendable {
    case page(Address)
    case note(UUID)

    /// A heading of a note, by its words, or a paragraph by its sign: `^a1b2`.
    case heading(UUID, String)

    /// The link as the editor writes it; nil for one that a page could be attacked with.
    public init?(_ href: String) {
      if href.prefix(Self.scheme.count).lowercased() == Self.scheme {
        let parts = href.dropFirst(Self.scheme.count)
          .split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let id = UUID(uuidString: String(parts[0])) else { return nil }
        let words = parts.count > 1 ? parts[1].removingPercentEncoding ?? String(parts[1]) : ""
        self.init(note: id, heading: words)
      } else {
        guard let address = Address(href) else { return nil }
        self = .page(address)
      }
    }

    /// A link to a note, or to a heading in it if the heading has words.
    public init(note id: UUID, heading: String?) {
      let words = Text.oneLine(heading ?? "")
      self = words.isEmpty ? .note(id) : .heading(id, String(words.prefix(Self.longestHeading)))
    }

    /// The link as the editor reads it.
    public var href: String {
      switch self {
      case .page(let address): address.href
      case .note(let id): Self.scheme + id.uuidString.lowercased()
      case .heading(let id, let words):
        Self.scheme + id.uuidString.lowercased() + "#" + Self.escaped(words)
      }
    }

    /// Whether pages may follow it.
    public var isFollowed: Bool {
      if case .page(let address) = self { address.isFollowed } else { true }
    }

    /// The note that this leads to.
    public var note: UUID? {
      switch self {
      case .note(let id), .heading(let id, _): id
      case .page: nil
      }
    }

    /// The words of the heading that this leads to.
    public var heading: String? {
      if case .heading(_, let words) = self { words } else { nil }
    }

    private static func escaped(_ words: String) -> String {
      words.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? ""
    }

    private static let scheme = "note:"
    private static let longestHeading = 300
  }

  /// An address with a scheme.
  ///
  /// Addresses of `http`, `https` and `mailto` are safe to follow from anywhere. Others, such as `zotero:`, `tel:` and
  /// `file:`, are kept and exported as they came, but Slipbox never follows them.
  public struct Address: Hashable, Sendable {
    /// The address, in which blanks, quotes, angle brackets and backslashes are written as `%22` and so
    /// on.
    public let href: String

    /// Is nil for an address that a page could be attacked with, for one that means something else in a text, and for
    /// one that says nothing.
    ///
    /// Browsers overlook line breaks and blanks around a scheme, so none may be there.
    public init?(_ href: String) {
      guard let scheme = Self.scheme(of: href), !Self.refused.contains(scheme),
        href.utf8.count <= Self.maximumLength,
        Self.isFollowed(href) || !Self.followed.contains(where: { $0.hasPrefix(scheme) })
      else { return nil }
      let escaped = Self.escaped(href)
      guard escaped.utf8.count <= Self.maximumLength else { return nil }
      self.href = escaped
    }

    /// Whether it is an address of the web or of mail, which pages may follow.
    public var isFollowed: Bool { Self.isFollowed(href) }

    private static func isFollowed(_ href: String) -> Bool {
      followed.contains {
        href.utf8.count > $0.utf8.count && href.prefix($0.count).lowercased() == $0
      }
    }

    private static let followed = ["https://", "http://", "mailto:"]

    /// Schemes that run programs in a page or show its own content, and those of a text's notes and files.
    private static let refused: Set<String> = [
      "javascript:", "vbscript:", "livescript:", "mocha:", "data:", "blob:", "filesystem:",
      "about:",
      "view-source:", "note:", "picture:", "attachment:", "slipbox:",
    ]

    /// The scheme of an address in lower case, with its colon; `nil` if nothing follows it.
    ///
    /// One letter is a drive of Windows.
    private static func scheme(of href: String) -> String? {
      let bytes = href.utf8.prefix(41)
      guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
      let name = bytes[..<colon]
      guard name.count > 1, let first = name.first, letters.contains(first | 0x20),
        name.allSatisfy({ byte in
          letters.contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+.-".utf8.contains(byte)
        }),
        let next = href.utf8[colon...].dropFirst().first, next > 0x20
      else { return nil }
      return href[...colon].lowercased()
    }

    private static func escaped(_ href: String) -> String {
      guard href.unicodeScalars.contains(where: isForbidden) else { return href }
      return href.unicodeScalars.map { isForbidden($0) ? percents($0) : String($0) }.joined()
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value <= 0x20 || "\"<>\\`".unicodeScalars.contains(scalar)
        || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    /// The UTF-8 of a character in hexadecimal: `%C2%A0`.
    private static func percents(_ scalar: Unicode.Scalar) -> String {
      String(scalar).utf8.map { byte in
        "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
    }

    /// More than any browser sends.
    static let maximumLength = 8_000
  }
}
