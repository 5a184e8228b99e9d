import CoreDataStrictJSON
import Foundation
import Pictures

/// The first element of an SVG: whether there is one, and how large the drawing is.
///
/// Nothing behind it is read: the browser draws the rest, as a picture, in which no script runs. A file with entities of its
/// own is not taken for a drawing, because these can unfold to gigabytes.
///
///     <?xml …?> <!-- … --> <!DOCTYPE svg …> <svg width="10cm" viewBox="0 0 300 200" …>
struct SVGHead: Equatable {
  let size: PictureSize

  /// Larger drawings take the browser long.
  static let byteLimit = 4 << 20

  /// The size of an SVG that does not tell it, as in browsers.
  private static let usual = PictureSize(width: 300, height: 150)
  private static let largest = 100_000.0

  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      if rest.starts(with: "<?xml".utf8) {
        guard let end = Self.end(of: "?>", in: rest) else { return nil }
        rest = rest[end...]
      } else if rest.starts(with: "<!--".utf8) {
        guard let end = Self.end(of: "-->", in: rest.dropFirst(4)) else { return nil }
        rest = rest[end...]
      } else if rest.starts(with: "<!DOCTYPE svg".utf8) {
        guard let end = Self.end(of: ">", in: rest),
          !rest[..<end].contains(UInt8(ascii: "["))
        else { return nil }
        rest = rest[end...]
      } else {
        break
      }
    }
    guard rest.starts(with: "<svg".utf8), let end = Self.end(of: ">", in: rest) else { return nil }
    let words = rest[..<end].dropFirst(4)
    guard let next = words.first, " \t\r\n/>".utf8.contains(next) else { return nil }
    size = Self.size(Self.attributes(String(decoding: words, as: UTF8.self)))
  }

  /// The size of a drawing that is not too large for browsers; `nil` for other data.
  static func size(of data: Data) -> PictureSize? {
    data.count > byteLimit ? nil : SVGHead([UInt8](data)[...])?.size
  }

  private static func end(of sign: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let sign = Array(sign.utf8)
    var rest = bytes
    while let place = rest.firstIndex(of: sign[0]) {
      rest = rest[place...]
      if rest.starts(with: sign) { return place + sign.count }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// The attributes of the element; a `>` in one of them ends the reading early, and the drawing has the usual size.
  private static func attributes(_ text: String) -> [String: String] {
    var found: [String: String] = [:]
    for match in text.matches(of: /\s([A-Za-z]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/) {
      found[String(match.1)] = String(match.2 ?? match.3 ?? "")
    }
    return found
  }

  private static func size(_ attributes: [String: String]) -> PictureSize {
    let box = attributes["viewBox"].map { words in
      words.split { $0 == " " || $0 == "," || $0.isNewline }.compactMap { length($0) }
    }
    var shape: (Double, Double)?
    if let box, box.count == 4, box[2] > 0, box[3] > 0 { shape = (box[2], box[3]) }
    let width = attributes["width"].flatMap { length($0[...]) }
    let height = attributes["height"].flatMap { length($0[...]) }
    switch (width, height, shape) {
    case (let width?, let height?, _): return of(width, height)
    case (let width?, nil, let shape?): return of(width, width * shape.1 / shape.0)
    case (nil, let height?, let shape?): return of(height * shape.0 / shape.1, height)
    case (_, _, let shape?): return of(shape.0, shape.1)
    case (_, _, nil):
      return of(width ?? Double(usual.width), height ?? Double(usual.height))
    }
  }

  private static func of(_ width: Double, _ height: Double) -> PictureSize {
    func pixels(_ length: Double) -> Int { Int(min(max(1, length.rounded()), largest)) }
    return PictureSize(width: pixels(width), height: pixels(height))
  }

  /// A length in pixels, `12.5`, `10cm`; `nil` for one that depends on the page, such as `100%`.
  private static func length(_ text: Substring) -> Double? {
    let units: [String: Double] = [
      "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96,
    ]
    guard let match = text.wholeMatch(of: /\s*([+-]?\d{1,7})(?:\.(\d{1,6})\d*)?([a-z]*)\s*/),
      let unit = units[String(match.3)],
      let whole = WholeNumber.read(match.1, within: -10_000_000...10_000_000)
    else { return nil }
    let digits = match.2.map(String.init) ?? ""
    let part = WholeNumber.read(digits, within: 0...1_000_000) ?? 0
    let scale = digits.reduce(1.0) { scale, _ in scale * 10 }
    return (Double(whole) + Double(part) / scale) * unit
  }
}
