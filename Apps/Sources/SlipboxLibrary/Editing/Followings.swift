import CoreData
import Foundation
import Synchronization

/// How far the texts of others are with following a new title.
public struct FollowState: Encodable, Sendable, Equatable {
  public enum Stage: String, Encodable, Sendable {
    case running, done
    /// Some could not be written, and wait for another try.
    case stuck
    /// They stay as they are.
    case left
  }

  /// A note that shows the old title still.
  public struct Behind: Encodable, Sendable, Equatable {
    public let id: String
    public let title: String
  }

  /// The note that is called otherwise now.
  public let note: String
  public let title: String
  public let stage: Stage
  public let done: Int
  public let total: Int
  /// Those that could not be written, the first of them.
  public let behind: [Behind]
  public let behindCount: Int
  /// The obstacle.
  @OrNull public var reason: String?
  /// The author of the new title.
  @OrNull public var by: String?

  /// Whether nothing more will be reported about these edits.
  var isEnd: Bool { stage == .done || stage == .left }
}

/// The texts that follow new titles after the saves that have changed them.
///
/// ```
/// Slots ─▶ Seats     the save: 300 texts ─▶ the others, 50 in a save ─▶ FollowState ─▶ listeners
///                                             └ a text that cannot be written is named, and waits
/// ```
///
/// A note has one run at a time: a title that changes again in between begins it again.
final class Followings: Sendable {
  private let register = Mutex(Register())

  private struct Register {
    var runs: [UUID: Run] = [:]
    var listeners: [UUID: AsyncStream<FollowState>.Continuation] = [:]
  }

  private struct Run {
    var title = ""
    var olds: [String] = []
    var rest: ArraySlice<NSManagedObjectID> = []
    var total = 0
    /// How many are being written.
    var inWork = 0
    var author: String?
    var isActive = true
    var behind: [NSManagedObjectID] = []
    var named: [FollowState.Behind] = []
    var reason: String?
    var isLeft = false

    var stage: FollowState.Stage {
      if isActive { return .running }
      return isLeft ? .left : behind.isEmpty ? .done : .stuck
    }

    func told(of note: UUID) -> FollowState {
      FollowState(
        note: note.text,
        title: title,
        stage: stage,
        done: total - rest.count - inWork - behind.count,
        total: total,
        behind: named,
        behindCount: behind.count,
        reason: reason,
        by: author
      )
    }
  }

  /// Some texts that are to follow now.
  struct Portion {
    let note: UUID
    let olds: [String]
    let texts: [NSManagedObjectID]
    let author: String?
  }

  /// More names nobody reads.
  private static let mostNamed = 50
}

// MARK: - Running

extension Followings {
  /// Notes the texts that have to follow.
  ///
  /// - Returns: Whether somebody has to begin; `false` if texts follow this note already.
  func begin(
    _ renaming: Renaming,
    _ title: String,
    _ texts: [NSManagedObjectID],
    by author: String?
  ) -> Bool {
    change(renaming.note) { run in
      let isNew = run?.isActive != true
      var next = Run(title: title, rest: texts[...], total: texts.count, author: author)
      // Texts that did not get there show an earlier title than the last.
      next.olds = (run?.olds ?? []).filter { $0 != renaming.old } + [renaming.old]
      run = next
      return isNew
    }
  }

  /// Begins once more with the texts that could not be written; `false` if there are none.
  func beginAgain(_ note: UUID) -> Bool {
    change(note) { run in
      guard var next = run, !next.isActive, !next.behind.isEmpty else { return false }
      (next.rest, next.total) = (next.behind[...], next.behind.count)
      (next.behind, next.named, next.reason, next.isActive) = ([], [], nil, true)
      run = next
      return true
    }
  }

  /// Leaves those that could not be written as they are.
  func forget(_ note: UUID) {
    change(note) { run in
      if run?.isActive == false { run?.isLeft = true }
    }
  }

  /// The next texts; `nil` if there are no more.
  func next(of note: UUID, atMost most: Int) -> Portion? {
    change(note) { run in
      guard var now = run else { return nil }
      let texts = Array(now.rest.prefix(most))
      now.rest = now.rest.dropFirst(most)
      now.inWork = texts.count
      now.isActive = !texts.isEmpty
      run = now
      return texts.isEmpty
        ? nil : Portion(note: note, olds: now.olds, texts: texts, author: now.author)
    }
  }

  /// Notes texts that could not be written; with `all` the rest is left as well.
  func fell(
    behind texts: [(NSManagedObjectID, FollowState.Behind)],
    of note: UUID,
    because reason: String,
    andAll all: Bool
  ) {
    change(note) { run in
      let room = Self.mostNamed - (run?.named.count ?? 0)
      run?.behind += texts.map(\.0)
      run?.inWork -= texts.count
      run?.named += texts.map(\.1).prefix(room)
      run?.reason = reason
      guard all, let rest = run?.rest else { return }
      run?.behind += rest
      run?.rest = []
    }
  }

  /// Changes a run, and reports it; a run that is over and complete is forgotten.
  @discardableResult
  private func change<Result>(_ note: UUID, _ body: (inout Run?) -> Result) -> Result {
    register.withLock { register in
      let result = body(&register.runs[note])
      guard let run = register.runs[note] else { return result }
      let told = run.told(of: note)
      if told.isEnd { register.runs[note] = nil }
      for listener in register.listeners.values { Self.tell(told, listener) }
      return result
    }
  }

  /// If a listener is far behind, the oldest steps are left out, but no end of a note's edits as long as there are
  /// others.
  static func tell(_ told: FollowState, _ listener: AsyncStream<FollowState>.Continuation) {
    var next = told
    for _ in 0..<room {
      guard case .dropped(let oldest) = listener.yield(next), oldest.isEnd else { return }
      next = oldest
    }
  }

  /// How many steps wait for a listener.
  static let room = 100
}

// MARK: - Listening

extension Followings {
  /// The present state of what follows, and each step from then on.
  func states() -> AsyncStream<FollowState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FollowState.self,
      bufferingPolicy: .bufferingNewest(Self.room)
    )
    let id = UUID()
    continuation.onTermination = { [weak self] _ in
      self?.register.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    register.withLock { register in
      register.listeners[id] = continuation
      for (note, run) in register.runs { continuation.yield(run.told(of: note)) }
    }
    return stream
  }
}
