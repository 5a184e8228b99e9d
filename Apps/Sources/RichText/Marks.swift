extension RichText {
  /// The looks of a piece of text, and its link.
  ///
  /// ```
  /// let marks: RichText.Marks = [.bold, .italic]
  /// ```
  ///
  /// Code excludes every other mark, as it does in the editor; code that leads somewhere is a link. Superscript and
  /// subscript exclude each other.
  public struct Marks: Hashable, Sendable {
    public var styles: Styles
    public var link: Link?

    public init(_ styles: Styles = [], link: Link? = nil) {
      self.styles = styles
      self.link = link
    }
  }

  /// One mark, as `Marks` can be written down with.
  public enum Mark: Hashable, Sendable {
    case bold
    case italic
    case underline
    case strike
    case highlight
    case superscript
    case `subscript`
    case code
    case link(Link)
  }

  /// The looks of a text.
  public struct Styles: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    public static let bold = Styles(rawValue: 1)
    public static let italic = Styles(rawValue: 2)
    public static let underline = Styles(rawValue: 4)
    public static let strike = Styles(rawValue: 8)
    public static let highlight = Styles(rawValue: 16)
    public static let code = Styles(rawValue: 32)
    public static let superscript = Styles(rawValue: 64)
    public static let `subscript` = Styles(rawValue: 128)
  }
}

extension RichText.Marks: ExpressibleByArrayLiteral {
  public init(arrayLiteral marks: RichText.Mark...) {
    self.init([] as RichText.Styles)
    for mark in marks { insert(mark) }
  }

  public mutating func insert(_ mark: RichText.Mark) {
    switch mark {
    case .bold: styles.insert(.bold)
    case .italic: styles.insert(.italic)
    case .underline: styles.insert(.underline)
    case .strike: styles.insert(.strike)
    case .highlight: styles.insert(.highlight)
    case .superscript:
      styles.insert(.superscript)
      styles.remove(.subscript)
    case .subscript:
      styles.insert(.subscript)
      styles.remove(.superscript)
    case .code: styles.insert(.code)
    case .link(let target): link = target
    }
  }

  /// The marks one by one, the outermost first: the order in which the editor has them.
  public var all: [RichText.Mark] {
    var all: [RichText.Mark] = []
    if let link { all.append(.link(link)) }
    if styles.contains(.bold) { all.append(.bold) }
    if styles.contains(.italic) { all.append(.italic) }
    if styles.contains(.underline) { all.append(.underline) }
    if styles.contains(.strike) { all.append(.strike) }
    if styles.contains(.highlight) { all.append(.highlight) }
    if styles.contains(.superscript) { all.append(.superscript) }
    if styles.contains(.subscript) { all.append(.subscript) }
    if styles.contains(.code) { all.append(.code) }
    return all
  }
}
