import CoreData
import Foundation
import RichText
import Synchronization

/// The references of the files that were read last.
///
/// A file stays as it was put in, so what was read of it is right as long as it is there. Two that want the same file at
/// once wait for one reading.
final class ReferenceShelf: Sendable {
  /// A file that was read.
  ///
  /// Other JSON has `nil` in the place of references.
  struct Shelved: Sendable {
    let contents: IndexedReferences?
    let byteCount: Int
  }

  private struct Contents {
    var readings: [NSManagedObjectID: Task<Shelved, any Error>] = [:]
    /// The last used at the end.
    var order: [NSManagedObjectID] = []
    var sizes: [NSManagedObjectID: Int] = [:]
    /// The files in the texts of notes, good as long as the note has this revision.
    var named: [NSManagedObjectID: (revision: Int64, files: Set<UUID>)] = [:]
  }

  private let contents = Mutex(Contents())
  /// The bytes of the files whose references are kept; these take several times as much memory.
  private static let mostBytes = 64 << 20
  private static let mostNotes = 2_000

  func references(
    of file: NSManagedObjectID,
    _ read: @escaping @Sendable () async throws -> Shelved
  ) async throws -> IndexedReferences? {
    let reading = contents.withLock { contents in
      contents.order.removeAll { $0 == file }
      contents.order.append(file)
      if let reading = contents.readings[file] { return reading }
      let reading = Task { try await read() }
      contents.readings[file] = reading
      return reading
    }
    do {
      let shelved = try await reading.value
      keep(file, shelved.byteCount)
      return shelved.contents
    } catch {
      forget(file)
      throw error
    }
  }

  private func keep(_ file: NSManagedObjectID, _ byteCount: Int) {
    contents.withLock { contents in
      // The reference to a small file takes memory, too.
      contents.sizes[file] = max(byteCount, 1_000)
      var sum = contents.sizes.values.reduce(0, +)
      while sum > Self.mostBytes, let oldest = contents.order.first, oldest != file {
        contents.order.removeFirst()
        contents.readings[oldest] = nil
        sum -= contents.sizes.removeValue(forKey: oldest) ?? 0
      }
    }
  }

  private func forget(_ file: NSManagedObjectID) {
    contents.withLock { contents in
      contents.readings[file] = nil
      contents.sizes[file] = nil
      contents.order.removeAll { $0 == file }
    }
  }

  /// The files that the text of a note names now.
  func files(of note: Note) -> Set<UUID> {
    let (id, revision) = (note.objectID, note.revision)
    let known = contents.withLock { $0.named[id] }
    if let known, known.revision == revision { return known.files }
    let files = Set(note.formattedBodyText.files)
    contents.withLock { contents in
      if contents.named.count >= Self.mostNotes { contents.named = [:] }
      contents.named[id] = (revision, files)
    }
    return files
  }
}

/// The references of a file, to be found by their keys and by words.
struct IndexedReferences: Sendable {
  let file: ReferenceFile
  private let places: [String: Int]
  /// Key, people, year and title of each, without case and accents.
  private let words: [[UInt8]]

  init(_ file: ReferenceFile) {
    self.file = file
    places = Dictionary(file.references.enumerated().map { ($1.key, $0) }) { first, _ in first }
    words = file.references.map { reference in
      let people = reference.leaders.list.prefix(10).map { "\($0.family) \($0.given)" }
      let all = [reference.key] + people + [reference.year, reference.title]
      return Array(all.joined(separator: " ").canonical.utf8)
    }
  }

  subscript(key: String) -> Reference? { places[key].map { file.references[$0] } }

  /// The places of references that have all of some words; of words that begin the key or the first name first.
  func places(with wanted: [[UInt8]], atMost limit: Int) -> [Int] {
    var (first, others) = ([Int](), [Int]())
    for (index, words) in words.enumerated() where wanted.allSatisfy({ words.has($0) }) {
      if wanted.first.map({ words.starts(with: $0) }) ?? true {
        first.append(index)
        if first.count == limit { break }
      } else if others.count < limit {
        others.append(index)
      }
    }
    return Array((first + others).prefix(limit))
  }
}
