import CoreData
import Foundation
import Synchronization

/// The counts of the lists that were looked at last, good until something is written.
///
/// ```
/// writing    save ─ forget()
///              │       │
/// reading  ─ read ─ merge ─ forgotten ─ read ─▶
/// ```
///
/// It is forgotten in the reading context's queue, after the merge of the changes: a reader that was let in between the
/// save and the merge would keep the old counts, and nothing would make it forget them again.
///
/// Rows are not kept: a window is one fetch. Counting everything that a search finds is the longer
/// part, and is wanted again with each window.
final class OutlineCache: Sendable {
  private struct Contents {
    var generation = 0
    /// The last used at the end.
    var kept: [(key: Key, sections: [NoteWindow.Section])] = []
    var overview: Overview?
  }

  private struct Key: Hashable {
    let search: NoteSearch
    let sorting: NoteSorting
    /// Searches for the last days find other notes as time goes by.
    let minute: Int
  }

  private static let size = 32
  private let reading: NSManagedObjectContext
  private let contents = Mutex(Contents())
  /// Tells the versions of this run of the program from those of others.
  private let run = String(UInt32.random(in: 0...UInt32.max), radix: 36)

  /// Keeps what is counted in the blocks of a context that merges what others save.
  init(_ reading: NSManagedObjectContext) {
    self.reading = reading
  }

  /// Forgets counts that are no longer true; to be called after the save.
  func forget() {
    reading.perform { [self] in
      contents.withLock { contents in
        contents.generation += 1
        contents.kept = []
        contents.overview = nil
      }
    }
  }

  private func version(_ generation: Int) -> String { "\(run).\(generation)" }

  /// The sections of a list, counted if they are not known.
  func sections(
    _ query: NoteQuery,
    now: Date,
    count: () throws -> [NoteWindow.Section]
  ) rethrows -> (version: String, sections: [NoteWindow.Section]) {
    let key = Key(
      search: query.search,
      sorting: query.sorting,
      minute: Int(now.timeIntervalSinceReferenceDate / 60)
    )
    let (generation, known) = contents.withLock { contents in
      let index = contents.kept.firstIndex { $0.key == key }
      if let index { contents.kept.append(contents.kept.remove(at: index)) }
      return (contents.generation, index == nil ? nil : contents.kept.last?.sections)
    }
    if let known { return (version(generation), known) }
    let sections = try count()
    contents.withLock { contents in
      contents.kept.append((key, sections))
      if contents.kept.count > Self.size { contents.kept.removeFirst() }
    }
    return (version(generation), sections)
  }

  /// The overview, made if it is not known.
  func overview(_ make: () throws -> Overview) rethrows -> Overview {
    if let known = contents.withLock(\.overview) { return known }
    let overview = try make()
    contents.withLock { $0.overview = overview }
    return overview
  }
}
