import Foundation

/// The encoding that a page of the web names at its beginning.
///
/// ```
/// <meta charset="koi8-r">
/// <meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">
/// <?xml version="1.0" encoding="shift_jis"?>
/// ```
struct PageCharset: Equatable {
  /// In lower case, as it is in the page.
  let name: String

  /// `nil` for a page that does not name one where browsers look for it.
  init?(of page: Data) {
    let head = Self.withoutComments(
      String(decoding: page.prefix(Self.headLength), as: UTF8.self).lowercased()
    )
    guard let name = Self.meta(in: head) ?? Self.declaration(in: head) else { return nil }
    self.name = name
  }

  /// Foundation's encoding; nil for one that cannot be read here.
  ///
  /// As in browsers, pages that name the oldest encodings are in those of Windows, which have more letters, and a page
  /// that could be read up to here is not in UTF-16.
  var encoding: String.Encoding? {
    if name.hasPrefix("utf-16") { return .utf8 }
    return Self.encodings[name]
  }
}

// MARK: - The place of the name

extension PageCharset {
  /// More than browsers look at: programs for letters write much before it.
  private static let headLength = 8_192

  private static func withoutComments(_ head: String) -> String {
    var kept = ""
    var rest = head[...]
    while let start = rest.range(of: "<!--") {
      kept += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].range(of: "-->") else { return kept }
      rest = rest[end.upperBound...]
    }
    return kept + rest
  }

  private static func meta(in head: String) -> String? {
    var rest = head[...]
    while let start = rest.range(of: "<meta") {
      rest = rest[start.upperBound...]
      let tag = rest.prefix { $0 != ">" }
      if let name = value(of: "charset", in: tag) { return name }
    }
    return nil
  }

  private static func declaration(in head: String) -> String? {
    guard head.hasPrefix("<?xml") else { return nil }
    return value(of: "encoding", in: head.prefix { $0 != ">" })
  }

  /// The value after the name and a sign of equality, with quotes around it or without.
  private static func value(of name: String, in tag: Substring) -> String? {
    var rest = tag
    while let found = rest.range(of: name) {
      rest = rest[found.upperBound...].drop(while: \.isWhitespace)
      guard rest.first == "=" else { continue }
      let value = rest.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
        .prefix { $0.isLetter || $0.isNumber || "-_:.".contains($0) }
      if !value.isEmpty { return String(value) }
    }
    return nil
  }
}

// MARK: - Names

extension PageCharset {
  private static let encodings: [String: String.Encoding] = {
    var encodings: [String: String.Encoding] = [:]
    for (encoding, names) in names {
      for name in names.split(separator: " ") { encodings[String(name)] = encoding }
    }
    return encodings
  }()

  /// Foundation does not name some of the encodings that it reads; their numbers are those of Core Foundation.
  private static let names: [(String.Encoding, String)] = [
    (.utf8, "utf-8 utf8 unicode-1-1-utf-8"),
    (
      .windowsCP1252,
      """
      windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso_8859-1 latin1 l1 us-ascii ascii ansi_x3.4-1968
      """
    ),
    (.windowsCP1250, "windows-1250 cp1250 x-cp1250"),
    (.windowsCP1251, "windows-1251 cp1251 x-cp1251"),
    (.windowsCP1253, "windows-1253 cp1253 x-cp1253"),
    (.windowsCP1254, "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso_8859-9 latin5 l5"),
    (.init(rawValue: 0x8000_0505), "windows-1255 cp1255 x-cp1255"),
    (.init(rawValue: 0x8000_0506), "windows-1256 cp1256 x-cp1256"),
    (.init(rawValue: 0x8000_0507), "windows-1257 cp1257 x-cp1257"),
    (.init(rawValue: 0x8000_0508), "windows-1258 cp1258 x-cp1258"),
    (.init(rawValue: 0x8000_0202), "iso-8859-2 iso8859-2 iso_8859-2 latin2 l2"),
    (.init(rawValue: 0x8000_0203), "iso-8859-3 iso8859-3 iso_8859-3 latin3 l3"),
    (.init(rawValue: 0x8000_0204), "iso-8859-4 iso8859-4 iso_8859-4 latin4 l4"),
    (.init(rawValue: 0x8000_0205), "iso-8859-5 iso8859-5 iso_8859-5 cyrillic"),
    (.init(rawValue: 0x8000_0206), "iso-8859-6 iso8859-6 iso_8859-6 arabic"),
    (.init(rawValue: 0x8000_0207), "iso-8859-7 iso8859-7 iso_8859-7 greek"),
    (.init(rawValue: 0x8000_0208), "iso-8859-8 iso8859-8 iso_8859-8 iso-8859-8-i hebrew"),
    (.init(rawValue: 0x8000_020A), "iso-8859-10 iso8859-10 latin6 l6"),
    (.init(rawValue: 0x8000_020D), "iso-8859-13 iso8859-13"),
    (.init(rawValue: 0x8000_020E), "iso-8859-14 iso8859-14"),
    (.init(rawValue: 0x8000_020F), "iso-8859-15 iso8859-15 iso_8859-15 latin9 l9"),
    (.init(rawValue: 0x8000_0210), "iso-8859-16"),
    (.init(rawValue: 0x8000_0A02), "koi8-r koi8 koi koi8_r"),
    (.init(rawValue: 0x8000_0A08), "koi8-u"),
    (.init(rawValue: 0x8000_041D), "windows-874 tis-620 iso-8859-11 dos-874"),
    (.init(rawValue: 0x8000_0420), "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j"),
    (.iso2022JP, "iso-2022-jp"),
    (.init(rawValue: 0x8000_0632), "gb18030 gbk gb2312 gb_2312-80 x-gbk chinese"),
    (.init(rawValue: 0x8000_0423), "big5 big5-hkscs cn-big5 x-x-big5"),
    (.init(rawValue: 0x8000_0422), "euc-kr ks_c_5601-1987 ksc5601 windows-949 korean"),
  ]
}
