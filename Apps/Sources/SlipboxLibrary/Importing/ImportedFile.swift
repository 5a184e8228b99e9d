public import Foundation
import RichText

/// A file to make a note of.
public struct ImportedFile: Sendable {
  let name: String
  /// The content; nil when it is more than is taken.
  let data: Data?

  static let limit = 4 << 20

  public init(name: String, file: URL, byteCount: Int) throws {
    self.init(
      name: name,
      data: byteCount > Self.limit ? nil : try Data(contentsOf: file, options: .alwaysMapped)
    )
  }

  public init(name: String, data: Data?) {
    self.name = name
    self.data = data
  }
}

extension ImportedFile {
  private var ending: Substring { name.split(separator: ".").last ?? "" }

  private var isMarkdown: Bool { ["md", "markdown"].contains(ending.lowercased()) }

  /// The name without folders and ending, for a note that has no other.
  var title: String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    return last.hasSuffix(".\(ending)") ? String(last.dropLast(ending.count + 1)) : String(last)
  }

  /// The titles that the file links to, each once; of very many, some.
  var linkedTitles: Set<String> {
    // What cannot be read is told when its turn comes.
    guard isMarkdown, let data, let text = try? text(data), text.contains("[[") else { return [] }
    var titles: Set<String> = []
    _ = RichText(markdown: text) { title in
      if titles.count < Self.mostTitles { titles.insert(title) }
      return nil
    }
    return titles
  }

  /// More than one text has use for.
  private static let mostTitles = 10_000

  /// What the file says, by the ending of its name.
  func page(_ noteNamed: (String) -> UUID?) throws -> MarkdownFile {
    guard let data else {
      throw LibraryProblem.refused("The file is larger than \(Self.limit >> 20) MB.")
    }
    let page: MarkdownFile
    switch ending.lowercased() {
    case "md", "markdown": page = MarkdownFile(try text(data), noteNamed: noteNamed)
    case "txt", "text": page = MarkdownFile(title: nil, text: RichText(plainText: try text(data)))
    case "rtf": page = MarkdownFile(title: nil, text: try RichText(rtf: data))
    default:
      throw LibraryProblem.refused("Files of Markdown, plain text and RTF can be imported.")
    }
    guard page.text.pieceCount <= RichText.maximumPieces else { throw RichTextError.tooManyPieces }
    return page
  }

  private func text(_ data: Data) throws -> String {
    guard let text = String(data: data, encoding: .utf8) else {
      throw LibraryProblem.refused("The file is not text in UTF-8.")
    }
    guard text.utf8.count <= RichText.maximumSize else {
      throw LibraryProblem.refused("The text is longer than a note may be.")
    }
    return text
  }
}
