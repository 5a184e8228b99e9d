import Synchronization

/// How many wait for news with each token; each of them has a connection.
final class WaitingRoom: Sendable {
  /// More devices than share a token.
  static let places = 64

  private let counts = Mutex<[Int64: Int]>([:])

  /// A place, which is free again once it is released; `nil` if all are taken.
  func place(forToken token: Int64) -> Place? {
    counts.withLock { counts in
      guard counts[token, default: 0] < Self.places else { return nil }
      counts[token, default: 0] += 1
      return Place(self, token)
    }
  }

  final class Place: Sendable {
    private let room: WaitingRoom
    private let token: Int64

    fileprivate init(_ room: WaitingRoom, _ token: Int64) {
      self.room = room
      self.token = token
    }

    deinit {
      room.counts.withLock { counts in
        let left = counts[token, default: 1] - 1
        counts[token] = left > 0 ? left : nil
      }
    }
  }
}
