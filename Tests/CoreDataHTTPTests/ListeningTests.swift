import ChildPrograms
import Foundation
import Testing

@testable import CoreDataHTTP

struct ListeningTests {
  /// How many clients the system lets wait at most.
  private static let mostWaiting =
    (try? String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8))
    .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0

  @Test(.enabled(if: mostWaiting >= 1_024))
  func `clients that came while the server was busy were kept out after the first 128`() throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    defer { socket.close() }
    let lines = try (0..<400).map { _ in try RawLine(port: socket.address.port) }
    #expect(lines.count == 400)
  }

  @Test func `a server that cannot listen says why`() throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    defer { socket.close() }
    let port = socket.address.port
    func failure(_ host: String, _ port: Int) -> ListeningFailure? {
      #expect(throws: ListeningFailure.self) { try ListeningSocket(host: host, port: port).close() }
    }
    #expect(failure("127.0.0.1", port) == .portInUse(port, host: "127.0.0.1"))
    #expect(failure("127.0.0.1", 65_536) == .noPort(65_536))
    #expect(failure("nowhere.invalid", 0) == .unknownHost("nowhere.invalid"))
    #expect(failure("192.0.2.1", 0) == .notOfThisMachine("192.0.2.1"))
  }

  @Test(
    "only numbers of this machine alone are loopback addresses",
    arguments: [
      ("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("0.0.0.0", false),
      ("::", false), ("192.168.1.5", false), ("::ffff:192.168.1.5", false),
    ]
  )
  func loopback(host: String, isLoopback: Bool) {
    #expect(ListeningAddress(host: host, port: 1).isLoopback == isLoopback)
  }

  @Test func `a URL has brackets around a number of version 6`() {
    #expect(ListeningAddress(host: "::1", port: 8788).text == "http://[::1]:8788")
    #expect(ListeningAddress(host: "127.0.0.1", port: 80).text == "http://127.0.0.1:80")
  }

  @Test func `connections took all files that a process may have open`() {
    var limits = HTTPLimits()
    let roomy = limits.fitted(to: 10_000)
    #expect(roomy.connections == 512 && roomy.spareConnections == 64)
    let narrow = limits.fitted(to: 128)
    #expect(narrow.connections == 96 && narrow.spareConnections == 32)
    limits.connections = .max
    let huge = limits.fitted(to: 8)
    #expect(huge.connections == 6 && huge.spareConnections == 2)
    limits.connections = 0
    #expect(limits.fitted(to: 8).connections + limits.fitted(to: 8).spareConnections <= 8)
  }
}
