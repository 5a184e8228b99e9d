/// The colour table of an RTF file, of which only matters what looks like a marker pen.
///
/// ```
/// {\colortbl;\red255\green255\blue255;\red255\green255\blue0;}
///           0                        1                      2     2 is a marker pen
/// ```
///
/// Text that was copied from a page brings the page's white, grey or black along; nobody has meant
/// that. Cocoa's `\*\expandedcolortbl` has the same colours once more, only finer.
struct RTFColours {
  private struct Colour {
    var red = 0
    var green = 0
    var blue = 0
  }

  private var colours: [Colour] = []
  private var current = Colour()

  /// More than any text has.
  private static let limit = 10_000

  func isMarker(_ index: Int) -> Bool {
    guard colours.indices.contains(index) else { return false }
    let colour = colours[index]
    let channels = [colour.red, colour.green, colour.blue].sorted()
    return channels[2] - channels[0] >= 32
  }

  mutating func read(_ word: String, _ number: Int?) {
    let value = min(max(number ?? 0, 0), 255)
    switch word {
    case "red": current.red = value
    case "green": current.green = value
    case "blue": current.blue = value
    default: break
    }
  }

  mutating func add(_ byte: UInt8) {
    guard byte == UInt8(ascii: ";"), colours.count < Self.limit else { return }
    colours.append(current)
    current = Colour()
  }
}
