public import Foundation

/// A property of a note: a name, and a value of a kind.
///
/// ```
/// due: 2026-12-01      a date
/// rating: 4            a number
/// genre: [myth, epic]  a list
/// ```
public struct NoteProperty: Hashable, Sendable {
  public var name: String
  public var value: PropertyValue

  public init(_ name: String, _ value: PropertyValue) {
    self.name = name
    self.value = value
  }

  /// The same property, whose link leads to the note that `noteNamed` knows by its title.
  func linked(_ noteNamed: (_ title: String) -> UUID?) -> NoteProperty {
    guard case .link(var link) = value else { return self }
    link.note = noteNamed(link.title)
    return NoteProperty(name, .link(link))
  }
}

/// The kinds of a property's value.
public enum PropertyKind: String, CaseIterable, Sendable {
  case text, number, date, list, checkbox, link

  /// A value that a file had and that none of the kinds above holds. It is kept as it is written.
  case other
}

/// The value of a property.
///
/// Numbers and dates are kept as they are written, so that `3.10` and `2026-12-01T09:30` leave as they came.
public enum PropertyValue: Hashable, Sendable {
  /// One line; empty until somebody writes a value.
  case text(String)
  case number(String)
  case date(String)
  case list([String])
  case checkbox(Bool)
  case link(PropertyLink)
  /// The lines behind the colon, as a file had them.
  case other(String)

  public var kind: PropertyKind {
    switch self {
    case .text: .text
    case .number: .number
    case .date: .date
    case .list: .list
    case .checkbox: .checkbox
    case .link: .link
    case .other: .other
    }
  }

  /// The value on one line, as people read it; empty for an empty value.
  public var plainText: String {
    switch self {
    case .text(let text), .number(let text), .date(let text): text
    case .list(let items): items.joined(separator: ", ")
    case .checkbox(let isOn): isOn ? "true" : "false"
    case .link(let link): link.title
    case .other(let lines): Text.oneLine(lines)
    }
  }

  /// Whether the property has a value.
  public var isEmpty: Bool { plainText.isEmpty }
}

/// A link to a note as the value of a property: `[[Title]]`, `[[Title#Heading|words]]`.
public struct PropertyLink: Hashable, Sendable {
  /// The note; `nil` until one has that title.
  public var note: UUID?
  public var title: String
  /// The rest between the brackets, such as `#Heading|words`.
  public var rest: String

  public init(note: UUID? = nil, title: String, rest: String = "") {
    self.note = note
    self.title = title
    self.rest = rest
  }

  /// Reads `[[Title]]`; `nil` for another text.
  public init?(written text: String) {
    guard text.hasPrefix("[["), text.hasSuffix("]]"), text.utf8.count > 4 else { return nil }
    let inside = text.dropFirst(2).dropLast(2)
    guard !inside.contains(where: { "[]".contains($0) || $0.isNewline }) else { return nil }
    let title = inside.prefix { !"#|".contains($0) }
    let name = Text.trimmed(title)
    if name.isEmpty { return nil }
    self.init(title: name, rest: String(inside[title.endIndex...]))
  }

  /// The link in brackets, with a title by which reading finds the note again.
  public func written(as name: String? = nil) -> String { "[[\(name ?? title)\(rest)]]" }
}

// MARK: - Reading by kind

extension PropertyValue {
  /// Reads the text of a value of a kind; `nil` if it is not one.
  ///
  /// An empty text is an empty value of every kind, and a checkbox that is off.
  public init?(_ kind: PropertyKind, text: String) {
    let line = kind == .other ? text : Text.oneLine(text)
    switch kind {
    case .text: self = .text(line)
    case .number:
      guard line.isEmpty || Self.number(line) != nil else { return nil }
      self = .number(line)
    case .date:
      guard line.isEmpty || PropertyDate.isDate(line) else { return nil }
      self = .date(line)
    case .list: self = .list(Self.items(of: line))
    case .checkbox:
      guard let isOn = Self.truth(line) else { return nil }
      self = .checkbox(isOn)
    case .link: self = .link(PropertyLink(written: line) ?? PropertyLink(title: line))
    case .other: self = .other(text)
    }
  }

