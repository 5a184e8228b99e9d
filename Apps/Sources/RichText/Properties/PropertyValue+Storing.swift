import Foundation

// The value of a property in one text, so that a device which changes the kind and one which changes the value do not
// leave half of each:
//
//   date        list        link           checkbox
//   2026-12-01  myth        Slip boxes     true
//               epic        #Faults|those

extension PropertyValue {
  /// The kind and the value in lines.
  public var stored: String {
    switch self {
    case .text(let text), .number(let text), .date(let text): "\(kind.rawValue)\n\(text)"
    case .list(let items): ([kind.rawValue] + items).joined(separator: "\n")
    case .checkbox: "\(kind.rawValue)\n\(plainText)"
    case .link(let link): "\(kind.rawValue)\n\(link.title)\n\(link.rest)"
    case .other(let lines): "\(kind.rawValue)\n\(lines)"
    }
  }

  /// Reads what ``stored`` has written; a text of a later version of the program is kept as it is.
  public init(stored: String) {
    let lines = stored.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = lines.count > 1 ? String(lines[1]) : ""
    switch PropertyKind(rawValue: String(lines[0])) {
    case .list?: self = .list(rest.isEmpty ? [] : rest.split(separator: "\n").map(String.init))
    case .link?:
      let parts = rest.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      self = .link(
        PropertyLink(title: String(parts[0]), rest: parts.count > 1 ? String(parts[1]) : "")
      )
    case let kind?: self = PropertyValue(kind, text: rest) ?? .text(Text.oneLine(rest))
    case nil: self = .text(Text.oneLine(stored))
    }
  }
}

// MARK: - Comparing

extension PropertyValue {
  /// A text by which values are compared and put in order; `nil` for an empty value.
  ///
  /// ```
  /// b1                 a checkbox              d2026-12-01t09:30    a date, with its time
  /// n8010000000000000  a number, in bits       sslip boxes          words, without case and accents
  /// ```
  public var key: String? {
    switch self {
    case _ where isEmpty: nil
    case .checkbox(let isOn): Self.key(of: isOn)
    case .number(let text): Self.number(text).map(Self.key(of:))
    case .date(let text): Self.key(ofDate: text)
    case .text, .list, .link, .other: Self.key(ofWords: plainText)
    }
  }

  public static func key(of isOn: Bool) -> String { isOn ? "b1" : "b0" }

  /// The bits of a number in sixteen digits, so that the order of the digits is that of the numbers.
  public static func key(of number: Double) -> String {
    // Zero is written in two ways.
    let bits = (number == 0 ? 0 : number).bitPattern
    let ordered = (bits >> 63) == 1 ? ~bits : bits | (1 << 63)
    let digits = String(ordered, radix: 16)
    return "n" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  public static func key(ofDate text: String) -> String {
    "d" + text.prefix(16).lowercased().replacing(" ", with: "t")
  }

  public static func key(ofWords text: String) -> String {
    "s" + folded(text).prefix(longestKey)
  }

  private static let longestKey = 100

  /// The words of a value that a search looks for, each with a blank before it; `nil` without words.
  ///
  /// ```
  /// In Progress, 2nd     " in progress 2nd"
  /// ```
  public var words: String? {
    switch self {
    case .checkbox, .number, .date: nil
    case .text, .list, .link, .other: Self.words(of: plainText)
    }
  }

  public static func words(of text: String) -> String? {
    let words = folded(text).split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? nil : words.map { " \($0)" }.joined()
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
