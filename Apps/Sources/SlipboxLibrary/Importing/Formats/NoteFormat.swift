/// A format of files that become notes: its name, its endings, and how its files are read.
///
/// A file is read twice: first for the names by which other notes refer to its notes, then for its text.
protocol NoteFormat: Sendable {
  /// The name of the format in a sentence.
  var name: String { get }
  /// The endings of its files in lower case, without the dot.
  var endings: [String] { get }
  /// Whether one file holds many notes with their pictures, as an archive does.
  var isCollection: Bool { get }

  /// Adds the notes of a file to the survey.
  func survey(_ index: Int, _ survey: inout ImportSurvey) throws

  /// Reads a note of a file.
  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft
}

extension NoteFormat {
  var isCollection: Bool { false }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    try survey.add(survey.sketch(of: index, self))
  }
}

/// The formats of files that can be imported.
enum NoteFormats {
  static let all: [any NoteFormat] = [
    MarkdownFormat(), HTMLFormat(), PlainTextFormat(), RTFFormat(), EvernoteFormat(),
  ]

  /// Returns the format of a file by its ending, or `nil` if the file does not become a note.
  static func format(of path: some StringProtocol) -> (any NoteFormat)? {
    let ending = ImportPath.ending(of: path)
    return all.first { $0.endings.contains(ending) }
  }

  /// The names of the formats in a sentence.
  static var names: String {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}

/// The endings of archives of notes.
enum ArchiveEnding: String, CaseIterable {
  case zip, textpack, bear, bear2bk, bearbk

  init?(of path: some StringProtocol) {
    self.init(rawValue: ImportPath.ending(of: path))
  }

  /// Whether the files of such an archive are one note.
  var isOneNote: Bool { self == .textpack || self == .bear }
}
