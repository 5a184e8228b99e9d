import Glibc

/// Answers the requests of a compiler until it closes its end.
///
/// The compiler starts the plugin once for each of its own processes. A message is eight bytes of length, least significant
/// first, and JSON; each request has one answer, in the same order. A compiler that ends sends a message of length 0,
/// which is not answered, and then closes its end.
package struct CompilerConnection {
  /// The file descriptors of both directions.
  let input: Int32
  let output: Int32

  /// A longer message is a fault of the sender: a class's source text is some kilobytes.
  static let longestMessage = 256 << 20

  package init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
  }

  /// Answers requests.
  ///
  /// - Returns: The status with which the program ends: 0 after the end of the input, 1 if a message is cut off or too
  ///   long, or if nobody reads the answers.
  package func run() -> Int32 {
    var expander = MacroExpander()
    while true {
      switch nextMessage() {
      case .whole(let bytes):
        guard send(expander.answer(to: bytes)) else { return 1 }
      case .end: return 0
      case .damaged: return 1
      }
    }
  }

  private enum Message {
    case whole([UInt8])
    case end
    case damaged
  }

  private func nextMessage() -> Message {
    while true {
      let header = read(8)
      guard header.count == 8 else { return header.isEmpty ? .end : .damaged }
      let length = header.reversed().reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
      if length == 0 { continue }
      guard length <= UInt64(Self.longestMessage) else { return .damaged }
      let payload = read(Int(length))
      return payload.count == Int(length) ? .whole(payload) : .damaged
    }
  }

  /// Reads so many bytes, or all until the end of the input.
  private func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      // The length is what the sender says: memory is taken as bytes arrive.
      let wanted = min(count - bytes.count, 1 << 20)
      let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, taken in
        taken = max(0, again { Glibc.read(input, buffer.baseAddress, wanted) })
      }
      if chunk.isEmpty { break }
      bytes += chunk
    }
    return bytes
  }

  private func send(_ answer: JSONValue) -> Bool {
    let payload = answer.bytes
    let length = UInt64(payload.count)
    return write((0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + payload)
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let written = again {
          Glibc.write(output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        }
        guard written > 0 else { return false }
        rest = rest.dropFirst(written)
      }
      return true
    }
  }

  /// Repeats a system call that a signal has interrupted.
  private func again(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
