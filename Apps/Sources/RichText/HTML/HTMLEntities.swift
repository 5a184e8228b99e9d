/// Characters by their names or numbers: `&eacute;`, `&#233;`, `&#xE9;`.
enum HTMLEntities {
  static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var text = text
    return text.withUTF8(decoded)
  }

  /// Goes by bytes, each of which is looked at twice at most: a page may be millions of these signs.
  private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var start = 0
    while let sign = bytes[start...].firstIndex(of: UInt8(ascii: "&")) {
      decoded += bytes[start..<sign]
      start = sign + 1
      let name = bytes[start...].prefix(longestName).prefix { $0 != UInt8(ascii: "&") }
      if let end = name.firstIndex(of: UInt8(ascii: ";")),
        let character = character(String(decoding: name[..<end], as: UTF8.self))
      {
        decoded += character.utf8
        start = end + 1
      } else {
        decoded.append(UInt8(ascii: "&"))
      }
    }
    decoded += bytes[start...]
    return String(decoding: decoded, as: UTF8.self)
  }

  private static let longestName = 32

  private static func character(_ name: String) -> String? {
    name.hasPrefix("#") ? numbered(name) : names[name]
  }

  /// Returns the character that a name such as `#233` or `#xE9` numbers.
  static func numbered(_ name: String) -> String? {
    let isHexadecimal = name.dropFirst().first.map { "xX".contains($0) } ?? false
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
      .map { String($0) }
  }

  private static let names: [String: String] = {
    var names = others
    for (offset, name) in latin.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(UInt32(0xA0 + offset)).map { String($0) }
    }
    for (offset, name) in greek.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(UInt32(0x391 + offset)).map { String($0) }
      let small = name.lowercased()
      names[small] = Unicode.Scalar(UInt32(0x3B1 + offset)).map { String($0) }
    }
    names["-"] = nil
    return names
  }()

  /// From U+00A0 on.
  private static let latin = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
    sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
    Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
    ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN \
    szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute \
    icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml \
    yacute thorn yuml
    """

  /// From U+0391 on; the small letters follow in the same order, with a sigma for the end of words.
  private static let greek = """
    Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - \
    Sigma Tau Upsilon Phi Chi Psi Omega
    """

  private static let others = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "OElig": "Œ", "oelig": "œ",
    "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ", "tilde": "˜",
    "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "zwnj": "\u{200C}",
    "zwj": "\u{200D}", "lrm": "\u{200E}", "rlm": "\u{200F}", "ndash": "–", "mdash": "—",
    "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„",
    "dagger": "†", "Dagger": "‡", "bull": "•", "hellip": "…", "permil": "‰", "prime": "′",
    "Prime": "″", "lsaquo": "‹", "rsaquo": "›", "oline": "‾", "frasl": "⁄", "euro": "€",
    "image": "ℑ", "weierp": "℘", "real": "ℜ", "trade": "™", "alefsym": "ℵ", "larr": "←",
    "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "crarr": "↵", "lArr": "⇐", "uArr": "⇑",
    "rArr": "⇒", "dArr": "⇓", "hArr": "⇔", "forall": "∀", "part": "∂", "exist": "∃", "empty": "∅",
    "nabla": "∇", "isin": "∈", "notin": "∉", "ni": "∋", "prod": "∏", "sum": "∑", "minus": "−",
    "lowast": "∗", "radic": "√", "prop": "∝", "infin": "∞", "ang": "∠", "and": "∧", "or": "∨",
    "cap": "∩", "cup": "∪", "int": "∫", "there4": "∴", "sim": "∼", "cong": "≅", "asymp": "≈",
    "ne": "≠", "equiv": "≡", "le": "≤", "ge": "≥", "sub": "⊂", "sup": "⊃", "nsub": "⊄",
    "sube": "⊆", "supe": "⊇", "oplus": "⊕", "otimes": "⊗", "perp": "⊥", "sdot": "⋅", "loz": "◊",
    "spades": "♠", "clubs": "♣", "hearts": "♥", "diams": "♦", "check": "✓", "thetasym": "ϑ",
  ]
}
