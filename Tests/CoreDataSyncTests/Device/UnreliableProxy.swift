import Foundation
import Synchronization

/// A proxy between devices and a server that cuts connections, is slow, or holds answers back.
///
/// Safety: what changes is behind the mutex; each connection has threads of its own.
final class UnreliableProxy: @unchecked Sendable {
  /// What it does to bytes.
  struct Manner: Sendable {
    /// Of a hundred pieces that pass, after how many both ends are closed.
    var cutsPercent = 0
    /// The milliseconds that each piece waits, at most.
    var delay = 0
    /// Whether answers to requests for event streams are held back for ever.
    var holdsStreams = false
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
  }

  /// Begins to pass on what comes to a free port to another.
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

  var manner: Manner {
    get { conduct.withLock { $0.manner } }
    set { conduct.withLock { $0.manner = newValue } }
  }

  func stop() {
    let open = conduct.withLock { conduct in
      conduct.hasStopped = true
      return conduct.open
    }
    shutdown(listener, Int32(SHUT_RDWR))
    for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
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
      var sent = 0
      while sent < count {
        let written = buffer[sent..<count].withUnsafeBytes {
          send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { return }
        sent += written
      }
    }
  }
}
