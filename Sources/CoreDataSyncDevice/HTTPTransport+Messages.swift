package import CoreDataSyncCore
import Synchronization

// MARK: - Pushes and pulls

extension HTTPTransport {
  /// Sends a push or a pull, with what is known of the zone's encryption.
  ///
  /// A push goes in several messages where something between takes no large ones.
  package func send(_ request: SyncRequest, seal: [UInt8]? = nil) throws -> SyncResponse {
    switch request {
    case .push(let push): try send(push, seal)
    case .pull: try exchange(request, seal)
    }
  }

  private func exchange(_ request: SyncRequest, _ seal: [UInt8]?) throws -> SyncResponse {
    var http = self.request("sync", "POST", request.bytes)
    if let seal {
      let digits = seal.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      http.headers.append("Zone-Seal: \(digits)")
    }
    let bytes = try answer(to: http, longest: WireLimits.message)
    do {
      return try SyncResponse(bytes: bytes)
    } catch {
      throw bytes.first == UInt8(ascii: "<") ? page : unreadable(error)
    }
  }
}

// MARK: - Large messages

extension HTTPTransport {
  /// Somebody takes no body of that size.
  struct LargeBody: Error {
    let size: Int
    let problem: SyncProblem
  }

  /// Sends a push in as many messages as there have to be: where one is too large for a proxy, its halves go, and what is
  /// sent later is no larger.
  ///
  /// They go in the order of their stamps, as the server takes for granted, and whole saves go together where they can.
  private func send(_ push: SyncRequest.Push, _ seal: [UInt8]?) throws -> SyncResponse {
    var part = push
    var rest = push.cells[...]
    while true {
      part.cells = Array(rest.prefix(Self.count(of: rest, within: room.withLock { $0 })))
      do {
        let response = try exchange(.push(part), seal)
        rest = rest.dropFirst(part.cells.count)
        guard case .pushed = response, !rest.isEmpty else { return response }
      } catch let refusal as LargeBody {
        guard part.cells.count > 1 else { throw refusal.problem }
        room.withLock { $0 = min($0, refusal.size / 2) }
      }
    }
  }

  /// How many cells go together: as many as there is room for, and one at least.
  static func count(of cells: ArraySlice<KeyedCell>, within room: Int) -> Int {
    var size = 0
    let fitting = cells.prefix {
      size += $0.size
      return size <= room
    }
    guard fitting.count < cells.count, !fitting.isEmpty else { return max(fitting.count, 1) }
    let next = cells[fitting.endIndex].cell.stamp
    let whole = fitting.lastIndex { $0.cell.stamp != next }
    return whole.map { $0 - cells.startIndex + 1 } ?? fitting.count
  }
}
