/// References that were looked for, and what is wrong with the files that have them.
public struct FoundReferences: Encodable, Sendable {
  public let references: [Row]
  public let sources: [Source]
  /// Sentences about entries that were left out.
  public let problems: [String]

  public struct Row: Encodable, Sendable, Equatable {
    public let key: String
    public let authors: String
    public let year: String
    public let title: String
    public let file: String
  }

  /// A file in a note.
  public struct Source: Encodable, Sendable, Equatable {
    public let name: String
    public let note: String
    public let count: Int
  }
}

extension FoundReferences.Row {
  init(_ reference: Reference, _ file: String) {
    self.init(
      key: reference.key,
      authors: reference.shortAuthors,
      year: reference.yearOrNone,
      title: reference.title,
      file: file
    )
  }
}

extension ReferenceFile {
  /// The problems of the file, each as a sentence with its name and place.
  func sentences(name: String) -> [String] {
    let listed = problems.map { "\(name), \($0.place): \($0.sentence)" }
    let rest = problemCount - problems.count
    return rest > 0 ? listed + ["\(name): \(rest) more entries have problems."] : listed
  }
}
