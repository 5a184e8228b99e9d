import Foundation

/// The meaning of a text's bytes, which the font gives by its character set.
///
/// Apple writes Japanese, Chinese and Korean text in the code page of the font, and all characters
/// that a code page lacks as `\u`.
struct RTFCodePage: Equatable {
  /// Foundation's number for it, or nil for Windows 1252, the one that is meant without a word.
  private let encoding: UInt?

  static let windows1252 = RTFCodePage(encoding: nil)

  /// Whether a character may take more than one byte.
  let isWide: Bool

  private init(encoding: UInt?, isWide: Bool = false) {
    self.encoding = encoding
    self.isWide = isWide
  }

  /// The code page of `\fcharset`.
  init(characterSet: Int) {
    switch characterSet {
    case 128: self.init(encoding: 0x8000_0420, isWide: true)
    case 129: self.init(encoding: 0x8000_0422, isWide: true)
    case 134: self.init(encoding: 0x8000_0632, isWide: true)
    case 136: self.init(encoding: 0x8000_0423, isWide: true)
    case 161: self.init(encoding: String.Encoding.windowsCP1253.rawValue)
    case 162: self.init(encoding: String.Encoding.windowsCP1254.rawValue)
    case 163: self.init(encoding: 0x8000_0508)
    case 177: self.init(encoding: 0x8000_0505)
    case 178: self.init(encoding: 0x8000_0506)
    case 186: self.init(encoding: 0x8000_0507)
    case 204: self.init(encoding: String.Encoding.windowsCP1251.rawValue)
    case 222: self.init(encoding: 0x8000_041D)
    case 238: self.init(encoding: String.Encoding.windowsCP1250.rawValue)
    default: self.init(encoding: nil)
    }
  }

  func text(_ bytes: [UInt8]) -> String {
    if let encoding,
      let text = String(data: Data(bytes), encoding: String.Encoding(rawValue: encoding))
    {
      return text
    }
    return String(String.UnicodeScalarView(bytes.map(Self.windows1252)))
  }

  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upper[Int(byte - 0x80)] : Unicode.Scalar(byte)
  }

  /// The characters of Windows at 0x80 to 0x9F; five of them are unused.
  private static let upper: [Unicode.Scalar] = [
    "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
    "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
  ]
}
