import CoreData
public import Foundation
import RichText

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
  ///
  /// Files are read, and titles looked up, before anything is written: whoever writes meanwhile waits for the
  /// rows only.
  ///
  /// - Throws: A `CancellationError` where the task was cancelled before the first note was written.
  public func importNotes(
    _ files: [ImportedFile],
    into folder: UUID?,
    by author: String?
  ) async throws -> ImportedNotes {
    let wanted = files.reduce(into: Set<String>()) { $0.formUnion($1.linkedTitles) }
    var titles = try await read { try TitleDirectory(of: wanted, in: $0) }
    var drafts: [ImportedDraft] = []
    var refused: [ImportedNotes.Refusal] = []
    var byteCount = 0
    for file in files {
      try Task.checkCancellation()
      do {
        byteCount += file.data?.count ?? 0
        guard byteCount <= Self.importLimit else { throw Self.tooMuchAtOnce }
        let draft = try ImportedDraft(file, titles)
        titles.add(draft.title, draft.id)
        drafts.append(draft)
      } catch let error as RichTextError {
        refused.append(.init(name: file.name, reason: "\(error)"))
      } catch LibraryProblem.refused(let sentence) {
        refused.append(.init(name: file.name, reason: sentence))
      }
    }
    return ImportedNotes(notes: try await write(drafts, into: folder, by: author), refused: refused)
  }

  /// How much is read at once, in bytes.
  private static let importLimit = 16 << 20

  private static let tooMuchAtOnce = LibraryProblem.refused(
    "The files before it have \(importLimit >> 20) MB already; import it by itself."
  )

  private func write(
    _ drafts: [ImportedDraft],
    into folder: UUID?,
    by author: String?
  ) async throws -> [NoteRow] {
    let now = now()
    return try await write(by: author) { context in
      let folder = try folder.map { try context.openFolder($0) }
      // All notes are there before the first of them links to another.
      let notes = drafts.map { draft in
        let note = Note(context: context)
        note.uuid_ = draft.id
        note.creationDate = now
        note.folder = folder
        return note
      }
      for (note, draft) in zip(notes, drafts) {
        note.status = draft.status
        note.keywords = Set(
          try draft.keywords.map { try context.keyword(KeywordChoice(name: $0)) }
        )
        try note.rewrite(title: draft.title, stored: draft.text, at: now)
      }
      try context.save()
      return notes.map { NoteRow($0) }
    }
  }
}

/// A note that a file will be.
private struct ImportedDraft: Sendable {
  let id = UUID()
  let title: String
  let status: Status
  let keywords: [String]
  let text: StoredText

  init(_ file: ImportedFile, _ titles: TitleDirectory) throws {
    let page = try file.page { titles[$0] }
    title = try Given.title(page.title ?? file.title)
    status = page.status.flatMap { Status(word: $0.lowercased()) } ?? .draft
    keywords = try page.keywords.map { try Given.name($0, of: "keyword") }
    text = StoredText(page.text)
  }
}
