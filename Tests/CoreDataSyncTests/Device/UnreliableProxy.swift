import Foundation
import Synchronization

/// A proxy between devices and a server that cuts connections, is slow, holds answers back, or answers itself.
///
/// Safety: all mutable state is behind the mutex; each connection has threads of its own.
final class UnreliableProxy: @unchecked Sendable {
  /// The treatment of bytes.
  struct Manner: Sendable {
    /// Of a hundred pieces that pass, after how many both ends are closed.
    var cutsPercent = 0
    /// The milliseconds that each piece waits, at most.
    var delay = 0
    /// The milliseconds that each piece waits.
    var latency = 0
    /// How many bytes go through in a second, in each direction of a connection; zero for as many as there are.
    var bytesPerSecond = 0
    /// Whether answers to requests for event streams are held back for ever.
    var holdsStreams = false
    /// The treatment of whole requests and answers.
    var messages = Messages.passed
  }

  /// The treatment of whole requests and answers.
  enum Messages: Sendable, Equatable {
    /// They pass in pieces, as they come.
    case passed
    /// Each is taken to its end before anything of it goes on; those without an end never do.
    case buffered
    /// As a proxy that takes no bodies of more than so many bytes, and gives this answer to others.
    case limited(Int, answer: String = "413 Request Entity Too Large")
    /// Each request gets this answer, and the server hears of none.
    case answered(String)
    /// Each request loses the field with this name.
    case withoutField(String)
    /// They are taken and never answered.
    case swallowed
    /// Answers come byte by byte, twenty in a second.
    case dripped
  }

  let port: Int
  private let listener: Int32
  private let target: Int
  private let conduct: Mutex<Conduct>

  private struct Conduct {
    var manner: Manner
    var hasStopped = false
    var open: Set<Int32> = []
    var cuts = 0
    var held = 0
    var refused = 0
    var largest = 0
    var largestAnswer = 0
  }

  /// Begins to pass on connections of a free port to another.
  init(to target: Int, _ manner: Manner) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound, listen(listener, 128) == 0 else { throw POSIXError(.EADDRINUSE) }
    self.target = target
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    conduct = Mutex(Conduct(manner: manner))
    Thread.detachNewThread { [self] in takeConnections() }
  }

  /// How often it has cut, and how many streams it has held back.
  var deeds: (cuts: Int, held: Int) { conduct.withLock { ($0.cuts, $0.held) } }

  /// How many bodies it has refused, and the bytes of the largest that it has let through and of the largest answer.
  var bodies: (refused: Int, largest: Int, answer: Int) {
    conduct.withLock { ($0.refused, $0.largest, $0.largestAnswer) }
  }

  var manner: Manner {
    get { conduct.withLock { $0.manner } }
    set { conduct.withLock { $0.manner = newValue } }
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    conduct.withLock { conduct in
      conduct.hasStopped = true
      // A closed one leaves the list before that: none belongs to somebody else yet.
      for descriptor in conduct.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = UInt16(port).bigEndian
    return address
  }
}

// MARK: - Connections

