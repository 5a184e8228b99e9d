import Foundation

/// Writes the text of a field of BibTeX in Unicode.
///
/// ```
/// M{\"u}nster, \'{E}tudes \& \emph{more}--less      Münster, Études & more–less
/// ```
///
/// Braces are left out, and so are commands that are not known; what they are about stays.
enum TeX {
  static func text(of bytes: [UInt8]) -> String {
    if !bytes.contains(where: isSign) { return String(decoding: bytes, as: UTF8.self) }
    var writer = TeXText(Array(String(decoding: bytes, as: UTF8.self).unicodeScalars))
    return writer.text()
  }

  private static func isSign(_ byte: UInt8) -> Bool { "\\{}~-`'$".utf8.contains(byte) }
}

/// The text while it is written, in one pass.
private struct TeXText {
  private let source: [Unicode.Scalar]
  private var place = 0
  private var written = String.UnicodeScalarView()
  /// The accent of the next letter.
  private var accent: Unicode.Scalar?

  init(_ source: [Unicode.Scalar]) {
    self.source = source
  }

  mutating func text() -> String {
    while place < source.count {
      let scalar = source[place]
      place += 1
      switch scalar {
      case "\\": command()
      case "{", "}", "$": break
      case "~": add("\u{A0}")
      case "-" where skips("-"): add(skips("-") ? "—" : "–")
      case "`" where skips("`"): add("“")
      case "'" where skips("'"): add("”")
      case "`" where accent == nil: add("‘")
      case "'" where accent == nil: add("’")
      default: add(scalar)
      }
    }
    return String(written).precomposedStringWithCanonicalMapping
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    written.append(scalar)
    if let accent { written.append(accent) }
    accent = nil
  }

  private mutating func skips(_ scalar: Unicode.Scalar) -> Bool {
    guard place < source.count, source[place] == scalar else { return false }
    place += 1
    return true
  }

  private mutating func command() {
    guard place < source.count else { return }
    let start = place
    while place < source.count, place - start < 40, isLetter(source[place]) { place += 1 }
    guard place > start else {
      let sign = source[place]
      place += 1
      if let mark = Self.accents[sign] { accent = mark } else { addSign(sign) }
      return
    }
    let name = String(String.UnicodeScalarView(source[start..<place]))
    if let mark = Self.letterAccents[name] {
      accent = mark
      skipBlanks()
    } else if let letters = Self.letters[name] {
      // An accent takes the place of the dot; both are one letter then.
      let isDotless = accent != nil && (name == "i" || name == "j")
      for scalar in (isDotless ? name : letters).unicodeScalars { add(scalar) }
      skipBlanks()
    } else if name == "href" {
      skipGroup()
    } else {
      skipBlanks()
    }
  }

  private mutating func addSign(_ sign: Unicode.Scalar) {
    switch sign {
    case "\\": add(" ")
    case ",", ":", ";", " ": add(" ")
    case "-", "/", "!", "(", ")", "[", "]": break
    default: add(sign)
    }
  }

  /// A blank behind the name of a command belongs to it.
  private mutating func skipBlanks() {
    while place < source.count, source[place] == " " || source[place] == "\n" { place += 1 }
  }

  /// Leaves out the address of a link, whose words follow.
  private mutating func skipGroup() {
    guard place < source.count, source[place] == "{" else { return }
    while place < source.count, source[place] != "}" { place += 1 }
  }

  private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static let accents: [Unicode.Scalar: Unicode.Scalar] = [
    "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "\"": "\u{308}", "~": "\u{303}",
    "=": "\u{304}", ".": "\u{307}",
  ]

  private static let letterAccents: [String: Unicode.Scalar] = [
    "u": "\u{306}", "v": "\u{30C}", "H": "\u{30B}", "c": "\u{327}", "k": "\u{328}",
    "r": "\u{30A}", "d": "\u{323}", "b": "\u{331}", "t": "\u{361}",
  ]

  private static let letters: [String: String] = [
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø",
    "O": "Ø", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ",
    "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "S": "§", "P": "¶", "pounds": "£", "euro": "€",
    "texteuro": "€", "copyright": "©", "textregistered": "®", "texttrademark": "™", "dag": "†",
    "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "textasciitilde": "~", "textbackslash": "\\", "textunderscore": "_",
    "textdegree": "°", "textmu": "µ", "times": "×", "LaTeX": "LaTeX", "TeX": "TeX",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ",
    "mu": "μ", "pi": "π", "sigma": "σ", "omega": "ω", "Omega": "Ω", "Delta": "Δ",
  ]
}
