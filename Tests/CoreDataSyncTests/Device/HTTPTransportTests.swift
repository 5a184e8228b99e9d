import CoreData
import CoreDataSyncCore
import CoreDataSyncCrypto
import Foundation
import Synchronization
import Testing

@testable import CoreDataSyncDevice

/// Tests of a device with the answers of a server, and with answers of other programs.
struct HTTPTransportTests {
  private static let token = String(repeating: "a", count: SyncAddress.tokenLength)

  private func transport(to server: CannedServer, _ kind: ConnectionKind) -> HTTPTransport {
    let place = "http://127.0.0.1:\(server.port)"
    return HTTPTransport(
      SyncAddress(server: place, zone: "Notes", token: Self.token),
      over: kind.connect
    )
  }

  @Test("waiting for news made a processor busy", arguments: ConnectionKind.allCases)
  func idleWaiting(kind: ConnectionKind) throws {
    let server = try LocalServer()
    let transport = HTTPTransport(try SyncAddress(try server.address()), over: kind.connect)
    _ = try transport.seal()
    let isHeard = DispatchSemaphore(value: 0)
    let waiting = Mutex<Double?>(nil)
    let hasEnded = DispatchSemaphore(value: 0)
    Thread {
      let begin = Self.processorTime
      let told = try? transport.listen(patience: 60) { _ in
        isHeard.signal()
        return true
      }
      waiting.withLock { $0 = told == nil ? Self.processorTime - begin : nil }
      hasEnded.signal()
    }.start()
    // If listening fails, nothing is heard.
    #expect(isHeard.wait(timeout: .now() + 60) == .success)
    Thread.sleep(forTimeInterval: 2)
    transport.cancel()
    #expect(hasEnded.wait(timeout: .now() + 60) == .success)
    let seconds = try #require(waiting.withLock { $0 })
    #expect(seconds < 0.2)
  }

