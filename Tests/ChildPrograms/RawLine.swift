import Foundation

/// A connection to a server of this machine, on which a test can send anything.
public final class RawLine {
  private let descriptor: Int32

  public init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // A test whose server says nothing is to fail, and not to wait.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { close(descriptor) }

  /// Says something; returns whether the line took it.
  @discardableResult
  public func say(_ text: String) -> Bool { say(Array(text.utf8)) }

  @discardableResult
  public func say(_ bytes: [UInt8]) -> Bool {
    send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// The server's answer up to these words, or until it hangs up.
  public func heard(until words: String? = nil) -> String {
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      if let words, String(decoding: answer, as: UTF8.self).contains(words) { break }
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { break }
      answer += piece.prefix(count)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// The beginning of the server's unread bytes, for which this does not wait.
  public var unheard: String {
    var piece = [UInt8](repeating: 0, count: 64)
    let count = recv(descriptor, &piece, piece.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return String(decoding: piece.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Whether the server has hung up, and has said nothing that was not heard.
  public var isOver: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN
  }
}
