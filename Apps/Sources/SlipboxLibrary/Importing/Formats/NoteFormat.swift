/// A format of files that become notes: its name, its endings, and how its files are read.
///
/// A file is read twice: first for the names by which other notes refer to its notes, then for its text.
protocol NoteFormat: Sendable {
  /// The name of the format in a sentence.
  var name: String { get }
  /// The endings of its files in lower case, without the dot.
  var endings: [String] { get }
  /// Whether each file with one of these endings is of this format, and ``recognizes(_:)`` does not have to be asked.
  var isKnownByEnding: Bool { get }
  /// Whether one file holds many notes with their pictures, as an archive does.
  var isCollection: Bool { get }

  /// Whether a word behind a `#` in a text is a keyword; other programs keep all keywords beside the texts.
  var hasKeywordsInTexts: Bool { get }

  /// Whether a file is of this format, whose files have the endings of others.
  func recognizes(_ file: ImportCandidate) -> Bool

  /// Adds the notes of a file to the survey.
  func survey(_ index: Int, _ survey: inout ImportSurvey) throws

  /// Reads a note of a file.
  func read(_ sketch: ImportSketch, _ reader: inout ImportReader) async throws -> ImportedDraft
}

extension NoteFormat {
  var isCollection: Bool { false }
  var isKnownByEnding: Bool { true }
  var hasKeywordsInTexts: Bool { true }

  func recognizes(_ file: ImportCandidate) -> Bool { false }

  func survey(_ index: Int, _ survey: inout ImportSurvey) throws {
    try survey.add(survey.sketch(of: index, self))
  }
}

/// The formats of files that can be imported.
enum NoteFormats {
  static let all: [any NoteFormat] = [
    MarkdownFormat(), HTMLFormat(), PlainTextFormat(), RTFFormat(), EvernoteFormat(),
    NotionFormat(), KeepFormat(), JoplinFormat(), LogseqFormat(), SimplenoteFormat(),
    StandardNotesFormat(), CanvasFormat(),
  ]

  private static let known = all.filter(\.isKnownByEnding)
  private static let others = all.filter { !$0.isKnownByEnding }

  /// Returns the format of a file by its ending, or `nil` if the file does not become a note.
  static func format(of path: some StringProtocol) -> (any NoteFormat)? {
    let ending = ImportPath.ending(of: path)
    return known.first { $0.endings.contains(ending) }
  }

  /// Returns the format that recognizes a file although its ending is that of others, or `nil`.
  static func format(recognizing file: ImportCandidate) -> (any NoteFormat)? {
    let ending = ImportPath.ending(of: file.entry.path)
    return others.first { $0.endings.contains(ending) && $0.recognizes(file) }
  }

  /// The names of the formats in a sentence.
  static var names: String {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}

/// A file of an import whose format is not known yet.
struct ImportCandidate: Sendable {
  let entry: ImportSource.Entry
  /// The names of the other files say which programs have written them.
  let exports: ProgramExports
}

/// The endings of archives of notes.
enum ArchiveEnding: String, CaseIterable {
  case zip, textpack, bear, bear2bk, bearbk, jex, tgz, tar

  init?(of path: some StringProtocol) {
    self.init(rawValue: ImportPath.ending(of: path))
  }

  /// Whether such an archive may have other files than notes in it, so that it may be a file of a note.
  var isOfAnything: Bool { [.zip, .tgz, .tar].contains(self) }

  /// Whether the files of such an archive are one note.
  var isOneNote: Bool { self == .textpack || self == .bear }
}
