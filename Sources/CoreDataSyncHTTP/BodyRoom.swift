import Synchronization

/// How many bytes of large bodies are in memory at once, over all connections: of messages that arrive, and of answers
/// that are on their way.
///
/// Each of some hundred connections may have a body as large as bodies may be; together they do not have more than
/// this, and those with one token only a part of it, so that a client that fills its part keeps nobody else out. Small
/// bodies are not counted: an edit goes through whatever others send.
package final class BodyRoom: Sendable {
  /// The bytes of each body that are not counted.
  static let small = 64 << 10

  private let whole: Int
  private let part: Int
  private let taken = Mutex(Taken())

  private struct Taken {
    var all = 0
    var byToken: [Int64: Int] = [:]
  }

  /// Room for so many bytes, of which those with one token have so many at most.
  package init(bytes whole: Int = 256 << 20, forToken part: Int = 64 << 20) {
    self.whole = whole
    self.part = part
  }

  /// The share of the room for a body sent with this token; empty to begin with.
  package func share(forToken token: Int64) -> Share { Share(of: self, token) }

  private func takes(_ count: Int, _ token: Int64) -> Bool {
    if count == 0 { return true }
    return taken.withLock { taken in
      let own = taken.byToken[token, default: 0]
      guard count <= whole - taken.all, count <= part - own else { return false }
      taken.all += count
      taken.byToken[token] = own + count
      return true
    }
  }

  private func gives(_ count: Int, _ token: Int64) {
    if count == 0 { return }
    taken.withLock { taken in
      taken.all -= count
      let left = taken.byToken[token, default: count] - count
      taken.byToken[token] = left > 0 ? left : nil
    }
  }
}

extension BodyRoom {
  /// The room of one body, which is given back with it.
  package final class Share: Sendable {
    private let room: BodyRoom
    private let token: Int64
    private let size = Mutex(0)

    fileprivate init(of room: BodyRoom, _ token: Int64) {
      self.room = room
      self.token = token
    }

    deinit { giveBack() }

    private static func counted(_ size: Int) -> Int { max(size - BodyRoom.small, 0) }

    /// Takes room for so many more bytes, or none if there is not enough.
    package func takes(_ count: Int) -> Bool {
      size.withLock { size in
        let more = Self.counted(size + count) - Self.counted(size)
        guard room.takes(more, token) else { return false }
        size += count
        return true
      }
    }

    package func giveBack() {
      size.withLock { size in
        room.gives(Self.counted(size), token)
        size = 0
      }
    }
  }
}
