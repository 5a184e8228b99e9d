/// Characters by their names or numbers: `&eacute;`, `&#233;`, `&#xE9;`.
///
/// HTML has 2,125 names. libgumbo knows them, and that numbers from 128 to 159 mean characters of Windows 1252.
enum HTMLEntities {
  /// The length of the longest name, `CounterClockwiseContourIntegral`, and of the signs around it.
  static let longest = 33

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
      let name = bytes[start...].prefix(longest).prefix { $0 != UInt8(ascii: "&") }
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

  /// Returns the character, or the two characters, of a name such as `eacute`, `#233` or `#xE9`; `nil` for other
  /// names.
  static func character(_ name: String) -> String? {
    if let character = frequent[name] ?? numbered(name) { return character }
    let isName = name.utf8.allSatisfy { byte in
      let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
      return letters.contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || byte == UInt8(ascii: "#")
    }
    // A name of a few letters cannot be too much for the library.
    guard isName, let nodes = try? HTMLTree.nodes(of: Array("<pre>x&\(name);".utf8)),
      let found = text(in: nodes)?.dropFirst(), !found.isEmpty
    else { return nil }
    // A name that begins with a shorter one, as `&notit;`, or that is unknown, leaves signs of itself.
    let isWhole = found.unicodeScalars.count == 1 || (found.last != ";" && found.first != "&")
    return isWhole ? String(found) : nil
  }

  /// The characters that texts are full of.
  private static let frequent = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]

  /// Returns the character that a number means by itself, whatever HTML says; `nil` for other numbers and names.
  private static func numbered(_ name: String) -> String? {
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.dropFirst().first.map { "xX".contains($0) } ?? false
    let digits = name.dropFirst(isHexadecimal ? 2 : 1)
    guard digits.allSatisfy(\.isHexDigit),
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number >= 0xA0 || number < 0x7F,
      number >= 0x20
    else { return nil }
    return Unicode.Scalar(number).map { String($0) }
  }

  private static func text(in nodes: [HTMLTree.Node]) -> String? {
    for node in nodes {
      switch node {
      case .text(let text): return text
      case .element(_, let children): if let text = text(in: children) { return text }
      }
    }
    return nil
  }
}