extension UnreliableProxy {
  private func takeConnections() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { break }
      guard let server = connected() else {
        close(client)
        continue
      }
      let isOpen = conduct.withLock { conduct in
        if conduct.hasStopped { return false }
        conduct.open.formUnion([client, server])
        return true
      }
      let pair = Pair(client: client, server: server)
      guard isOpen else {
        pair.end(self)
        pair.end(self)
        continue
      }
      Thread.detachNewThread { [self] in pass(pair, toServer: true) }
      Thread.detachNewThread { [self] in pass(pair, toServer: false) }
    }
    close(listener)
  }

  private func connected() -> Int32? {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(target)
    let isThere = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if isThere { return server }
    close(server)
    return nil
  }

  /// Two ends, which are closed when both directions have ended.
  private final class Pair: Sendable {
    let client: Int32
    let server: Int32
    let isHeld = Mutex(false)
    private let ended = Mutex(0)

    init(client: Int32, server: Int32) {
      self.client = client
      self.server = server
    }

    func cut() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }

    func end(_ proxy: UnreliableProxy) {
      cut()
      let isLast = ended.withLock { ended in
        ended += 1
        return ended == 2
      }
      guard isLast else { return }
      proxy.conduct.withLock { $0.open.subtract([client, server]) }
      close(client)
      close(server)
    }
  }

  private func pass(_ pair: Pair, toServer: Bool) {
    defer { pair.end(self) }
    let (from, to) = toServer ? (pair.client, pair.server) : (pair.server, pair.client)
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var message = HTTPMessage()
    while true {
      let count = read(from, &buffer, buffer.count)
      guard count > 0 else { return }
      let manner = manner
      if toServer, manner.holdsStreams,
        String(decoding: buffer[..<count], as: UTF8.self).contains("/events")
      {
        pair.isHeld.withLock { $0 = true }
        conduct.withLock { $0.held += 1 }
      }
      if manner.delay > 0 { usleep(UInt32.random(in: 0...UInt32(manner.delay) * 1000)) }
      if Int.random(in: 0..<100) < manner.cutsPercent {
        conduct.withLock { $0.cuts += 1 }
        return
      }
      if !toServer, pair.isHeld.withLock({ $0 }) { continue }
      slowDown(count, manner)
      switch (manner.messages, toServer) {
      case (.passed, _), (.limited, false), (.dripped, true):
        guard Self.deliver(buffer[..<count], to) else { return }
        continue
      case (.dripped, false):
        for place in 0..<count {
          usleep(50_000)
          guard Self.deliver(buffer[place...place], to) else { return }
        }
        continue
      case (.buffered, _), (.limited, true), (.answered, _), (.swallowed, _), (.withoutField, _):
        break
      }
      message.bytes += buffer[..<count]
      while let whole = message.next() {
        switch (manner.messages, toServer) {
        case (.limited(let limit, let answer), true) where whole.body > limit:
          conduct.withLock { $0.refused += 1 }
          _ = Self.deliver(Self.page(answer), pair.client)
          return
        case (.answered(let status), true):
          _ = Self.deliver(Self.page(status), pair.client)
          return
        case (.swallowed, _): continue
        case (.withoutField(let name), true):
          guard Self.deliver(Self.without(name, whole.bytes), to) else { return }
        case (.passed, _), (.buffered, _), (.limited, _), (.answered, false), (.dripped, _),
          (.withoutField, false):
          conduct.withLock {
            if toServer {
              $0.largest = max($0.largest, whole.body)
            } else {
              $0.largestAnswer = max($0.largestAnswer, whole.body)
            }
          }
          guard Self.deliver(whole.bytes, to) else { return }
        }
      }
    }
  }

  private func slowDown(_ count: Int, _ manner: Manner) {
    var microseconds = manner.latency * 1_000
    if manner.bytesPerSecond > 0 { microseconds += count * 1_000_000 / manner.bytesPerSecond }
    if microseconds > 0 { usleep(UInt32(microseconds)) }
  }

  /// A request in which the field of a name has another name.
  private static func without(_ name: String, _ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    let field = Array("\r\n\(name):".utf8)
    if let start = bytes.indices.first(where: { bytes[$0...].starts(with: field) }) {
      bytes[start + 2] = UInt8(ascii: "X")
    }
    return bytes
  }

  private static func deliver(_ bytes: ArraySlice<UInt8>, _ to: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes {
        send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }

  /// The answer of proxies, with a page for people.
  private static func page(_ status: String) -> ArraySlice<UInt8> {
    let page = "<html><body><h1>\(status)</h1></body></html>"
    let head = """
      HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\
      Connection: close\r\n\r\n
      """
    return Array("\(head)\(page)".utf8)[...]
  }
}

/// Requests or answers as they come, cut where each ends.
private struct HTTPMessage {
  var bytes: [UInt8] = []

  /// The next that is there as a whole, with the bytes of its body.
  mutating func next() -> (bytes: ArraySlice<UInt8>, body: Int)? {
    guard let head else { return nil }
    guard !isEndless, let body = Self.length(in: head.text), bytes.count >= head.end + body else {
      return nil
    }
    let whole = bytes.prefix(head.end + body)
    bytes.removeFirst(head.end + body)
    return (whole, body)
  }

  /// Whether the head says that nobody knows how long the rest is.
  var isEndless: Bool { head.map { Self.length(in: $0.text) == nil } ?? false }

  private var head: (text: String, end: Int)? {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else {
      return nil
    }
    return (String(decoding: bytes[..<end], as: UTF8.self), end + mark.count)
  }

  /// The length that a head tells: zero for requests without a body, `nil` for a body in pieces.
  private static func length(in head: String) -> Int? {
    let lines = head.lowercased().components(separatedBy: "\r\n")
    if let line = lines.first(where: { $0.hasPrefix("content-length:") }) {
      return Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces))
    }
    return lines.contains { $0.hasPrefix("transfer-encoding:") } ? nil : 0
  }
}
