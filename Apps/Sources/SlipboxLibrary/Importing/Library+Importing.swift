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
  /// Markdown may link to a note by its title, `[[Slip boxes]]`; a title that no note has, neither
  /// here nor among the files, stays text.
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
      for (file, id) in files.map({ ($0, UUID()) }) {
        do {
          let text = try file.text(titles)
          let note = Note(context: context)
          note.uuid_ = id
          note.creationDate = now
          note.folder = folder
          try note.rewrite(title: try Given.title(text.title), text: text.text, at: now)
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
        ]))
    request.fetchLimit = 1
    // A link that cannot be looked up stays text.
    return (try? context.fetch(request))?.first?.uuid
  }
}

extension ImportedFile {
  /// The title and text of the file, by the ending of its name.
  fileprivate func text(_ titles: TitleDirectory) throws -> (title: String, text: RichText) {
    guard let data else {
      throw LibraryProblem.refused("The file is larger than \(Self.limit >> 20) MB.")
    }
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let title = String(name.dropLast(ending.count + 1))
    switch ending {
    case "txt", "text": return (title, RichText(plainText: try plainText(data)))
    case "rtf": return (title, try RichText(rtf: data))
    default:
      throw LibraryProblem.refused("Files of Markdown, plain text and RTF can be imported.")
    }
  }

  private func plainText(_ data: Data) throws -> String {
    guard let text = String(data: data, encoding: .utf8) else {
      throw LibraryProblem.refused("The file is not text in UTF-8.")
    }
    return text
  }
}
