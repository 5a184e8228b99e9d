/// One record of a file that is imported: its cells, and where it stands.
struct ImportedRecord {
  /// The line at which it begins, or for a JSON array the number of the record.
  let place: Int
  var cells: [Cell]

  struct Cell {
    let name: String
    let text: ImportedText
  }
}

/// What stands in a cell.
enum ImportedText: Hashable {
  case nothing
  case text(String)
  /// A list or an object of JSON.
  case nested
}

/// A file of records, read one after the other.
protocol RecordReader {
  /// How places are called: "line" or "record".
  static var placeName: String { get }
  /// The names of all columns, where the file says them before its records.
  var columns: [String]? { get }
  /// The next record; nil at the end. Throws a ``Refusal`` for a file that is not of its format.
  mutating func next() throws -> ImportedRecord?
}
