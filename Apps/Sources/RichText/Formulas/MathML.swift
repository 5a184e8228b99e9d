/// Writes a formula as MathML, which browsers show by themselves: for pages without scripts, such as an export.
///
/// ```
/// x^2      <math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>
///            <annotation encoding="application/x-tex">x^2</annotation></semantics></math>
/// ```
///
/// It knows the commands that notes have most. A formula with any other command, and one that is wrong, is shown by its
/// source. The source is always in the annotation, from which ``HTMLBuilder`` reads the formula again.
enum MathML {
  /// Longer formulas are shown by their source.
  static let longest = 10_000

  static func math(_ tex: String, isDisplay: Bool) -> String {
    let display = isDisplay ? " display=\"block\"" : ""
    let inside = rows(tex) ?? "<mtext>\(HTML.escaped(tex))</mtext>"
    let source = "<annotation encoding=\"application/x-tex\">\(HTML.escaped(tex))</annotation>"
    return "<math\(display)><semantics><mrow>\(inside)</mrow>\(source)</semantics></math>"
  }

  /// The elements of a formula; `nil` if it has something that is not known.
  private static func rows(_ tex: String) -> String? {
    guard tex.utf8.count <= longest else { return nil }
    do {
      var writer = TeXWriter(TeXTokens(tex).all)
      return try writer.formula()
    } catch {
      return nil
    }
  }
}

/// The pieces of a formula in TeX.
enum TeXToken: Hashable {
  /// A name behind a backslash, or a single sign behind one.
  case command(String)
  case sign(Unicode.Scalar)
  /// Blanks, which mean something in a text only.
  case blank
}

/// Splits a formula into tokens.
struct TeXTokens {
  private(set) var all: [TeXToken] = []

  init(_ tex: String) {
    let scalars = Array(tex.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if scalar == "\\" {
        let name = scalars[index...].prefix { $0.isASCII && $0.properties.isAlphabetic }
        if name.isEmpty {
          // At the end it is a command without a name, which nobody knows.
          all.append(.command(index < scalars.count ? String(scalars[index]) : ""))
          index += 1
        } else {
          all.append(.command(String(String.UnicodeScalarView(name))))
          index += name.count
        }
      } else if scalar == "%" {
        // The rest of the line is a remark.
        index += scalars[index...].prefix { $0 != "\n" }.count
      } else if scalar.properties.isWhitespace {
        if all.last != .blank { all.append(.blank) }
      } else {
        all.append(.sign(scalar))
      }
    }
  }
}
