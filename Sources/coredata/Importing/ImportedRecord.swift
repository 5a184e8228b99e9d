/// One record of a file that is imported: its cells, and its place.
struct ImportedRecord {
  /// The line at which it begins, or for a JSON array the number of the record.
  private(set) var place = 0
  private(set) var cells: [Cell] = []

  struct Cell {
    /// The column, by its place among the names of the reader.
    let column: Int
    let text: ImportedText
  }

  /// Empties it for the next record.
  mutating func begin(at place: Int) {
    self.place = place
    cells.removeAll(keepingCapacity: true)
  }

  mutating func add(_ text: ImportedText, in column: Int) {
    cells.append(Cell(column: column, text: text))
  }
}

/// The content of a cell, until the next record is read.
enum ImportedText {
  case nothing
  /// UTF-8, in its place in the file.
  case text(UnsafeRawBufferPointer)
  /// The `id` of an object of JSON, which is how a dump names a related object.
  case identity(UnsafeRawBufferPointer)
  /// A list or another object of JSON.
  case nested
}

/// A file of records, read one after the other.
protocol RecordReader {
  /// How places are called: "line" or "record".
  static var placeName: String { get }
  /// The names of the columns that were met so far.
  var columns: [String] { get }
  /// Reads the next record; false at the end. Throws a ``Refusal`` for a file that is not of its format.
  mutating func read(_ record: inout ImportedRecord) throws -> Bool
}

/// The names of JSON's members, numbered as columns in the order in which they are met.
struct ColumnNames {
  private(set) var names: [String] = []
  private var spelled: [[UInt8]] = []
  private var numbers: [String: Int] = [:]

  /// The column of a name, which is first looked for in its place in most records.
  mutating func column(_ name: UnsafeRawBufferPointer, expected: Int) -> Int {
    if expected < spelled.count, spelled[expected].withUnsafeBytes(name.equals) { return expected }
    return column(String(decoding: name, as: UTF8.self))
  }

  mutating func column(_ name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    spelled.append(Array(name.utf8))
    return names.count - 1
  }
}
