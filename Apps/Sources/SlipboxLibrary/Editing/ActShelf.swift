import CoreData
import Synchronization

/// The last acts, each under a token that is good for an hour.
final class ActShelf: Sendable {
  private struct Kept {
    let token: String
    let act: any Undoable
    let date: Date
  }

  static let capacity = 50
  /// How much all acts together may remember, in bytes; the last one may have more.
  static let weightLimit = 64 << 20
  static let lifetime: TimeInterval = 3600
  private let kept = Mutex<[Kept]>([])

  /// Keeps an act, and drops the oldest if there are too many or they remember too much.
  func keep(_ act: any Undoable, at now: Date) -> String {
    let token = UUID().text
    kept.withLock { kept in
      kept.append(Kept(token: token, act: act, date: now))
      kept.removeFirst(max(kept.count - Self.capacity, 0))
      var weight = kept.reduce(0) { $0 + $1.act.weight }
      while weight > Self.weightLimit, kept.count > 1 { weight -= kept.removeFirst().act.weight }
    }
    return token
  }

  /// Puts an act back that could not be undone now.
  func putBack(_ act: any Undoable, as token: String, at now: Date) {
    kept.withLock { $0.append(Kept(token: token, act: act, date: now)) }
  }

  /// Drops everything: the objects of the acts are gone.
  func forgetAll() { kept.withLock { $0 = [] } }

  /// Takes an act off the shelf; a token is good once.
  func take(_ token: String, at now: Date) throws -> any Undoable {
    try kept.withLock { kept in
      kept.removeAll { now.timeIntervalSince($0.date) > Self.lifetime }
      guard let index = kept.firstIndex(where: { $0.token == token }) else {
        throw LibraryProblem.expired(
          "This cannot be undone any more: that is possible for an hour, and for the last 50 acts, "
            + "or fewer where large pictures are among them."
        )
      }
      return kept.remove(at: index).act
    }
  }
}
