import Foundation
import Testing

/// A connection to a server, spoken to line by line; blocks its thread.
final class Line {
  private let socket: Int32
  private let cookie: String
  private var buffer: [UInt8] = []

  convenience init(_ server: ServerProcess) throws {
    try self.init(port: server.port, cookie: server.cookie)
  }

  init(port: UInt16, cookie: String) throws {
    self.cookie = cookie
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let outcome = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if outcome != 0 { throw POSIXError(.ECONNREFUSED) }
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close(socket)
  }

  /// Sends a request; throws if the server is gone.
  func send(_ method: String, _ target: String, _ body: String = "") throws {
    try write(head(method, target, length: body.utf8.count) + body)
  }

  /// Sends a request whose body does not come, but for its first byte.
  func sendHead(_ method: String, _ target: String, length: Int) throws {
    try write(head(method, target, length: length) + "x")
  }

  /// Begins a request that never ends.
  ///
  /// Does nothing if the server has hung up already.
  func sendHalfOfHead() {
    do {
      try write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ")
    } catch {
      // It has made room for others.
    }
  }

  private func head(_ method: String, _ target: String, length: Int) -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie)\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(length)\r\n\r\n"
  }

  private func write(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { throw POSIXError(.EPIPE) }
      bytes = bytes.dropFirst(count)
    }
  }

  /// The next line; nil when the server is gone or silent.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
      }
      if !fill() { return nil }
    }
  }

  /// The number of bytes that come until the server hangs up.
  func rest() -> Int {
    var count = buffer.count
    buffer = []
    while fill() {
      count += buffer.count
      buffer = []
    }
    return count
  }

  private func fill() -> Bool {
    var piece = [UInt8](repeating: 0, count: 16_384)
    let count = recv(socket, &piece, piece.count, 0)
    if count <= 0 { return false }
    buffer += piece[..<count]
    return true
  }

  /// The answer to a request: its status and its body; nil when the server is gone.
  func answer() -> (status: Int, body: String)? {
    guard let first = line(), let status = first.split(separator: " ").dropFirst().first else {
      return nil
    }
    var length = 0
    while let field = line(), !field.isEmpty {
      if field.lowercased().hasPrefix("content-length:") {
        length = Int(field.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0
      }
    }
    while buffer.count < length { if !fill() { return nil } }
    let body = String(decoding: buffer[..<length], as: UTF8.self)
    buffer.removeFirst(length)
    return (Int(status) ?? 0, body)
  }

  /// Asks, and waits for the answer.
  func ask(
    _ method: String,
    _ target: String,
    _ body: String = ""
  ) throws -> (status: Int, body: String) {
    try send(method, target, body)
    guard let answer = answer() else { throw POSIXError(.EPIPE) }
    return answer
  }
}
