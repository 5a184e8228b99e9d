import CoreData
public import Foundation
import RichText

/// The results for the files that were imported.
public struct ImportedNotes: Encodable, Sendable {
  public let notes: [NoteRow]
  public let refused: [Refusal]
  /// The parts that became something else in the texts; for each kind how often, and where first.
  public let changes: [ImportedChange]
  @OrNull public var undo: String?

  public struct Refusal: Encodable, Sendable, Equatable {
    public let name: String
    public let reason: String
  }
}

extension Library {
  /// Makes notes of files, or of an archive of files; those that cannot be read are returned with the reason.
  ///
  /// Texts may speak of one another, by title, by other names and by path, in any order; unknown references stay text.
  /// All notes are there at once, or none.
  ///
  /// - Parameters:
  ///   - source: The files.
  ///   - folder: Their folder; `nil` for none.
  ///   - author: The author of the change.
  ///   - job: The job that learns the progress.
  /// - Returns: The result, with the token to undo it.
  /// - Throws: A `CancellationError` if the task was cancelled; nothing of it is left then.
  public func importNotes(
    _ source: ImportSource,
    into folder: UUID?,
    by author: String?,
    job: Job = Job()
  ) async throws -> ImportReport {
    try await Importer(library: self, source: source, folder: folder, author: author, job: job)
      .run().shortened()
  }

  /// Makes a note of each file; see ``importNotes(_:into:by:job:)``.
  public func importNotes(
    _ files: [ImportedFile],
    into folder: UUID?,
    by author: String?
  ) async throws -> ImportedNotes {
    let report = try await importNotes(ImportSource(files), into: folder, by: author)
    let ids = report.ids
    let rows = try await read { context in
      let notes = try context.notes(ids)
      let order = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
      return notes.sorted { (order[$0.uuid] ?? 0) < (order[$1.uuid] ?? 0) }.map { NoteRow($0) }
    }
    return ImportedNotes(
      notes: rows,
      refused: report.refused,
      changes: report.changes,
      undo: report.undo
    )
  }
}
