import CoreData
public import Foundation
import RichText

/// The result of replacing words in many notes.
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

  /// Replaces some words by others, in the titles and texts of several notes, in one act.
  ///
  /// The old contents are among the notes' versions. With `isTrial` nothing is changed, and only counted.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` without words to look for, for more than 1,000 notes that have them, and
  ///   if titles or texts would become longer than they may be.
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
    let found = try await places(of: words, in: ids)
    let count = found.values.reduce(0) { $0 + $1.count }
    if isTrial || found.isEmpty { return ReplacedWords(notes: found.count, count: count) }
    try Self.checkSize(found)
    let (now, revisions) = (now(), revisions)
    let undo = try await act(by: author, texts: Array(found.keys)) { context in
      for note in try context.notes(Array(found.keys)) {
        note.adoptForeignText()
        try note.keepVersion(at: now, always: true)
        try note.rewrite(
          title: try words.title(of: note),
          text: try words.text(of: note),
          at: now
        )
      }
      try context.save()
      for note in try context.notes(Array(found.keys)) { revisions.keep(note) }
    }.undo
    return ReplacedWords(notes: found.count, count: count, undo: undo)
  }

  /// The places of the words; others read between two portions.
  private func places(
    of words: Replacement,
    in ids: [UUID]
  ) async throws -> [UUID: Replacement.Places] {
    var found: [UUID: Replacement.Places] = [:]
    for start in stride(from: 0, to: ids.count, by: Self.portion) {
      try Task.checkCancellation()
      let some = Array(ids[start..<min(start + Self.portion, ids.count)])
      for (id, places) in try await read({ context in
        try context.notes(some).map { ($0.uuid, try words.places(in: $0)) }
      }) where places.count > 0 { found[id] = places }
    }
    return found
  }

  private static func checkSize(_ found: [UUID: Replacement.Places]) throws {
    guard found.count <= mostReplaced else {
      throw LibraryProblem.refused(
        "\(found.count) notes have these words; \(mostReplaced) can be changed at once."
      )
    }
    guard found.values.reduce(0, { $0 + $1.size }) <= mostBytes else {
      throw LibraryProblem.refused(
        "The texts of these \(found.count) notes are too long to be changed at once. Choose fewer."
      )
    }
  }

  private static func checkCount(_ ids: [UUID]) throws {
    guard ids.count <= mostAtOnce else {
      throw LibraryProblem.refused("At most \(mostAtOnce) notes can be changed at once.")
    }
  }

  private static let mostAtOnce = 5_000
  private static let mostReplaced = 1_000
  private static let portion = 50

  /// An act remembers all of them, in each form in which they are stored.
  private static let mostBytes = 16_000_000
}

private struct Replacement: Sendable {
  let old: String
  let new: String
  let matchesCase: Bool

  /// How often a note has the words, and how large it becomes.
  struct Places: Sendable {
    let count: Int
    let size: Int
  }

  /// `nil` if the title has nothing to replace.
  func title(of note: Note) throws -> String? {
    try replaced(RichText(plainText: note.title), of: note).map {
      try Given.title($0.text.plainText)
    }
  }

  /// `nil` if the text has nothing to replace.
  func text(of note: Note) throws -> RichText? {
    try replaced(note.formattedBodyText, of: note)?.text
  }

  func places(in note: Note) throws -> Places {
    let title = try replaced(RichText(plainText: note.title), of: note)
    let text = try replaced(note.formattedBodyText, of: note)
    return Places(
      count: (title?.count ?? 0) + (text?.count ?? 0),
      size: (title?.text.size ?? 0) + (text?.text.size ?? 0)
    )
  }

  private func replaced(_ text: RichText, of note: Note) throws -> (text: RichText, count: Int)? {
    do throws(RichTextError) {
      return try text.replacing(old, with: new, matchesCase: matchesCase)
    } catch {
      throw LibraryProblem.refused("“\(note.title)” cannot be changed: \(error).")
    }
  }
}
