// MARK: - Bytes

/// In the order of their bytes, the keys of one object are together, its life first.
extension CellKey: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(object)
    field.write(to: &writer)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    object = try reader.part()
    field = try Field(from: &reader)
  }
}

extension CellKey.Field: WirePart {
  package func write(to writer: inout ByteWriter) {
    switch self {
    case .life:
      writer.write(UInt8(0))
    case .value(let property):
      writer.write(UInt8(1))
      writer.write(property.number)
    case .member(let property, let target, let dot):
      writer.write(UInt8(2))
      writer.write(property.number)
      writer.write(target)
      writer.write(dot)
    case .place(let property, let target):
      writer.write(UInt8(3))
      writer.write(property.number)
      writer.write(target)
    case .lost(let property, let stamp):
      writer.write(UInt8(4))
      writer.write(property.number)
      writer.write(stamp)
    }
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    switch try reader.number(UInt8.self) {
    case 0: self = .life
    case 1: self = .value(PropertyID(number: try reader.number()))
    case 2:
      let property = PropertyID(number: try reader.number())
      self = .member(property, try reader.part(), dot: try reader.part())
    case 3: self = .place(PropertyID(number: try reader.number()), try reader.part())
    case 4: self = .lost(PropertyID(number: try reader.number()), try reader.part())
    case let kind:
      throw reader.failure("The message has a cell of kind \(kind), of which there is none.")
    }
  }
}

// MARK: - Rows

extension SyncID {
  /// Reads the sixteen bytes of an identity.
  package init(row bytes: UnsafeRawBufferPointer) throws(WireError) {
    guard bytes.count == 16 else {
      throw WireError(sentence: "An identity has 16 bytes, not \(bytes.count).", offset: 0)
    }
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
  }

  /// Lends the bytes that `bytes` has, without an array for them.
  package func lendBytes(_ use: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian), use)
  }
}

extension CellKey.Field {
  /// Reads the bytes of a field; most fields are those of lives and values, for which no array is made.
  package init(row bytes: UnsafeRawBufferPointer) throws(WireError) {
    switch (bytes.first, bytes.count) {
    case (0, 1): self = .life
    case (1, 9):
      let number = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
      self = .value(PropertyID(number: number))
    default: self = try Self(bytes: Array(bytes))
    }
  }

  /// Lends the bytes that `bytes` has.
  package func lendBytes(_ use: (UnsafeRawBufferPointer) -> Void) {
    switch self {
    case .life: withUnsafeBytes(of: UInt8(0), use)
    case .value(let property):
      withUnsafeTemporaryAllocation(byteCount: 9, alignment: 8) { buffer in
        buffer[0] = 1
        buffer.storeBytes(of: property.number.bigEndian, toByteOffset: 1, as: UInt64.self)
        use(UnsafeRawBufferPointer(buffer))
      }
    case .member, .place, .lost: bytes.withUnsafeBytes(use)
    }
  }
}

extension Cell {
  /// Lends the bytes that ``order`` has.
  package func lendOrder(_ use: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 18, alignment: 8) { buffer in
      buffer.storeBytes(of: epoch.bigEndian, as: UInt16.self)
      buffer.storeBytes(of: stamp.moment.bigEndian, toByteOffset: 2, as: UInt64.self)
      buffer.storeBytes(of: stamp.writer.bigEndian, toByteOffset: 10, as: UInt64.self)
      use(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Reads epoch and stamp from the bytes of ``order``.
  package init(
    order bytes: UnsafeRawBufferPointer,
    base: UInt64,
    payload: [UInt8]
  ) throws(WireError) {
    guard bytes.count == 18 else {
      throw WireError(sentence: "The rank of a cell has 18 bytes, not \(bytes.count).", offset: 0)
    }
    self.init(
      epoch: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt16.self)),
      stamp: Stamp(
        moment: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self)),
        writer: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 10, as: UInt64.self))
      ),
      base: base,
      payload: payload
    )
  }
}

// MARK: - Cells

extension Cell: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(epoch)
    writer.write(stamp)
    writer.write(base)
    writer.write(counted: payload)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    epoch = try reader.number()
    stamp = try reader.part()
    base = try reader.moment()
    payload = try reader.counted(upTo: WireLimits.payload)
  }

  /// Epoch and stamp as bytes whose order is that of the cells.
  package var order: [UInt8] {
    var writer = ByteWriter()
    writer.write(epoch)
    writer.write(stamp)
    return writer.bytes
  }
}

extension KeyedCell: WirePart {
  package func write(to writer: inout ByteWriter) {
    key.write(to: &writer)
    cell.write(to: &writer)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    key = try CellKey(from: &reader)
    cell = try Cell(from: &reader)
  }

  /// How many bytes it takes, at most.
  package var size: Int { Self.sizeWithoutPayload + cell.payload.count }

  /// How many bytes a cell takes besides its payload, at most.
  package static let sizeWithoutPayload = 110
}

extension SyncID: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(high)
    writer.write(low)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    self.init(high: try reader.number(), low: try reader.number())
  }
}

extension Stamp: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(moment)
    writer.write(self.writer)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    self.init(moment: try reader.moment(), writer: try reader.number())
  }
}

extension ByteReader {
  /// A moment that a database can compare with others.
  fileprivate mutating func moment() throws(WireError) -> UInt64 {
    let moment: UInt64 = try number()
    guard moment <= Stamp.latestMoment else {
      throw failure("The message has a moment of \(moment >> 16) ms, which no clock gives.")
    }
    return moment
  }
}
