import Foundation

/// A client's end of a connection, byte by byte.
///
/// Reading waits on a thread of its own, never on one that the server's handlers need.
final class Wire: Sendable {
  private let descriptor: Int32

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &patience,
      socklen_t(MemoryLayout<timeval>.size)
    )
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  /// Sends everything that the other side takes; false when it has hung up.
  @discardableResult
  func send(_ data: Data) async -> Bool {
    await elsewhere { [descriptor] in
      data.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let count = Foundation.send(
            descriptor,
            bytes.baseAddress.map { $0 + sent },
            bytes.count - sent,
            Int32(MSG_NOSIGNAL)
          )
          if count <= 0 { return false }
          sent += count
        }
        return true
      }
    }
  }

  @discardableResult
  func send(_ text: String) async -> Bool { await send(Data(text.utf8)) }

  /// Tells the other side that nothing more comes.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The bytes that arrive next; none when the other side has hung up.
  func receive() async -> Data {
    await elsewhere { [descriptor] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      return Data(buffer.prefix(max(0, count)))
    }
  }

  /// Everything until the other side hangs up.
  func receiveAll() async -> Data {
    var all = Data()
    while true {
      let next = await receive()
      if next.isEmpty { return all }
      all += next
    }
  }

  /// The bytes that arrive until a text is among them, or nothing more comes.
  func receive(until text: String) async -> String {
    var all = Data()
    while all.range(of: Data(text.utf8)) == nil {
      let next = await receive()
      if next.isEmpty { break }
      all += next
    }
    return String(decoding: all, as: UTF8.self)
  }

  private func elsewhere<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}

/// An answer as it came over the wire.
struct Answer: Sendable {
  let status: Int
  let fields: [(name: String, value: String)]
  let body: Data

  init?(_ data: Data) {
    guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(
      separatedBy: "\r\n"
    )
    let words = lines[0].split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else { return nil }
    self.status = status
    fields = lines.dropFirst().compactMap { line in
      line.firstIndex(of: ":").map { colon in
        (
          line[..<colon].lowercased(),
          line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        )
      }
    }
    body = Data(data[end.upperBound...])
  }

  subscript(name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The sentence of an error.
  var sentence: String? {
    ((try? JSONSerialization.jsonObject(with: body)) as? [String: Any])?["error"] as? String
  }
}