  /// The same value as one of another kind; `nil` if it is not one of that kind.
  public func converted(to kind: PropertyKind) -> PropertyValue? {
    if kind == self.kind { return self }
    switch self {
    case .date(let text) where kind == .number && !text.isEmpty: return nil
    case .checkbox where kind == .number || kind == .date: return PropertyValue(kind, text: "")
    case .list(let items) where kind != .text && items.count > 1: return nil
    case .text, .number, .date, .list, .checkbox, .link, .other:
      return PropertyValue(kind, text: plainText)
    }
  }

  /// The number that a text is as YAML has them; `nil` for other texts, and for one that is not finite.
  public static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 60, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      text.utf8.contains(where: { (0x30...0x39).contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  private static func items(of line: String) -> [String] {
    line.split(separator: ",").map { Text.trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func truth(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0", "": false
    default: nil
    }
  }
}

/// A day, or a day and a time, as a property has them: `2026-12-01`, `2026-12-01T09:30`.
///
/// It is the same day in every time zone.
enum PropertyDate {
  static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (10...40).contains(bytes.count), has(bytes, "0000-00-00") else { return false }
    let (year, month, day) = (number(bytes[0..<4]), number(bytes[5..<7]), number(bytes[8..<10]))
    guard year > 0, (1...12).contains(month), (1...days(of: month, in: year)).contains(day) else {
      return false
    }
    return bytes.count == 10 || isTime(Array(bytes[10...]))
  }

  /// `T09:30`, `T09:30:15.5`, `T09:30Z`, ` 09:30+01:00`.
  private static func isTime(_ bytes: [UInt8]) -> Bool {
    guard bytes[0] == UInt8(ascii: "T") || bytes[0] == UInt8(ascii: " "),
      has(Array(bytes.dropFirst()), "00:00"), number(bytes[1..<3]) < 24, number(bytes[4..<6]) < 60
    else { return false }
    var rest = bytes[6...]
    if rest.first == UInt8(ascii: ":") {
      guard has(Array(rest), ":00"), number(rest.dropFirst().prefix(2)) < 60 else { return false }
      rest = rest.dropFirst(3)
      if rest.first == UInt8(ascii: ".") {
        let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return false }
        rest = rest[digits.endIndex...]
      }
    }
    if rest.isEmpty || rest.elementsEqual("Z".utf8) { return true }
    guard rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") else { return false }
    let zone = Array(rest.dropFirst())
    return zone.count == 4 && has(zone, "0000") || zone.count == 5 && has(zone, "00:00")
  }

  /// Whether the bytes begin with digits where the pattern has zeros, and with its signs elsewhere.
  private static func has(_ bytes: [UInt8], _ pattern: String) -> Bool {
    bytes.count >= pattern.utf8.count
      && zip(bytes, pattern.utf8).allSatisfy { byte, sign in
        sign == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == sign
      }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension PropertyValue {
  /// The time of a reminder, `20270101T080000Z`, as a date; another text stays a text.
  public static func reminder(_ text: String) -> PropertyValue {
    let bytes = Array(text.utf8)
    guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"), bytes[0..<8].allSatisfy(isDigit),
      bytes[9..<15].allSatisfy(isDigit)
    else { return PropertyValue(.text, text: text) ?? .text("") }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    let time = "\(part(9..<11)):\(part(11..<13)):\(part(13..<15))"
    let zone = bytes.count == 16 && bytes[15] == UInt8(ascii: "Z") ? "Z" : ""
    return PropertyValue(.date, text: "\(day)T\(time)\(zone)") ?? .text(Text.oneLine(text))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
