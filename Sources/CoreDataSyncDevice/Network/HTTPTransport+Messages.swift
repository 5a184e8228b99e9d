import CoreDataSync
package import CoreDataSyncCore
import Synchronization

// MARK: - Pushes and pulls

extension HTTPTransport {
  /// Sends a push or a pull, with the device's copy of the zone's seal.
  ///
  /// Throws `MessageTooLarge` for a push of several cells if something in between takes no message of that size.
  package func send(_ request: SyncRequest, seal: [UInt8]? = nil) throws -> SyncResponse {
    do {
      switch request {
      case .push(let push): return try send(push, seal)
      case .pull: return try exchange(request, seal)
      }
    } catch let gateway as BadGateway {
      throw gateway.problem
    }
  }

  /// Sends a message with a checksum; to a server of before there were checksums, without one.
  private func exchange(_ request: SyncRequest, _ seal: [UInt8]?) throws -> SyncResponse {
    if !takesNoChecksums.withLock({ $0 }) {
      do {
        return try exchange(request, CheckedMessage.bytes(of: request), seal)
      } catch is NewerMessage {
        takesNoChecksums.withLock { $0 = true }
      }
    }
    do {
      return try exchange(request, request.bytes, seal)
    } catch let refusal as NewerMessage {
      throw refusal.problem
    }
  }

  private func exchange(
    _ request: SyncRequest,
    _ body: [UInt8],
    _ seal: [UInt8]?
  ) throws -> SyncResponse {
    var http = self.request("sync", "POST", body)
    if let seal {
      let digits = seal.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      http.headers.append("Zone-Seal: \(digits)")
    }
    http.takesCompressed = true
    let bytes = try answer(toMessage: http, isSealed: seal != nil)
    do {
      return try CheckedMessage.message(bytes)
    } catch {
      throw bytes.first == UInt8(ascii: "<") ? page : unreadable(error)
    }
  }
}

// MARK: - Compression

extension HTTPTransport {
  /// Sends a message, compressed if the server reads that; sealed cells do not get smaller.
  private func answer(toMessage plain: OutgoingRequest, isSealed: Bool) throws -> [UInt8] {
    guard !isSealed, compression.withLock({ $0 == .understood }),
      let body = plain.body.flatMap(CompressedMessage.bytes)
    else { return try answer(to: plain, longest: WireLimits.message) }
    var compressed = plain
    compressed.body = body
    compressed.headers.append("Content-Encoding: gzip")
    do {
      return try answer(to: compressed, longest: WireLimits.message)
    } catch is UnreadBody {
      // An older server may be there now, or something in between has lost the field.
      let bytes = try answer(to: plain, longest: WireLimits.message)
      compression.withLock { $0 = .refused }
      return bytes
    }
  }

  /// A compressed body that was not understood.
  struct UnreadBody: Error {}
}

/// A server says that the message is newer than it is.
struct NewerMessage: Error {
  let problem: HTTPTransport.SyncProblem
}

// MARK: - Large messages

extension HTTPTransport {
  /// Somebody takes no body of that size.
  struct LargeBody: Error {
    let size: Int
    let problem: SyncProblem
  }

  /// A proxy says that it does not reach the server.
  struct BadGateway: Error {
    let problem: SyncProblem
  }

  private func send(_ push: SyncRequest.Push, _ seal: [UInt8]?) throws -> SyncResponse {
    do {
      let response = try exchange(.push(push), seal)
      lostPushes.withLock { $0 = 0 }
      return response
    } catch let refusal as LargeBody {
      throw push.cells.count > 1 ? MessageTooLarge() : refusal.problem
    } catch let gateway as BadGateway {
      guard push.cells.count > 1, losesPushes() else { throw gateway.problem }
      throw MessageTooLarge()
    }
  }

  /// Whether a proxy that says that it does not reach the server means the size of a push, as Caddy 2.6 does where its
  /// `request_body` is smaller: it lets a small request through, and has lost the push at least twice.
  private func losesPushes() -> Bool {
    // Whatever it says of a small request, the push is not too large for it.
    let isReached = (try? seal()) != nil
    return lostPushes.withLock { lost in
      lost = isReached ? lost + 1 : 0
      return lost > 1
    }
  }
}
