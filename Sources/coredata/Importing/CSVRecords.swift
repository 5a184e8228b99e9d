/// Records of a file of comma-separated values as RFC 4180 has them; the first line names the columns.
///
/// The separator is a comma, a semicolon or a tab, whichever the first line has most of. An empty cell means no value;
/// one with two quotation marks is an empty text.
struct CSVRecords: RecordReader {
  static let placeName = "line"

  private let file: ImportedFile
  private var scanner: CSVScanner
  private(set) var columns: [String] = []

  init(_ file: ImportedFile) throws {
    try file.requireText()
    self.file = file
    scanner = CSVScanner(file.bytes)
    var head = ImportedRecord()
    _ = try scanner.read(&head)
    columns = head.cells.map { cell in
      if case .text(let bytes) = cell.text { String(decoding: bytes, as: UTF8.self) } else { "" }
    }
    if columns.allSatisfy(\.isEmpty) { throw Refusal("line 1 names no columns") }
    var met: Set<String> = []
    for name in columns where !met.insert(name).inserted {
      throw Refusal("line 1 names the column '\(name)' twice")
    }
  }

  mutating func read(_ record: inout ImportedRecord) throws -> Bool {
    while try scanner.read(&record) {
      // An empty line is not a record, unless it may be the missing value of the only column.
      if columns.count > 1 || scanner.isBehindText, record.cells.count == 1,
        case .nothing = record.cells[0].text
      {
        continue
      }
      guard record.cells.count <= columns.count else {
        throw Refusal(
          "line \(record.place) has \(record.cells.count) cells, and line 1 names \(columns.count) columns; a text"
            + " with a separator in it stands between quotation marks"
        )
      }
      return true
    }
    return false
  }
}

/// The position of the reading of comma-separated values.
private struct CSVScanner {
  private let bytes: UnsafeRawBufferPointer
  private let separator: UInt8
  private var place: Int
  private var line = 1
  /// The place after the last byte that is not the end of a line.
  private let endOfText: Int
  /// Room for the texts that contain quotation marks.
  private let room = TextRoom()

  private static let quote = UInt8(ascii: "\"")
  private static let feed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let mostCells = 10_000

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    separator = Self.separator(of: bytes)
    endOfText =
      bytes.lastIndex { $0 != Self.feed && $0 != Self.carriageReturn }.map { $0 + 1 } ?? 0
  }

  /// Whether what was read last was among the blank lines at the end.
  var isBehindText: Bool { place > endOfText }

  /// Reads the next line, which may go on over several; false at the end.
  mutating func read(_ record: inout ImportedRecord) throws -> Bool {
    guard place < bytes.count else { return false }
    let first = line
    record.begin(at: first)
    room.empty()
    while true {
      let column = record.cells.count
      guard column < Self.mostCells else {
        throw Refusal("line \(first) has more than \(Self.mostCells) cells")
      }
      record.add(try cell(), in: column)
      guard place < bytes.count else { return true }
      let end = bytes[place]
      place += 1
      if end == separator { continue }
      if end == Self.carriageReturn, place < bytes.count, bytes[place] == Self.feed {
        place += 1
      }
      line += 1
      return true
    }
  }

  private mutating func cell() throws -> ImportedText {
    if place < bytes.count, bytes[place] == Self.quote { return .text(try quotedText()) }
    let begin = place
    var end = begin
    while end < bytes.count, !isEnd(bytes[end]) { end += 1 }
    place = end
    return end == begin ? .nothing : .text(part(begin..<end))
  }

  /// The text between quotation marks: its place in the file, unless there are marks in it.
  private mutating func quotedText() throws -> UnsafeRawBufferPointer {
    let first = line
    var found: [UInt8] = []
    while true {
      let begin = place + 1
      guard let end = bytes.place(of: Self.quote, from: begin) else {
        throw Refusal("line \(first): the quotation mark of a cell is not closed")
      }
      line += bytes[begin..<end].count { $0 == Self.feed }
      place = end + 1
      guard place < bytes.count, bytes[place] == Self.quote else {
        guard place == bytes.count || isEnd(bytes[place]) else {
          throw Refusal(
            "line \(line): behind a quotation mark that ends a cell stands something else; write a mark"
              + " within a text twice"
          )
        }
        if found.isEmpty { return part(begin..<end) }
        found += bytes[begin..<end]
        return found.withUnsafeBytes(room.keep)
      }
      // Two marks are one, and the cell goes on at the second.
      found += bytes[begin...end]
    }
  }

  private func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == separator || byte == Self.feed || byte == Self.carriageReturn
  }

  private static func separator(of bytes: UnsafeRawBufferPointer) -> UInt8 {
    let head = bytes.prefix { $0 != feed && $0 != carriageReturn }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    func count(_ byte: UInt8) -> Int { head.count { $0 == byte } }
    return candidates.max { count($0) < count($1) } ?? candidates[0]
  }
}
