import CoreData
import CoreDataSyncCore
import Foundation
import Synchronization
import Testing

@testable import CoreDataSyncDevice

/// Devices and servers of which only one knows checksums of messages, and messages that arrive damaged.
struct ChecksumFallbackTests {
  private static let pull = SyncRequest.pull(
    .init(
      replica: SyncID(random: 1, 2),
      after: .start,
      seen: .start,
      acknowledged: .start,
      isSnapshot: true,
      limit: 10
    )
  )

  private func transport(over server: FakeServer) -> HTTPTransport {
    let token = String(repeating: "a", count: SyncAddress.tokenLength)
    let address = SyncAddress(server: "http://127.0.0.1:9", zone: "Notes", token: token)
    return HTTPTransport(address, over: { server })
  }

  @Test("A device tries a checksum once, and then sends an older server messages without one")
  func olderServer() throws {
    let server = FakeServer { body in
      CheckedMessage.isChecked(body) ? (501, []) : (200, SyncResponse.refused(.resync).bytes)
    }
    let transport = transport(over: server)
    for _ in 0..<3 { #expect(try transport.send(Self.pull) == .refused(.resync)) }
    #expect(server.checked == [true, false, false, false])
  }

  @Test("A device tries a checksum again after the server was out of reach: it may be newer now")
  func updatedServer() throws {
    let isUpdated = Atomic(false)
    let isAway = Atomic(false)
    let server = FakeServer { body in
      if isAway.load(ordering: .relaxed) { throw HTTPFailure.unreachable("refused") }
      guard CheckedMessage.isChecked(body) else {
        return (200, SyncResponse.refused(.resync).bytes)
      }
      return isUpdated.load(ordering: .relaxed)
        ? (200, CheckedMessage.bytes(of: SyncResponse.refused(.rewound))) : (501, [])
    }
    let transport = transport(over: server)
    #expect(try transport.send(Self.pull) == .refused(.resync))
    isAway.store(true, ordering: .relaxed)
    #expect(throws: (any Error).self) { try transport.send(Self.pull) }
    isAway.store(false, ordering: .relaxed)
    isUpdated.store(true, ordering: .relaxed)
    #expect(try transport.send(Self.pull) == .refused(.rewound))
  }

  @Test("An answer with a flipped bit is not taken, says so, and is asked for again")
  func damagedAnswer() throws {
    let server = FakeServer { _ in
      var bytes = CheckedMessage.bytes(of: SyncResponse.refused(.clockAhead(77)))
      bytes[bytes.count - 5] ^= 1
      return (200, bytes)
    }
    let problem = #expect(throws: HTTPTransport.SyncProblem.self) {
      try transport(over: server).send(Self.pull)
    }
    #expect(problem?.isTemporary == true)
    #expect(problem?.description.contains("does not have its checksum") == true)
  }
}

/// A connection whose server is a closure.
private final class FakeServer: HTTPConnection {
  private let reply: @Sendable ([UInt8]) throws -> (Int, [UInt8])
  private let kinds = Mutex<[Bool]>([])

  init(_ reply: @escaping @Sendable ([UInt8]) throws -> (Int, [UInt8])) { self.reply = reply }

  /// Whether each message that was sent had a checksum.
  var checked: [Bool] { kinds.withLock { $0 } }

  func answer(
    to request: OutgoingRequest,
    within patience: HTTPPatience,
    _ take: HTTPTaking
  ) throws -> HTTPAnswer {
    let body = request.body ?? []
    kinds.withLock { $0.append(CheckedMessage.isChecked(body)) }
    let (status, bytes) = try reply(body)
    _ = bytes.withUnsafeBufferPointer { take(status, $0) }
    return HTTPAnswer(
      status: status,
      isWhole: true,
      moved: nil,
      type: "application/octet-stream",
      readsCompressed: false
    )
  }

  func cancel() {}
}
