import RichText

/// The parts of one kind that became something else in the texts of an import.
public struct ImportedChange: Encodable, Sendable, Equatable {
  /// The name of a `TextChange`.
  public let kind: String
  /// How many files it was found in.
  public internal(set) var files: Int
  /// The path of the first of them.
  public let first: String
  /// The line of that file.
  public let line: Int
}

/// The same of all kinds.
struct ImportedChanges: Sendable {
  private var found: [TextChange: ImportedChange] = [:]

  var all: [ImportedChange] { TextChange.allCases.compactMap { found[$0] } }

  /// Counts what was found in a file, each with its first line.
  mutating func add(_ changes: [TextChange: Int], in path: String) {
    for (change, line) in changes {
      let new = ImportedChange(kind: change.rawValue, files: 0, first: path, line: line)
      found[change, default: new].files += 1
    }
  }
}
