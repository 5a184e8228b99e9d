import Archives
import CoreData
import Foundation
import RichText

@testable import SlipboxLibrary

/// A slip box after the import of another program's export, whose files are given by their paths.
struct ImportedExport {
  let box: Box
  let report: ImportReport

  init(_ files: KeyValuePairs<String, String>, pictures: [String] = []) async throws {
    let texts = files.map { (path: $0.key, data: Data($0.value.utf8)) }
    try await self.init(Archive.of(texts + pictures.map { ($0, Archive.picture) }))
  }

  init(_ source: ImportSource) async throws {
    box = try Box()
    report = try await box.library.importNotes(source, into: nil, by: nil)
  }

  /// A note as tests compare it.
  struct Seen: Sendable {
    let folder: String
    let keywords: [String]
    let aliases: [String]
    let status: Status
    let isPinned: Bool
    let isFavourite: Bool
    let created: Date
    let modified: Date
    /// Each with its name, as `due: 2026-12-01`.
    let properties: [String]
    let markdown: String
    let links: [String]
    let files: [String]
  }

  func note(_ title: String) async throws -> Seen {
    try await box.library.read { context in
      let note = try Note.titled(title, in: context)
      return Seen(
        folder: note.folder?.path ?? "",
        keywords: note.keywords.map(\.name).sorted(),
        aliases: note.aliases,
        status: note.status,
        isPinned: note.isPinned,
        isFavourite: note.isFavorite,
        created: note.creationDate,
        modified: note.modificationDate,
        properties: note.properties.map { "\($0.name): \($0.value.plainText)" },
        markdown: Self.markdown(note),
        links: note.linkedNotes.map(\.title).sorted(),
        files: note.files.map(\.name).sorted()
      )
    }
  }

  /// The text, in which links have the titles of their notes.
  private static func markdown(_ note: Note) -> String {
    let titles = Dictionary(note.linkedNotes.map { ($0.uuid, $0.title) }) { first, _ in first }
    return note.formattedBodyText.markdown { titles[$0] }
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The titles of all notes.
  var titles: [String] {
    get async throws {
      try await box.library.read { context in
        try context.fetch(Note.fetch(NotePlace.alive)).map(\.title).sorted()
      }
    }
  }

  /// The reasons for files that were left out, by their names.
  var reasons: [String: String] {
    Dictionary(report.refused.map { ($0.name, $0.reason) }) { first, _ in first }
  }

  var changes: [String] { report.changes.map(\.kind) }
}

/// A moment as exports write it.
func moment(_ text: String) -> Date { MarkdownFile.date(text) ?? .distantPast }