  /// The processor time of the calling thread.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test(
    "threads that share the connections get each their own answers",
    arguments: ConnectionKind.allCases
  )
  func sharedConnections(kind: ConnectionKind) throws {
    let server = try LocalServer()
    let transport = HTTPTransport(try SyncAddress(try server.address()), over: kind.connect)
    let others = Mutex<[String]>([])
    onThreads(8) { number in
      let value = Array(repeating: UInt8(number), count: 10_000 + number)
      let asset = AssetReference(ContentHash(of: value), size: value.count)
      do {
        let taken = try transport.put(value[...], from: 0, of: asset)
        if taken != value.count { others.withLock { $0.append("\(taken) of \(value.count)") } }
        for turn in 1...10 {
          let part = try transport.get(asset.hash, 0...(1_000 * turn - 1))
          if part != Array(value.prefix(1_000 * turn)) {
            others.withLock { $0.append("\(part.count) bytes of \(part.first ?? 0) for \(number)") }
          }
        }
      } catch {
        others.withLock { $0.append("\(error)") }
      }
    }
    #expect(others.withLock { $0 } == [])
  }

  @Test(
    "a transport that is cancelled ends what all threads have under way, and takes no more",
    arguments: ConnectionKind.allCases
  )
  func cancelled(kind: ConnectionKind) throws {
    let server = try LocalServer()
    let transport = HTTPTransport(try SyncAddress(try server.address()), over: kind.connect)
    let ends = Mutex<[String]>([])
    let heard = DispatchSemaphore(value: 0)
    onThreads(4) { number in
      if number == 3 {
        for _ in 0..<3 { #expect(heard.wait(timeout: .now() + 60) == .success) }
        transport.cancel()
      }
      do {
        let told = try transport.listen(patience: 60) { _ in
          heard.signal()
          return true
        }
        ends.withLock { $0.append("told: \(told)") }
      } catch {
        ends.withLock { $0.append("\(error)") }
      }
    }
    #expect(ends.withLock { $0 } == Array(repeating: "The exchange has ended.", count: 4))
  }

  /// Does something on so many threads at once, and waits until each is done.
  private func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    for number in 0..<count {
      Thread {
        work(number)
        isDone.signal()
      }.start()
    }
    for _ in 0..<count { isDone.wait() }
  }

  @Test(
    "a server that was away since the last request is reached again",
    arguments: ConnectionKind.allCases
  )
  func keptConnection(kind: ConnectionKind) throws {
    let server = try LocalServer()
    let transport = HTTPTransport(try SyncAddress(try server.address()), over: kind.connect)
    #expect(try transport.seal().isEmpty)
    server.stop()
    #expect { try transport.seal() } throws: { "\($0)".contains("cannot be reached") }
    try server.start()
    #expect(try transport.seal().isEmpty)
  }

  @Test("an answer that is longer than it can be is not kept", arguments: ConnectionKind.allCases)
  func longAnswer(kind: ConnectionKind) throws {
    let body = String(repeating: "7", count: 1_000_000)
    let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n\(body)")
    #expect { try transport(to: server, kind).seal() } throws: {
      "\($0)".contains("sends more than it was asked for")
    }
  }

  @Test("an answer that breaks off is no answer", arguments: ConnectionKind.allCases)
  func shortAnswer(kind: ConnectionKind) throws {
    let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n17")
    #expect { try transport(to: server, kind).news(after: 0, seconds: 1) } throws: {
      "\($0)".contains("cannot be reached")
    }
  }

  @Test(
    "a server that has moved is told of with its new place, and gets no token there",
    arguments: ConnectionKind.allCases
  )
  func moved(kind: ConnectionKind) throws {
    let server = try CannedServer(
      """
      HTTP/1.1 301 Moved\r\nLocation: https://new.example/v1/zones/Notes/seal\r\n\
      Content-Length: 0\r\n\r\n
      """
    )
    #expect { try transport(to: server, kind).seal() } throws: {
      "\($0)".contains("sends on to https://new.example. Where that")
    }
  }

  @Test("what answers and is no server of ours is told of", arguments: ConnectionKind.allCases)
  func otherServers(kind: ConnectionKind) throws {
    let page = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>")
    #expect { try transport(to: page, kind).news(after: 0, seconds: 1) } throws: {
      "\($0)".contains("does not answer as a server of coredata serve does")
    }
    let refusal = try CannedServer("HTTP/1.1 502 Bad\r\nContent-Length: 6\r\n\r\n<html>")
    #expect { try transport(to: refusal, kind).listen(patience: 60) { _ in true } } throws: {
      "\($0)".contains("answers with status 502")
    }
  }

  @Test(
    "the JSON of another program was shown in the place of a sentence, or taken for a newer server",
    arguments: ["200 OK", "401 Unauthorized", "403 Forbidden", "404 Not Found"],
    ConnectionKind.allCases
  )
  func foreignAnswers(status: String, kind: ConnectionKind) throws {
    let body = #"{"error":"This browser is not known here."}"#
    let server = try CannedServer(
      """
      HTTP/1.1 \(status)\r\nContent-Type: Application/JSON; charset=utf-8\r\n\
      Content-Length: \(body.utf8.count)\r\n\r\n\(body)
      """
    )
    let device = transport(to: server, kind)
    let hash = ContentHash(of: Array("a value".utf8))
    let questions: [() throws -> Void] = [
      { _ = try device.seal() }, { _ = try device.get(hash, 0...6) },
    ]
    for ask in questions {
      #expect {
        try ask()
      } throws: { error in
        let problem = error as? NSPersistentCloudKitContainer.SyncProblem
        return problem?.isTemporary == true
          && problem?.description.contains("not as coredata serve does. Look whether") == true
      }
    }
  }

  @Test(
    "a large value that is not there is told apart from a page of somebody between",
    arguments: ConnectionKind.allCases
  )
  func missingValue(kind: ConnectionKind) throws {
    let hash = ContentHash(of: Array("a value".utf8))
    for status in ["404 Not Found", "416 Range Not Satisfiable"] {
      let server = try CannedServer("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
      #expect(throws: HTTPTransport.MissingAsset.self) {
        try transport(to: server, kind).get(hash, 0...6)
      }
    }
    let page = try CannedServer(
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>"
    )
    #expect(throws: NSPersistentCloudKitContainer.SyncProblem.self) {
      try transport(to: page, kind).get(hash, 0...6)
    }
  }

  @Test(
    "a stream that somebody ended before it told anything was taken for one that tells",
    arguments: ConnectionKind.allCases
  )
  func emptyStream(kind: ConnectionKind) throws {
    for type in ["", "Content-Type: text/event-stream\r\n"] {
      let server = try CannedServer("HTTP/1.1 200 OK\r\n\(type)Content-Length: 0\r\n\r\n")
      #expect(try !transport(to: server, kind).listen(patience: 60) { _ in true })
    }
    let told = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ndata: 7\n\n")
    #expect(try transport(to: told, kind).listen(patience: 60) { _ in true })
  }

  @Test("news comes in pieces that end anywhere")
  func pieces() {
    var lines = NewsLines()
    func take(_ text: String) -> UInt64? {
      Array(text.utf8).withUnsafeBufferPointer { lines.take($0) }
    }
    #expect(take("data: 1") == nil)
    #expect(take("7\n\ndata:18\r\nda") == 18)
    #expect(take("ta: 19\n: still here\ndata: -1\ndata: many\n") == 19)
    #expect(take("data: " + String(repeating: "1", count: 100_000) + "\n") == nil)
    #expect(take("data: 20\n") == 20)
  }
}

/// Gives one answer to every client, whatever was asked.
private final class CannedServer {
  let port: Int
  private let listener: Int32

  init(_ answer: String) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isBound && listen(listener, 8) == 0)
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        var asked = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection, &asked, asked.count, 0)
        var rest = Array(answer.utf8)[...]
        while !rest.isEmpty {
          let sent = rest.withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard sent > 0 else { break }
          rest = rest.dropFirst(sent)
        }
        close(connection)
      }
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }
}
