import Foundation

/// Bytes on their way into a file.
///
/// They are gathered until there is a megabyte of them, so that a file of any size is written with little
/// memory and few calls of the system.
struct FileBytes {
  private var gathered: [UInt8] = []
  private var passedOn = 0
  private let sink: (UnsafeRawBufferPointer) throws -> Void

  private static let most = 1 << 20

  /// The sink gets the bytes, from first to last.
  init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.sink = sink
  }

  /// How many bytes there are in all.
  var count: Int { passedOn + gathered.count }

  /// Lets somebody append; a megabyte or more goes to the sink afterwards.
  mutating func append(_ body: (inout [UInt8]) throws -> Void) throws {
    try body(&gathered)
    if gathered.count >= Self.most { try passOn() }
  }

  mutating func append(_ bytes: some Sequence<UInt8>) throws {
    try append { $0 += bytes }
  }

  /// Gives the sink what it has not got yet.
  mutating func passOn() throws {
    try gathered.withUnsafeBytes(sink)
    passedOn += gathered.count
    gathered.removeAll(keepingCapacity: gathered.capacity <= 4 * Self.most)
  }
}
