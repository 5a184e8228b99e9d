import ChildPrograms
import CoreDataSyncCore
import Foundation
import Synchronization
import Testing

@testable import CoreDataSyncDevice

/// Tests of messages that are compressed on their way.
struct CompressedExchangeTests {
  private let server: LocalServer
  private let replica = SyncID(random: 1, 1)
  private var cells: [KeyedCell] {
    (1...200).map { number in
      let words = "Note \(number) has some words, and a few more of them. "
      let text = String(repeating: words, count: 8)
      return KeyedCell(
        CellKey(SyncID(random: 9, UInt64(number)), .value(PropertyID(name: "text"))),
        Cell(
          epoch: 1,
          stamp: Stamp(moment: UInt64(number) << 16, writer: (1 << 32) | 1),
          base: 0,
          payload: CellValue.text(text).payload
        )
      )
    }
  }

  init() throws { server = try LocalServer() }

  private func transport(_ proxy: UnreliableProxy, _ kind: ConnectionKind) throws -> HTTPTransport {
    HTTPTransport(try SyncAddress(try server.address(over: proxy)), over: kind.connect)
  }

  private func pull(_ replica: SyncID) -> SyncRequest {
    .pull(
      .init(
        replica: replica,
        after: .start,
        seen: .start,
        acknowledged: .start,
        isSnapshot: true,
        limit: 1_000
      )
    )
  }

  private var push: SyncRequest {
    .push(.init(replica: replica, cursor: .start, seen: .start, cells: cells))
  }

  @Test(
    "texts go to the server and back in a third of their bytes",
    arguments: ConnectionKind.allCases
  )
  func bothWays(kind: ConnectionKind) throws {
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .buffered))
    let transport = try transport(proxy, kind)
    let size = push.bytes.count
    // The server says in its first answer that it reads compressed messages.
    _ = try transport.send(pull(replica))
    _ = try transport.send(push)
    #expect(proxy.bodies.largest > 0 && proxy.bodies.largest < size / 3)
    let answer = try transport.send(pull(SyncID(random: 2, 2)))
    guard case .page(let page) = answer else {
      Issue.record("The server answered \(answer).")
      return
    }
    #expect(page.cells == cells)
    #expect(proxy.bodies.answer > 0 && proxy.bodies.answer < size / 3)
  }

  @Test("a device whose compressed message is not understood sends it as it is")
  func lostField() throws {
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .buffered))
    let transport = try transport(proxy, .curl)
    _ = try transport.send(pull(replica))
    proxy.manner.messages = .withoutField("Content-Encoding")
    guard case .pushed = try transport.send(push) else {
      Issue.record("The push was not taken.")
      return
    }
    #expect(transport.compression.withLock { $0 } == .refused)
    guard case .page(let page) = try transport.send(pull(SyncID(random: 2, 2))) else { return }
    #expect(page.cells == cells)
  }

  @Test("the messages of an encrypted zone are not compressed")
  func sealed() throws {
    let proxy = try UnreliableProxy(to: server.port, .init(messages: .buffered))
    let transport = try transport(proxy, .curl)
    let agreed = try transport.seal(with: [1, 0] + [UInt8](repeating: 7, count: 16))
    _ = try transport.send(pull(replica), seal: agreed)
    _ = try transport.send(push, seal: agreed)
    #expect(proxy.bodies.largest == CheckedMessage.bytes(of: push).count)
  }

  @Test(
    "a body with an encoding that the server does not read, or that is damaged, gets a sentence",
    arguments: [
      ("br", 415, "not with 'br'"), ("gzip", 400, "is damaged"), ("GZIP", 400, "is damaged"),
    ]
  )
  func refused(encoding: String, status: Int, sentence: String) throws {
    let address = try SyncAddress(try server.address())
    let line = try RawLine(port: server.port)
    line.say(
      "POST /v1/zones/Notes/sync HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Authorization: Bearer \(address.token)\r\nContent-Encoding: \(encoding)\r\n"
        + "Content-Length: 5\r\n\r\n12345"
    )
    let answer = line.heard()
    #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
    #expect(answer.contains(sentence))
  }
}
