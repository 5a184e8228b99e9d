import CoreData
public import Foundation
import RichText

/// A file to make a note of.
public struct ImportedFile: Sendable {
  let name: String
  /// The content; nil when it is more than is taken.
  let data: Data?

  static let limit = 4 << 20

  public init(name: String, file: URL, byteCount: Int) throws {
    self.init(name: name, data: byteCount > Self.limit ? nil : try Data(contentsOf: file))
  }

  public init(name: String, data: Data?) {
    self.name = name
    self.data = data
  }
}

/// What became of the files that were imported.
public struct ImportedNotes: Encodable, Sendable {
  public let notes: [NoteRow]
  public let refused: [Refusal]

  public struct Refusal: Encodable, Sendable, Equatable {
    public let name: String
    public let reason: String
  }
}

extension Library {
  /// Makes a note of each file; those that cannot be read are told with the reason.
  ///
  /// Markdown may link to a note by its title, `[[Slip boxes]]`; a title that no note has stays text,
  /// unless a file before it had that title.
  public func importNotes(
    _ files: [ImportedFile],
    into folder: UUID?,
    by author: String?
  ) async throws -> ImportedNotes {
    let now = now()
    return try await write(by: author) { context in
      let folder = try folder.map { try context.openFolder($0) }
      var notes: [Note] = []
      var refused: [ImportedNotes.Refusal] = []
      let titles = TitleDirectory(context)
      for file in files {
        do {
          let page = try file.page(titles.note)
          let title = try Given.title(page.title ?? file.title)
          let keywords = try page.keywords.map { try context.keyword(KeywordChoice(name: $0)) }
          let note = Note(context: context)
          note.creationDate = now
          note.folder = folder
          note.status = page.status.flatMap { Status(word: $0.lowercased()) } ?? .draft
          note.keywords = Set(keywords)
          try note.rewrite(title: title, text: page.text, at: now)
          notes.append(note)
        } catch let error as RichTextError {
          refused.append(.init(name: file.name, reason: "\(error)"))
        } catch LibraryProblem.refused(let sentence) {
          refused.append(.init(name: file.name, reason: sentence))
        }
      }
      try context.save()
      return ImportedNotes(notes: notes.map { NoteRow($0) }, refused: refused)
    }
  }
}

/// Finds notes by their titles.
final class TitleDirectory {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) {
    self.context = context
  }

  /// The oldest note of a title that is not in the trash; nil when there is none.
  func note(named title: String) -> UUID? {
    let request = Note.fetch(
      NSCompoundPredicate(
        andPredicateWithSubpredicates: [
          NotePlace.alive, NSPredicate(format: "%K ==[cd] %@", NoteProperties.title, title),
        ])
    )
    request.fetchLimit = 1
    // A link that cannot be looked up stays text.
    return (try? context.fetch(request))?.first?.uuid
  }
}

extension ImportedFile {
  private var ending: Substring { name.split(separator: ".").last ?? "" }

  /// The name without folders and ending, for a note that has no other.
  fileprivate var title: String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    return last.hasSuffix(".\(ending)") ? String(last.dropLast(ending.count + 1)) : String(last)
  }

  /// What the file says, by the ending of its name.
  fileprivate func page(_ noteNamed: (String) -> UUID?) throws -> MarkdownFile {
    guard let data else {
      throw LibraryProblem.refused("The file is larger than \(Self.limit >> 20) MB.")
    }
    switch ending.lowercased() {
    case "md", "markdown": return MarkdownFile(try text(data), noteNamed: noteNamed)
    case "txt", "text": return MarkdownFile(title: nil, text: RichText(plainText: try text(data)))
    case "rtf": return MarkdownFile(title: nil, text: try RichText(rtf: data))
    default:
      throw LibraryProblem.refused("Files of Markdown, plain text and RTF can be imported.")
    }
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
