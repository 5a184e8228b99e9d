// MARK: - Bytes

extension CellValue {
  /// The payload of a member that is there, and that of one that was removed.
  package static let present: [UInt8] = [1, 1]
  package static let removed: [UInt8] = [1, 0]

  /// Whether the payload of a member says that it was removed; a sealed one says so before what is sealed.
  package static func isRemoval(_ payload: [UInt8]) -> Bool { payload.starts(with: removed) }

  /// The bytes of the value: a kind, then the content.
  ///
  /// Equal values have equal bytes.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The value of a payload; `nil` if this version does not know the bytes.
  package init?(payload: [UInt8]) {
    var reader = ByteReader(payload)
    guard let value = try? CellValue(from: &reader, depth: 0), reader.isAtEnd else { return nil }
    self = value
  }

  /// The target of a payload, read without the rest.
  package static func reference(in payload: [UInt8]) -> SyncID? {
    payload.first == Kind.reference.rawValue ? CellValue(payload: payload)?.reference : nil
  }

  /// Whether people see the same in two payloads: they are equal, or lead to the same object and differ in its place
  /// there, which nobody would miss.
  package static func showTheSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    if one == other { return true }
    guard let end = reference(in: one) else { return false }
    return end == reference(in: other)
  }

  /// The first byte, which once given never means anything else.
  fileprivate enum Kind: UInt8 {
    case null = 0
    case boolean = 1
    case integer = 2
    case real = 3
    case decimal = 4
    case text = 5
    case bytes = 6
    case date = 7
    case uuid = 8
    case address = 9
    case parts = 10
    case reference = 11
    case place = 12
    case entity = 13
  }

  /// The first bytes of payloads that are not values: those apart from the message, sealed ones, and those that a
  /// device keeps compressed.
  package enum Envelope {
    package static let asset: UInt8 = 14
    package static let seal: UInt8 = 15
    package static let kept: UInt8 = 16
  }

  private func write(to writer: inout ByteWriter) {
    switch self {
    case .null: writer.write(Kind.null.rawValue)
    case .boolean(let value):
      writer.write(Kind.boolean.rawValue)
      writer.write(UInt8(value ? 1 : 0))
    case .integer(let value): writer.write(.integer, raw: value)
    case .real(let value): writer.write(.real, raw: value.bitPattern)
    case .date(let value): writer.write(.date, raw: value.bitPattern)
    case .decimal(let text): writer.write(.decimal, text.utf8)
    case .text(let text): writer.write(.text, text.utf8)
    case .address(let text): writer.write(.address, text.utf8)
    case .place(let text): writer.write(.place, text.utf8)
    case .entity(let text): writer.write(.entity, text.utf8)
    case .bytes(let bytes): writer.write(.bytes, bytes)
    case .uuid(let id):
      writer.write(Kind.uuid.rawValue)
      writer.write(id)
    case .reference(let id, let place):
      writer.write(Kind.reference.rawValue)
      writer.write(id)
      writer.write(raw: place.utf8)
    case .parts(let parts):
      writer.write(Kind.parts.rawValue)
      writer.write(count: parts.count)
      for part in parts {
        writer.write(part.property.number)
        writer.write(counted: part.value.payload)
      }
    }
  }

  private init(from reader: inout ByteReader, depth: Int) throws(WireError) {
    guard let kind = Kind(rawValue: try reader.number()) else {
      throw reader.failure("The message has a kind of value that this version does not know.")
    }
    switch kind {
    case .null: self = .null
    case .boolean: self = .boolean(try reader.number(UInt8.self) != 0)
    case .integer: self = .integer(try reader.number())
    case .real: self = .real(Double(bitPattern: try reader.number()))
    case .date: self = .date(Double(bitPattern: try reader.number()))
    case .decimal: self = .decimal(try reader.rest())
    case .text: self = .text(try reader.rest())
    case .address: self = .address(try reader.rest())
    case .place: self = .place(try reader.rest())
    case .entity: self = .entity(try reader.rest())
    case .bytes: self = .bytes(try reader.raw(reader.remaining))
    case .uuid: self = .uuid(try reader.part())
    case .reference: self = .reference(try reader.part(), place: try reader.rest())
    case .parts: self = .parts(try Self.parts(from: &reader, depth: depth))
    }
  }

  private static func parts(
    from reader: inout ByteReader,
    depth: Int
  ) throws(WireError) -> [Part] {
    guard depth < 8 else { throw reader.failure("The message has parts within parts without end.") }
    var parts: [Part] = []
    for _ in 0..<(try reader.count(upTo: 1000)) {
      let property = PropertyID(number: try reader.number())
      var inner = ByteReader(try reader.counted(upTo: reader.remaining))
      let value = try CellValue(from: &inner, depth: depth + 1)
      try inner.end()
      parts.append(Part(property, value))
    }
    return parts
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ kind: CellValue.Kind, raw value: some FixedWidthInteger) {
    write(kind.rawValue)
    write(value)
  }

  fileprivate mutating func write(_ kind: CellValue.Kind, _ content: some Collection<UInt8>) {
    write(kind.rawValue)
    write(raw: content)
  }
}

extension ByteReader {
  /// All that is left, as text.
  fileprivate mutating func rest() throws(WireError) -> String {
    guard let text = String(validating: try raw(remaining), as: UTF8.self) else {
      throw failure("The message has a text that is not UTF-8.")
    }
    return text
  }
}
