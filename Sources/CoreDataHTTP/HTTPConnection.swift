import CoreDataCMicroHTTPD
import Foundation
import Synchronization

/// A client's connection, and the time for which the server waits for it.
///
/// ```
/// waiting ─▶ sending ─▶ served ─▶ taking ─▶ waiting …          a client that the program has let in
/// waiting                                                      a stranger: asking brings no more time
/// ```
public final class HTTPConnection: Sendable {
  /// The client's address in the network: one of version 4, or the network half of one of version 6.
  public let client: String
  private let descriptor: Int32
  private let limits: HTTPLimits
  private let standing: Mutex<Standing>

  private struct Standing {
    var phase: Phase
    /// Whether the program has let the client in before.
    var isKnown = false
  }

  private enum Phase {
    /// The client has until then to send the fields of a request.
    case waiting(until: ContinuousClock.Instant)
    /// A body arrives: so many bytes since the last look. The whole body has until `end`.
    case sending(bytes: Int, look: ContinuousClock.Instant, end: ContinuousClock.Instant)
    /// The request is there, and the program makes the answer.
    case served
    /// The client has until then to take the answer; a stream does not have a limit.
    case taking(until: ContinuousClock.Instant?)
    /// The server has hung up.
    case leaving
  }

  init(descriptor: Int32, client: String, limits: HTTPLimits) {
    self.descriptor = descriptor
    self.client = client
    self.limits = limits
    standing = Mutex(Standing(phase: .waiting(until: .now + limits.headTime)))
  }
}

// MARK: - The steps of a request

extension HTTPConnection {
  /// The first line of a request is there.
  ///
  /// A known client has the usual time for the rest, and never more than before.
  func begin() {
    standing.withLock { standing in
      guard standing.isKnown, case .waiting(let instant) = standing.phase else { return }
      standing.phase = .waiting(until: min(instant, .now + limits.headTime))
    }
  }

  /// Waits for the body of a client that the program has let in.
  func admit(expecting byteCount: Int) {
    standing.withLock { standing in
      if case .leaving = standing.phase { return }
      standing.isKnown = true
      let (now, patience) = (ContinuousClock.now, limits.patience(byteCount))
      standing.phase = .sending(bytes: 0, look: now + limits.bodyTime, end: now + patience)
    }
  }

  /// Some bytes of a body have arrived.
  func receive(_ count: Int) {
    standing.withLock { standing in
      guard case .sending(let bytes, let look, let end) = standing.phase else { return }
      standing.phase = .sending(bytes: bytes + count, look: look, end: end)
    }
  }

  /// The request is there: the answer may take as long as the program likes.
  func serve() {
    standing.withLock { standing in
      if case .sending = standing.phase { standing.phase = .served }
    }
  }

  /// The answer is on its way; it has so many bytes, or no end that is known.
  func answer(_ byteCount: Int?) {
    standing.withLock { standing in
      switch standing.phase {
      case .sending, .served:
        standing.phase = .taking(until: byteCount.map { .now + limits.patience($0) })
      case .waiting, .taking, .leaving: break
      }
    }
  }

  /// The answer was sent, or the request was broken off.
  ///
  /// A stranger gets no more time by it.
  func rest() {
    standing.withLock { standing in
      switch standing.phase {
      case .sending, .served, .taking:
        standing.phase = .waiting(until: .now + limits.idleTime + limits.headTime)
      case .waiting, .leaving: break
      }
    }
  }
}

// MARK: - Hanging up

extension HTTPConnection {
  var isLeaving: Bool {
    standing.withLock { if case .leaving = $0.phase { true } else { false } }
  }

  /// The place of this connection among those that may be closed for others: strangers before known clients, and among
  /// each those that have waited longest.
  ///
  /// `nil` if it is being served, or is closed already.
  var uselessness: (Int, ContinuousClock.Instant)? {
    standing.withLock { standing in
      guard case .waiting(let instant) = standing.phase else { return nil }
      return (standing.isKnown ? 1 : 0, instant)
    }
  }

  /// Hangs up if the client is late.
  ///
  /// `say` makes the bytes of a refusal, for a client that sends a body too slowly.
  func hangUp(ifLateAt now: ContinuousClock.Instant, saying say: (HTTPRefusal) -> [UInt8]) {
    standing.withLock { standing in
      switch standing.phase {
      case .waiting(let instant), .taking(let instant?):
        if instant < now { hangUp(&standing) }
      case .sending(let bytes, let look, let end):
        if end < now {
          hangUp(&standing, after: say(.tooLate))
        } else if look < now, bytes < limits.pace {
          hangUp(&standing, after: say(.tooSlow(limits.pace, in: limits.bodyTime)))
        } else if look < now {
          standing.phase = .sending(bytes: 0, look: now + limits.bodyTime, end: end)
        }
      case .served, .taking(nil), .leaving: break
      }
    }
  }

  func hangUp() {
    standing.withLock { hangUp(&$0) }
  }

  /// The library says nothing while a body arrives, so the last words go past it.
  private func hangUp(_ standing: inout Standing, after words: [UInt8] = []) {
    standing.phase = .leaving
    if !words.isEmpty { coredata_http_send(descriptor, words, words.count) }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Sends bytes past the library, as many as the line takes at once, and nothing after them.
  ///
  /// Call this on the connection's thread only.
  func sendLast(_ bytes: [UInt8]) {
    coredata_http_send(descriptor, bytes, bytes.count)
    shutdown(descriptor, Int32(SHUT_WR))
  }
}
