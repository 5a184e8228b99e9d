public import Foundation

extension RichText {
  /// Rows of cells, each of which is a line of text.
  ///
  /// ```
  /// | Fruit  | Kilos |        Table(hasHeader: true, alignments: [nil, .right], rows: [
  /// | ------ | ----: |   =      [[.text("Fruit")], [.text("Kilos")]],
  /// | Apples |     3 |          [[.text("Apples")], [.text("3")]],
  ///                           ])
  /// ```
  ///
  /// In a tidy text every row has as many cells as there are columns.
  public struct Table: Hashable, Sendable {
    public typealias Cell = [Inline]

    /// The side of a column on which its text is.
    public enum Alignment: String, CaseIterable, Sendable {
      case left, center, right
    }

    /// Whether the first row has the columns' headings.
    public var hasHeader: Bool

    /// For each column; `nil` if it was not set.
    public var alignments: [Alignment?]
    public var rows: [[Cell]]

    public init(hasHeader: Bool, alignments: [Alignment?] = [], rows: [[Cell]]) {
      self.hasHeader = hasHeader
      self.alignments = alignments
      self.rows = rows
    }

    /// More columns than anybody can read; the text of others is added to the last.
    static let maximumColumns = 64
  }

  /// A picture between paragraphs.
  public struct Picture: Hashable, Sendable {
    /// The file that it is in; code that keeps the text keeps the file.
    public var file: UUID
    public var caption: String

    /// How wide it is shown, in the pixels of a page; nil for as wide as it is.
    public var width: Int?

    public init(file: UUID, caption: String = "", width: Int? = nil) {
      self.file = file
      self.caption = caption
      self.width = width
    }

    /// Widths that make sense.
    static let widths = 16...4_000
  }

  /// A file of any kind that belongs to the text, between the paragraphs.
  public struct AttachedFile: Hashable, Sendable {
    public var file: UUID
    public var name: String

    public init(file: UUID, name: String) {
      self.file = file
      self.name = name
    }
  }
}

// MARK: - Tidying

extension RichText.Table {
  /// The same table with rows of one length and tidy cells; `nil` if there is no cell.
  func tidied() -> RichText.Table? {
    let width = min(rows.map(\.count).max() ?? 0, Self.maximumColumns)
    guard width > 0 else { return nil }
    var table = self
    table.rows = rows.map { Self.row($0, width) }
    table.alignments = (0..<width).map { $0 < alignments.count ? alignments[$0] : nil }
    // A header without words is not a header.
    if table.rows[0].allSatisfy(\.isEmpty) { table.hasHeader = false }
    return table
  }

  private static func row(_ cells: [Cell], _ width: Int) -> [Cell] {
    var row = Array(cells.prefix(width))
    // All at once: a cell that grows by one of thousands at a time would be tidied as often.
    let others = cells.dropFirst(width).filter { !$0.isEmpty }
    if !others.isEmpty { row[width - 1] += others.flatMap { [.text(" ")] + $0 } }
    return row.map(Tidying.tidy) + Array(repeating: [], count: width - row.count)
  }
}

extension RichText.Picture {
  func tidied() -> RichText.Picture {
    var picture = self
    picture.caption = Text.oneLine(caption)
    picture.width = width.map { min(max($0, Self.widths.lowerBound), Self.widths.upperBound) }
    return picture
  }
}

extension RichText.AttachedFile {
  func tidied() -> RichText.AttachedFile {
    let name = Text.oneLine(name)
    return RichText.AttachedFile(file: file, name: name.isEmpty ? "file" : name)
  }
}
