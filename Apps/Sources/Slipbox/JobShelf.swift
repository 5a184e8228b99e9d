import CoreDataWebServer
import Foundation
import SlipboxLibrary
import Synchronization

/// The long jobs that were begun lately.
final class JobShelf: Sendable {
  private struct Kept {
    let job: Job
    /// The result of an export, or of a map.
    var file: HeldFile?
    var name = ""
  }

  private let kept = Mutex<[Kept]>([])

  private static let capacity = 20
  private static let mostAtOnce = 2

  /// Keeps a new job, in the place of one that has ended long ago.
  ///
  /// - Throws: A problem with status 503 where too much is under way.
  func add(_ job: Job) throws {
    try kept.withLock { kept in
      guard kept.count(where: { $0.job.progress.outcome == nil }) < Self.mostAtOnce else {
        throw Problem(
          503,
          "Something else that takes long is under way: an import, an export or a map. Try again when it is done."
        )
      }
      while kept.count >= Self.capacity,
        let ended = kept.firstIndex(where: { $0.job.progress.outcome != nil })
      {
        kept.remove(at: ended)
      }
      kept.append(Kept(job: job))
    }
  }

  func job(_ id: UUID) throws -> Job {
    guard let found = kept.withLock({ $0.first { $0.job.id == id } }) else { throw Self.gone }
    return found.job
  }

  func keep(_ file: HeldFile, named name: String, of job: Job) {
    kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.job.id == job.id }) else { return }
      // The last one is enough: they are large.
      for other in kept.indices { kept[other].file = nil }
      kept[index].file = file
      kept[index].name = name
    }
  }

  func file(of id: UUID) throws -> (file: HeldFile, name: String) {
    let found = kept.withLock { $0.first { $0.job.id == id } }
    guard let found, let file = found.file else { throw Self.gone }
    return (file, found.name)
  }

  private static let gone = Problem(404, "That is not there any more. Begin again.")
}

/// How far a job is, as the pages read it.
struct JobState: Encodable {
  let id: String
  let done: Int
  let total: Int
  let what: String
  /// `running`, `done`, `failed` or `cancelled`.
  let state: String
  @OrNull var report: ImportReport?
  @OrNull var error: String?

  init(_ job: Job) {
    let progress = job.progress
    id = job.id.uuidString.lowercased()
    (done, total, what) = (progress.done, progress.total, progress.what)
    switch progress.outcome {
    case nil: state = "running"
    case .imported(let imported):
      state = "done"
      report = imported
    case .exported, .mapped: state = "done"
    case .failed(let sentence):
      state = "failed"
      error = sentence
    case .cancelled: state = "cancelled"
    }
  }
}
