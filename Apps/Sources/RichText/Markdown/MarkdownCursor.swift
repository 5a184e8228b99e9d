/// A line of Markdown and how far it is read, counted in columns: a tab goes on to the next multiple
/// of four, and may be read in part.
///
/// ```
/// "-\tcode"   after the marker: 3 columns of blank, of which an item takes one
/// ```
struct MarkdownCursor {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var column = 0

  /// Columns of a tab that was read in part.
  private var restOfTab = 0

  init(_ line: ArraySlice<UInt8>) {
    bytes = line
    position = line.startIndex
  }

  /// How many columns of blank come next.
  var indent: Int {
    var (position, column) = (position, column + restOfTab)
    let start = self.column
    while position < bytes.endIndex {
      switch bytes[position] {
      case 0x20: column += 1
      case 0x09: column += 4 - column % 4
      default: return column - start
      }
      position += 1
    }
    return column - start
  }

  /// The first byte that is not blank, or `nil` if the rest is blank.
  var first: UInt8? {
    bytes[position...].first { $0 != 0x20 && $0 != 0x09 }
  }

  var isBlank: Bool { first == nil }

  mutating func skip(columns: Int) {
    var left = columns
    while left > 0 {
      if restOfTab > 0 {
        let part = min(left, restOfTab)
        restOfTab -= part
        column += part
        left -= part
      } else if position < bytes.endIndex {
        let isTab = bytes[position] == 0x09
        position += 1
        if isTab {
          restOfTab = 4 - column % 4
        } else {
          column += 1
          left -= 1
        }
      } else {
        return
      }
    }
  }

  /// Skips so many bytes, none of which is a tab.
  mutating func skip(bytes: Int) {
    position += bytes
    column += bytes
  }

  mutating func skipBlanks() {
    skip(columns: indent)
  }

  /// The rest of the line, with a partly read tab as blanks.
  var rest: ArraySlice<UInt8> {
    restOfTab == 0
      ? bytes[position...]
      : ArraySlice(Array(repeating: 0x20, count: restOfTab) + bytes[position...])
  }
}
