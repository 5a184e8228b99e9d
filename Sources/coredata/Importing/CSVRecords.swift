import Foundation

/// Records of a file of comma-separated values as RFC 4180 has them; the first line names the columns.
///
/// The separator is a comma, a semicolon or a tab, whichever the first line has most of. A cell with nothing in it is no
/// value; one with two quotation marks is an empty text.
struct CSVRecords: RecordReader {
  static let placeName = "line"

  private let bytes: Data
  private var scanner: CSVScanner
  private var names: [String] = []

  init(_ bytes: Data) throws {
    self.bytes = bytes
    scanner = CSVScanner(bytes)
    let head = try cells() ?? []
    names = head.map { cell in if case .text(let text) = cell { text } else { "" } }
    if names.allSatisfy(\.isEmpty) { throw Refusal("line 1 names no columns") }
    for (number, name) in names.enumerated() where names[..<number].contains(name) {
      throw Refusal("line 1 names the column '\(name)' twice")
    }
  }

  var columns: [String]? { names }

  mutating func next() throws -> ImportedRecord? {
    while true {
      let first = scanner.line
      guard let cells = try cells() else { return nil }
      // A line with nothing on it is no record.
      if cells == [.nothing], names.count > 1 { continue }
      guard cells.count <= names.count else {
        throw Refusal(
          "line \(first) has \(cells.count) cells, and line 1 names \(names.count) columns; a text with a"
            + " separator in it stands between quotation marks"
        )
      }
      return ImportedRecord(
        place: first,
        cells: zip(names, cells).map { ImportedRecord.Cell(name: $0, text: $1) }
      )
    }
  }

  private mutating func cells() throws -> [ImportedText]? {
    let bytes = bytes
    return try bytes.withUnsafeBytes { try scanner.cells(in: $0) }
  }
}

/// Where the reading of comma-separated values is.
private struct CSVScanner {
  private let separator: UInt8
  private var place: Int
  private(set) var line = 1

  private static let quote = UInt8(ascii: "\"")
  private static let feed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let mostCells = 10_000

  init(_ bytes: Data) {
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    separator = Self.separator(of: bytes)
  }

  /// The cells of the next line, which may go on over several; nil at the end.
  mutating func cells(in bytes: UnsafeRawBufferPointer) throws -> [ImportedText]? {
    guard place < bytes.count else { return nil }
    var cells: [ImportedText] = []
    while true {
      guard cells.count < Self.mostCells else {
        throw Refusal("line \(line) has more than \(Self.mostCells) cells")
      }
      cells.append(try cell(in: bytes))
      guard place < bytes.count else { return cells }
      let end = bytes[place]
      place += 1
      if end == separator { continue }
      if end == Self.carriageReturn, place < bytes.count, bytes[place] == Self.feed {
        place += 1
      }
      line += 1
      return cells
    }
  }

  private mutating func cell(in bytes: UnsafeRawBufferPointer) throws -> ImportedText {
    guard place < bytes.count, bytes[place] == Self.quote else {
      let begin = place
      place = bytes[begin...].firstIndex(where: isEnd) ?? bytes.count
      return place == begin ? .nothing : .text(try text(bytes[begin..<place]))
    }
    return .text(try quotedText(in: bytes))
  }

  private mutating func quotedText(in bytes: UnsafeRawBufferPointer) throws -> String {
    let first = line
    var found: [UInt8] = []
    while true {
      let begin = place + 1
      guard let end = bytes[begin...].firstIndex(of: Self.quote) else {
        throw Refusal("line \(first): the quotation mark of a cell is not closed")
      }
      let part = bytes[begin..<end]
      line += part.count { $0 == Self.feed }
      place = end + 1
      guard place < bytes.count, bytes[place] == Self.quote else {
        guard place == bytes.count || isEnd(bytes[place]) else {
          throw Refusal(
            "line \(line): behind a quotation mark that ends a cell stands something else; write a mark"
              + " within a text twice"
          )
        }
        return try found.isEmpty ? text(part) : text(found + part)
      }
      // Two marks are one, and the second stands where the cell goes on.
      found += bytes[begin...end]
    }
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == separator || byte == Self.feed || byte == Self.carriageReturn
  }

  private func text(_ bytes: some Sequence<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Refusal(
        "line \(line) is not UTF-8; convert the file, such as with iconv -f WINDOWS-1252 -t UTF-8"
      )
    }
    return text
  }

  private static func separator(of bytes: Data) -> UInt8 {
    let head = bytes.prefix { $0 != feed && $0 != carriageReturn }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
    func count(_ byte: UInt8) -> Int { head.count { $0 == byte } }
    return candidates.max { count($0) < count($1) } ?? candidates[0]
  }
}
