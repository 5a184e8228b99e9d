import Synchronization

/// How many bytes of bodies may be in memory at once, over all requests.
///
/// One body has its own limit; this one holds for a thousand of them.
final class BodyAllowance: Sendable {
  private let left: Mutex<Int>

  init(_ byteCount: Int) {
    left = Mutex(byteCount)
  }

  /// How many bytes no body has taken.
  var free: Int { left.withLock { $0 } }

  /// A share of the allowance, empty to begin with.
  func share() -> Share { Share(self) }

  /// The bytes that one body has taken; they are given back with the share's last owner.
  final class Share: Sendable {
    private let allowance: BodyAllowance
    private let taken = Mutex(0)

    fileprivate init(_ allowance: BodyAllowance) {
      self.allowance = allowance
    }

    /// Takes so many bytes more.
    ///
    /// - Throws: A problem with status 503 where other bodies have them.
    func take(_ count: Int) throws(Problem) {
      let isThere = allowance.left.withLock { left in
        guard left >= count else { return false }
        left -= count
        return true
      }
      guard isThere else {
        throw Problem(503, "The server is busy with other large requests; try again in a moment.")
      }
      taken.withLock { $0 += count }
    }

    deinit {
      let count = taken.withLock { $0 }
      allowance.left.withLock { $0 += count }
    }
  }
}
