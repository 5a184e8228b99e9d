/// Rows under headings, printed as they come.
///
/// The widths are those of the first rows, which are kept for that; rows that come later are cut or
/// stick out. If a person reads, the table is at most as wide as the terminal.
///
/// ```
/// id    title        stars  folder
/// p1    Shopping         3  Folder/p1 "Home"
/// p2    A very long…     0
/// ```
final class TextTable {
  struct Column {
    let title: String
    /// Whether its values are numbers, which are aligned to the right; `nil` if the first rows
    /// decide.
    var isNumeric: Bool? = false
  }

  private let columns: [Column]
  private let terminal: Terminal
  private let output: Output
  /// The remark about columns that do not fit, such as how to choose others.
  private let advice: String
  private var waiting: [[String]] = []
  private var layout: Layout?
  private(set) var rowCount = 0

  private struct Layout {
    /// Of the columns that have room.
    let widths: [Int]
    let isNumeric: [Bool]
  }

  /// How many rows decide about the widths.
  private static let sampleSize = 100
  private static let gap = "  "
  /// Columns are not padded to more than this; longer values stick out.
  private static let mostWidth = 200
  /// Columns become as narrow as this before others are left out.
  private static let leastWidth = 10

  init(_ columns: [Column], terminal: Terminal, output: Output, advice: String = "") {
    self.columns = columns
    self.terminal = terminal
    self.output = output
    self.advice = advice
  }

  /// Takes a row with a text for each column.
  func add(_ cells: [String]) throws {
    rowCount += 1
    let cells = cells.map(\.inOneLine)
    if let layout {
      try print(cells, layout)
    } else {
      waiting.append(cells)
      if waiting.count == Self.sampleSize { try begin() }
    }
  }

  /// Prints what is still waiting.
  func finish() throws {
    try begin()
    let hidden = columns.dropFirst(layout?.widths.count ?? columns.count)
    if !hidden.isEmpty {
      let names = hidden.map(\.title.inOneLine).joined(separator: ", ")
      try output.line(terminal.styled("not shown: \(names)\(advice)", .faint))
    }
  }
}

// MARK: - Printing

extension TextTable {
  private func begin() throws {
    guard layout == nil else { return }
    let layout = Layout(
      widths: fitting(naturalWidths),
      isNumeric: columns.indices.map { columns[$0].isNumeric ?? hasNumbersOnly(at: $0) }
    )
    self.layout = layout
    let titles = columns.map(\.title.inOneLine)
    try print(titles, layout, as: .heading)
    for row in waiting { try print(row, layout) }
    waiting = []
  }

  private func print(_ cells: [String], _ layout: Layout, as role: TextRole? = nil) throws {
    var line = ""
    let count = layout.widths.count
    for (place, cell) in cells.prefix(count).enumerated() {
      if place > 0 { line += Self.gap }
      let width = layout.widths[place]
      let text = terminal.width == nil ? cell : cell.cut(to: width)
      line += text.filled(to: width, onTheLeft: layout.isNumeric[place])
    }
    while line.last == " " { line.removeLast() }
    try output.line(role.map { terminal.styled(line, $0) } ?? line)
  }
}

// MARK: - Widths

extension TextTable {
  private var naturalWidths: [Int] {
    columns.indices.map { place in
      let widths = waiting.map { $0[place].displayWidth }.filter { $0 <= Self.mostWidth }
      return max(columns[place].title.displayWidth, widths.max() ?? 0, 1)
    }
  }

  private func hasNumbersOnly(at place: Int) -> Bool {
    let cells = waiting.map { $0[place] }.filter { !$0.isEmpty }
    return !cells.isEmpty && cells.allSatisfy { Double($0) != nil }
  }

  /// Leaves out columns on the right for which there is no room, then narrows the widest of the
  /// others until all fit.
  private func fitting(_ natural: [Int]) -> [Int] {
    guard let room = terminal.width else { return natural }
    var shown = natural.count
    while shown > 1, least(natural.prefix(shown)) > room { shown -= 1 }
    var widths = Array(natural.prefix(shown))
    let gaps = Self.gap.count * (shown - 1)
    var surplus = widths.reduce(gaps, +) - room
    while surplus > 0, let widest = widths.max(), widest > 1,
      let place = widths.lastIndex(of: widest)
    {
      // The widest alone goes down to the next in width; several of them go down together.
      let isAlone = widths.count { $0 == widest } == 1
      let next = widths.filter { $0 < widest }.max() ?? 1
      let step = isAlone ? min(surplus, widest - next) : 1
      widths[place] -= step
      surplus -= step
    }
    return widths
  }

  private func least(_ widths: ArraySlice<Int>) -> Int {
    widths.reduce(Self.gap.count * (widths.count - 1)) { $0 + min($1, Self.leastWidth) }
  }
}
