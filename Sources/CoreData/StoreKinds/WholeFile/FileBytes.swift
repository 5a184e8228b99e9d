import Foundation

/// Bytes on their way into a file.
///
/// They are gathered until there is a megabyte of them, so that a file of any size is written with little
/// memory and few calls of the system.
struct FileBytes {
  private var gathered: [UInt8] = []
  private let sink: (UnsafeRawBufferPointer) throws -> Void

  private static let most = 1 << 20

  /// The sink gets the bytes, from first to last.
  init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.sink = sink
  }

  /// Lets somebody append; a megabyte or more goes to the sink afterwards.
  mutating func append(_ body: (inout [UInt8]) throws -> Void) throws {
    try body(&gathered)
    if gathered.count >= Self.most { try passOn() }
  }

  mutating func append(_ bytes: some Sequence<UInt8>) throws {
    try append { $0 += bytes }
  }

  /// Large data goes to the sink as it is.
  mutating func append(_ data: Data) throws {
    if data.count < Self.most { return try append { $0 += data } }
    try passOn()
    try data.withUnsafeBytes(sink)
  }

  /// Gives the sink what it has not got yet.
  mutating func passOn() throws {
    try gathered.withUnsafeBytes(sink)
    gathered.removeAll(keepingCapacity: gathered.capacity <= 4 * Self.most)
  }
}
