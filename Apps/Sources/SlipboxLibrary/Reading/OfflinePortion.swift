import CoreData
import Foundation

/// Notes that a browser keeps for the time in which it does not reach the server, the latest edit first.
public struct OfflinePortion: Encodable, Sendable {
  /// The notes, without those that link to them: a browser that has all notes finds these itself.
  public let notes: [NoteContent]
  /// The place behind them, to ask for more; null at the end.
  @OrNull public var next: String?
  /// The number of all notes outside of the trash.
  public let total: Int
}

extension Library {
  /// Reads notes for a browser to keep.
  ///
  /// A portion has at most 200 notes, or as many as have a megabyte of texts. Notes that are edited meanwhile are at the
  /// beginning of the order, and are missing in later portions: the browser hears of them as of any change.
  ///
  /// - Parameter place: The place behind the portion before, or `nil` for the first.
  /// - Returns: The notes, the place behind them, and the number of all.
  /// - Throws: ``LibraryProblem/refused(_:)`` for a text that is not such a place.
  public func offlineNotes(after place: String?) async throws -> OfflinePortion {
    let place = try place.map(OfflinePlace.init(text:))
    return try await read { context in
      let total = try context.count(for: Note.fetch(NotePlace.alive))
      var notes: [NoteContent] = []
      var portion = ReadingPortion()
      var (last, byteCount, isEnd) = (place, 0, false)
      while notes.count < 200, byteCount < 1 << 20, !isEnd {
        let request = Note.fetch(NotePlace.alive(and: last?.predicate ?? .all))
        request.sortDescriptors = OfflinePlace.order
        request.fetchLimit = portion.count
        request.relationshipKeyPathsForPrefetching = [NoteProperties.properties]
        let some = try context.fetch(request)
        portion.follow(some)
        let kept = some.prefix { note in
          defer { byteCount += note.document_?.utf8.count ?? 0 }
          return byteCount < 1 << 20
        }
        notes += try kept.map { try NoteContent($0, withBacklinks: false) }
        isEnd = kept.count == some.count && some.count < request.fetchLimit
        last = kept.last.map(OfflinePlace.init) ?? last
        for note in some { context.refresh(note, mergeChanges: false) }
      }
      return OfflinePortion(notes: notes, next: isEnd ? nil : last?.text, total: total)
    }
  }
}

/// A place in the order of the notes by their last edit.
private struct OfflinePlace {
  let edited: Date
  let id: UUID

  init(_ note: Note) {
    (edited, id) = (note.modificationDate, note.uuid)
  }

  /// Reads a text as ``text`` writes it.
  init(text: String) throws {
    let halves = text.split(separator: "_")
    guard halves.count == 2, let bits = UInt64(halves[0], radix: 16),
      let id = UUID(uuidString: String(halves[1]))
    else { throw LibraryProblem.refused("“\(text.prefix(80))” is not a place among the notes.") }
    edited = Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    self.id = id
    guard edited.timeIntervalSinceReferenceDate.isFinite else {
      throw LibraryProblem.refused("“\(text.prefix(80))” is not a place among the notes.")
    }
  }

  var text: String {
    "\(String(edited.timeIntervalSinceReferenceDate.bitPattern, radix: 16))_\(id.text)"
  }

  static var order: [NSSortDescriptor] {
    [
      NSSortDescriptor(key: NoteProperties.modificationDate, ascending: false),
      NSSortDescriptor(key: NoteProperties.uuid, ascending: false),
    ]
  }

  /// The notes behind the place.
  var predicate: NSPredicate {
    NSPredicate(
      format: "%K <= %@ AND (%K < %@ OR %K < %@)",
      NoteProperties.modificationDate,
      edited as any CVarArg,
      NoteProperties.modificationDate,
      edited as any CVarArg,
      NoteProperties.uuid,
      id as any CVarArg
    )
  }
}
