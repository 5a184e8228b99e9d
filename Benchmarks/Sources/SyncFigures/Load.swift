import Foundation
import Synchronization

/// Sends prepared messages to a server over several connections, as devices would that have nothing else to do.
///
/// The messages are written here, byte by byte, because what makes them is not public: notes with six cells each, as a
/// first exchange sends them.
struct Load {
  private let server: LoadedServer
  private let connections: Int
  private let messages: Int

  static let cellsOfNote = 6
  private static let notesInMessage = 500

  /// Prepares to send so many messages over each of so many connections, to the zone of an address.
  init(_ address: String, connections: Int = 4, messages: Int = 40) throws {
    server = try LoadedServer(address)
    self.connections = connections
    self.messages = messages
  }

  /// The cells that a server takes in a second by the clock on the wall.
  func cellsPerSecond() throws -> Double {
    let devices = try (0..<connections).map { number in
      let device = Sender(number, try server.connection())
      try device.introduce()
      return device
    }
    let bodies = devices.map { device in
      (0..<messages).map { device.push($0, notes: Self.notesInMessage) }
    }
    let failure = Mutex<(any Error)?>(nil)
    let begun = ContinuousClock.now
    DispatchQueue.concurrentPerform(iterations: connections) { number in
      do {
        for body in bodies[number] { try devices[number].send(body, answeredBy: 1) }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    let took = begun.duration(to: .now)
    if let failure = failure.withLock({ $0 }) { throw failure }
    let cells = connections * messages * Self.notesInMessage * Self.cellsOfNote
    return Double(cells) / (took / .seconds(1))
  }
}

/// Why a server is not measured.
struct LoadFailure: Error, CustomStringConvertible {
  let description: String
}

// MARK: - A device

/// One device with a connection of its own.
private final class Sender: Sendable {
  private let number: UInt64
  private let connection: LoadedServer.Connection
  private let moment: UInt64

  init(_ number: Int, _ connection: LoadedServer.Connection) {
    self.number = UInt64(number) + 1
    self.connection = connection
    moment = UInt64(Date().timeIntervalSince1970 * 1000) << 16
  }

  /// Fetches what is there, so that the server knows the device.
  func introduce() throws {
    var message = MessageBytes(kind: 2)
    message.append(number, number)
    // Nothing was read, seen or acknowledged; a snapshot, one cell, of no writers.
    message.append(0, 0, 0, 0, 0, 0)
    message.bytes += [1, 1, 0]
    try send(message.bytes, answeredBy: 2)
  }

  /// A push of notes that nobody has sent yet.
  func push(_ place: Int, notes: Int) -> [UInt8] {
    var message = MessageBytes(kind: 1)
    message.append(number, number)
    message.append(0, 0, 0, 0)
    message.append(count: notes * Load.cellsOfNote)
    for note in 0..<notes { append(UInt64(place * notes + note), to: &message) }
    return message.bytes
  }

  private func append(_ note: UInt64, to message: inout MessageBytes) {
    let text = Array("\(note) One thought on each slip, in whole sentences. ".utf8)
    let folder: [UInt8] = [11] + [UInt8](repeating: 7, count: 16)
    let payloads: [[UInt8]] = [
      [13] + Array("Note".utf8), [5] + Array("Note \(note)".utf8),
      [5] + (0..<8).flatMap { _ in text }, [2, 0, 0, 0, 0, 0, 0, 0, 3],
      [7, 0x41, 0, 0, 0, 0, 0, 0, 0], folder,
    ]
    for (property, payload) in payloads.enumerated() {
      message.append(number, 0x4000_8000_0000_0000 + note)
      message.bytes.append(property == 0 ? 0 : 1)
      if property > 0 { message.append(UInt64(property)) }
      // The first life, the stamp of its save, and nothing that was replaced.
      message.bytes += [0, 1]
      message.append(moment + note, number, 0)
      message.append(count: payload.count)
      message.bytes += payload
    }
  }

  /// Sends a message; fails if the answer is of another kind.
  func send(_ message: [UInt8], answeredBy kind: UInt8) throws {
    let answer = try connection.answer(to: message)
    guard answer.count > 1, answer[0] == 1, answer[1] == kind else {
      throw LoadFailure(description: "The server answers \(answer.prefix(20)) to a message.")
    }
  }
}

/// A message as the protocol of number 1 has it.
private struct MessageBytes {
  var bytes: [UInt8]

  init(kind: UInt8) {
    bytes = [1, kind]
  }

  mutating func append(_ numbers: UInt64...) {
    for number in numbers {
      withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// A number in as few bytes as it needs, seven bits in each.
  mutating func append(count: Int) {
    var rest = count
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

// MARK: - HTTP

/// The zone of an address such as `http://127.0.0.1:8788/Notes#token`.
private struct LoadedServer {
  private let port: UInt16
  private let head: String

  init(_ address: String) throws {
    guard let parts = URLComponents(string: address), let port = parts.port.map(UInt16.init),
      let token = parts.fragment, parts.path.count > 1
    else { throw LoadFailure(description: "\(address) is no address of a zone on this machine.") }
    self.port = port
    head = """
      POST /v1/zones\(parts.path)/sync HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\
      Content-Type: application/octet-stream\r\nContent-Length: 
      """
  }

  func connection() throws -> Connection {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(descriptor)
      throw LoadFailure(description: "The server is not reached at port \(port).")
    }
    return Connection(descriptor, head)
  }

  /// A connection on which one request follows the other.
  final class Connection: Sendable {
    private let descriptor: Int32
    private let head: String

    fileprivate init(_ descriptor: Int32, _ head: String) {
      self.descriptor = descriptor
      self.head = head
    }

    deinit {
      close(descriptor)
    }

    /// The body of the answer to a request.
    func answer(to body: [UInt8]) throws -> [UInt8] {
      var rest = (Array("\(head)\(body.count)\r\n\r\n".utf8) + body)[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { throw LoadFailure(description: "The server has hung up.") }
        rest = rest.dropFirst(sent)
      }
      return try nextAnswer()
    }

    private func nextAnswer() throws -> [UInt8] {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 4096)
      while true {
        if let body = try Self.body(in: bytes) { return body }
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { throw LoadFailure(description: "The server does not answer.") }
        bytes += piece.prefix(count)
      }
    }

    /// The body of an answer; nil as long as it is not there as a whole.
    private static func body(in bytes: [UInt8]) throws -> [UInt8]? {
      let text = String(decoding: bytes.prefix(2_000), as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { return nil }
      let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
      guard lines[0].contains(" 200 ") else {
        throw LoadFailure(description: "The server answers: \(text)")
      }
      let line = lines.first { $0.lowercased().hasPrefix("content-length:") }
      let length = line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
      let start = text[..<end.upperBound].utf8.count
      return bytes.count >= start + length ? Array(bytes[start..<start + length]) : nil
    }
  }
}
