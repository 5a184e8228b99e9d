/// Reads an answer of a server that does not end, and tells the number of a zone's last change whenever it is another.
package struct NewsLines {
  private var line: [UInt8] = []

  package init() {}

  private static let longestLine = 500

  /// Takes a piece of the answer; gives the last number in it.
  package mutating func take(_ piece: UnsafeBufferPointer<UInt8>) -> UInt64? {
    var head: UInt64?
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        head = Self.number(in: line) ?? head
        line.removeAll(keepingCapacity: true)
      } else if line.count < Self.longestLine {
        // A sender of such lines is not a server of ours; a line that is too long is ignored.
        line.append(byte)
      }
    }
    return head
  }

  /// The number in `data: 17`; other lines only show that the server is there.
  private static func number(in line: [UInt8]) -> UInt64? {
    guard line.starts(with: Array("data:".utf8)) else { return nil }
    let text = line.dropFirst(5).filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
    return UInt64(String(decoding: text, as: UTF8.self))
  }
}
