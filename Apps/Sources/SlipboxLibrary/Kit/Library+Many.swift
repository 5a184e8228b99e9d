import CoreData
public import Foundation
import RichText

/// What became of words that were replaced in many notes.
public struct ReplacedWords: Encodable, Sendable {
  /// How many notes had them.
  public let notes: Int
  /// How often they were there.
  public let count: Int
  @OrNull public var undo: String?
}

extension Library {
  /// Changes several notes alike, all but their texts, in one act.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` for an edit of titles or texts, and for more than 5,000 notes.
  public func edit(_ ids: [UUID], _ edit: NoteEdit, by author: String?) async throws -> String {
    guard !edit.changesText, edit.aliases == nil else {
      throw LibraryProblem.refused("Titles, texts and other names are edited note by note.")
    }
    try Self.checkCount(ids)
    return try await act(by: author) { context in
      for note in try context.notes(ids) { try note.apply(edit, in: context) }
    }.undo
  }

  /// Puts other words in the place of some, in the titles and texts of several notes, in one act.
  ///
  /// What the notes said is among their versions. With `isTrial` nothing is changed, and only counted.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` without words to look for, and for more than 1,000 notes that have them.
  public func replace(
    _ old: String,
    with new: String,
    in ids: [UUID],
    matchesCase: Bool = false,
    isTrial: Bool = false,
    by author: String?
  ) async throws -> ReplacedWords {
    try Self.checkCount(ids)
    guard !old.isEmpty, old.utf8.count <= 1_000, new.utf8.count <= 10_000 else {
      throw LibraryProblem.refused("There are no words to replace, or too many.")
    }
    let words = Replacement(old: old, new: new, matchesCase: matchesCase)
    let found = try await read { context in
      var found: [UUID: Int] = [:]
      for note in try context.notes(ids) {
        let count = words.count(in: note)
        if count > 0 { found[note.uuid] = count }
      }
      return found
    }
    let count = found.values.reduce(0, +)
    if isTrial || found.isEmpty { return ReplacedWords(notes: found.count, count: count) }
    guard found.count <= Self.mostReplaced else {
      throw LibraryProblem.refused(
        "\(found.count) notes have these words; \(Self.mostReplaced) can be changed at once."
      )
    }
    let (now, revisions) = (now(), revisions)
    let undo = try await act(by: author, texts: Array(found.keys)) { context in
      for note in try context.notes(Array(found.keys)) {
        note.adoptForeignText()
        try note.keepVersion(at: now, always: true)
        try note.rewrite(
          title: words.title(of: note),
          text: words.text(of: note),
          at: now
        )
      }
      try context.save()
      for note in try context.notes(Array(found.keys)) { revisions.keep(note) }
    }.undo
    return ReplacedWords(notes: found.count, count: count, undo: undo)
  }

  private static func checkCount(_ ids: [UUID]) throws {
    guard ids.count <= mostAtOnce else {
      throw LibraryProblem.refused("At most \(mostAtOnce) notes can be changed at once.")
    }
  }

  private static let mostAtOnce = 5_000
  private static let mostReplaced = 1_000
}

private struct Replacement: Sendable {
  let old: String
  let new: String
  let matchesCase: Bool

  /// nil where the title has nothing to replace.
  func title(of note: Note) -> String? {
    RichText(plainText: note.title).replacing(old, with: new, matchesCase: matchesCase)
      .map(\.text.plainText)
  }

  func text(of note: Note) -> RichText? {
    note.formattedBodyText.replacing(old, with: new, matchesCase: matchesCase)?.text
  }

  func count(in note: Note) -> Int {
    let inTitle = RichText(plainText: note.title)
      .replacing(old, with: new, matchesCase: matchesCase)?.count
    let inText = note.formattedBodyText.replacing(old, with: new, matchesCase: matchesCase)?.count
    return (inTitle ?? 0) + (inText ?? 0)
  }
}
