/// A font of the font table, of which only the looks matter.
///
/// ```
/// {\f1\fnil\fcharset0 HelveticaNeue-BoldItalic;}   →   bold, italic
/// {\f2\fmodern\fcharset0 Menlo-Regular;}           →   code
/// ```
struct RTFFont {
  /// The name as far as it was read; no font needs more of it.
  private(set) var name: [UInt8] = []
  var isTypewriter = false
  var codePage: RTFCodePage?

  mutating func add(_ byte: UInt8) {
    if name.count < 128 && byte != UInt8(ascii: ";") { name.append(byte) }
  }

  var styles: RichText.Styles {
    let name = String(decoding: name, as: UTF8.self)
    var styles: RichText.Styles = []
    if Self.says(name, ["Bold", "Heavy", "Black"]) { styles.insert(.bold) }
    if Self.says(name, ["Italic", "Oblique"]) { styles.insert(.italic) }
    if isTypewriter || Self.says(name.replacing("Monotype", with: ""), Self.typewriters) {
      styles.insert(.code)
    }
    return styles
  }

  private static let typewriters = ["Menlo", "Courier", "Monaco", "Consolas", "Mono"]

  private static func says(_ name: String, _ words: [String]) -> Bool {
    // Apple's "Semibold" and "Demi Bold" are bold enough to be meant.
    let name = name.replacing("bold", with: "Bold")
    return words.contains { name.contains($0) }
  }
}
