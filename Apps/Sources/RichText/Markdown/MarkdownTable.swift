/// Rows of a table as Markdown has them.
///
/// ```
/// | Fruit | Kilos |
/// | :---- | ----: |
/// | a \\| b | `3` |       a bar in a cell has a backslash before it, also in code
/// ```
enum MarkdownTable {
  /// The alignments of the columns in the row of dashes; `nil` for any other row.
  static func alignments(_ line: ArraySlice<UInt8>) -> [RichText.Table.Alignment?]? {
    guard line.contains(bar), line.contains(dash), line.allSatisfy(isOfDashes) else { return nil }
    var alignments: [RichText.Table.Alignment?] = []
    for cell in cells(line) {
      let dashes = cell.drop { $0 == colon }.reversed().drop { $0 == colon }
      guard !dashes.isEmpty, dashes.allSatisfy({ $0 == dash }) else { return nil }
      switch (cell.first == colon, cell.last == colon) {
      case (true, true): alignments.append(.center)
      case (true, false): alignments.append(.left)
      case (false, true): alignments.append(.right)
      case (false, false): alignments.append(nil)
      }
    }
    return alignments
  }

  /// The cells of a row, without the bars at its ends and the backslashes before bars.
  static func cells(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var cells: [[UInt8]] = [[]]
    var line = MarkdownSigns.trimmed(line)
    if line.first == bar { line = line.dropFirst() }
    for byte in line {
      if byte != bar {
        cells[cells.count - 1].append(byte)
      } else if cells[cells.count - 1].last == backslash {
        cells[cells.count - 1][cells[cells.count - 1].count - 1] = bar
      } else if cells.count < RichText.Table.maximumColumns {
        cells.append([])
      } else {
        cells[cells.count - 1].append(byte)
      }
    }
    // Empty space after the last bar is not a cell.
    if line.last == bar, cells.count > 1, cells[cells.count - 1].isEmpty { cells.removeLast() }
    return cells.map { MarkdownSigns.trimmed($0[...]) }
  }

  /// The lines of a table whose cells are written already.
  static func lines(_ table: RichText.Table, cells: [[String]]) -> [String] {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let dashes = table.alignments.map { alignment in
      switch alignment {
      case .left: ":---"
      case .center: ":---:"
      case .right: "---:"
      case nil: "---"
      }
    }
    let header = table.hasHeader ? cells[0] : table.alignments.map { _ in "" }
    return [line(header), line(dashes)] + cells.dropFirst(table.hasHeader ? 1 : 0).map(line)
  }

  private static func isOfDashes(_ byte: UInt8) -> Bool {
    byte == bar || byte == dash || byte == colon || byte == 0x20 || byte == 0x09
  }

  private static let bar = UInt8(ascii: "|")
  private static let dash = UInt8(ascii: "-")
  private static let colon = UInt8(ascii: ":")
  private static let backslash = UInt8(ascii: "\\")
}
