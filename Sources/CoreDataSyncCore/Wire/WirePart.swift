/// Something that goes over the wire, or into a file, as bytes.
package protocol WirePart {
  func write(to writer: inout ByteWriter)
  init(from reader: inout ByteReader) throws(WireError)
}

extension WirePart {
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Reads the part, of which these are all bytes.
  package init(bytes: [UInt8]) throws(WireError) {
    var reader = ByteReader(bytes)
    try self.init(from: &reader)
    try reader.end()
  }
}

extension ByteWriter {
  mutating func write(_ part: some WirePart) { part.write(to: &self) }

  mutating func write(_ flag: Bool) { write(UInt8(flag ? 1 : 0)) }

  mutating func write(_ parts: [some WirePart]) {
    write(count: parts.count)
    for part in parts { part.write(to: &self) }
  }
}

extension ByteReader {
  package mutating func part<Part: WirePart>() throws(WireError) -> Part { try Part(from: &self) }

  mutating func flag() throws(WireError) -> Bool { try number(UInt8.self) != 0 }

  /// As many parts as the bytes say, none of which is smaller than `size`.
  mutating func parts<Part: WirePart>(
    upTo limit: Int,
    ofAtLeast size: Int
  ) throws(WireError) -> [Part] {
    let count = try count(upTo: limit)
    // Nothing is made room for that is not there.
    guard count <= remaining / size else { throw failure("The message ends within a list.") }
    var parts: [Part] = []
    parts.reserveCapacity(count)
    for _ in 0..<count { parts.append(try part()) }
    return parts
  }
}
