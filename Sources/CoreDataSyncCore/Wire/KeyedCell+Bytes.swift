// MARK: - Bytes

extension CellKey {
  /// The bytes of the key, by which keys of one object stand together, its life first.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  package init(bytes: [UInt8]) throws(WireError) {
    var reader = ByteReader(bytes)
    try self.init(from: &reader)
    try reader.end()
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(object)
    field.write(to: &writer)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    object = try reader.id()
    field = try Field(from: &reader)
  }
}

extension CellKey.Field {
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    write(to: &writer)
    return writer.bytes
  }

  package init(bytes: [UInt8]) throws(WireError) {
    var reader = ByteReader(bytes)
    try self.init(from: &reader)
    try reader.end()
  }

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
    }
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    switch try reader.number(UInt8.self) {
    case 0: self = .life
    case 1: self = .value(PropertyID(number: try reader.number()))
    case 2:
      let property = PropertyID(number: try reader.number())
      self = .member(property, try reader.id(), dot: try reader.stamp())
    case 3: self = .place(PropertyID(number: try reader.number()), try reader.id())
    case let kind:
      throw reader.failure("The message has a cell of kind \(kind), of which there is none.")
    }
  }
}

extension Cell {
  package func write(to writer: inout ByteWriter) {
    writer.write(epoch)
    writer.write(stamp)
    writer.write(base)
    writer.write(counted: payload)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    epoch = try reader.number()
    stamp = try reader.stamp()
    base = try reader.number()
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

extension KeyedCell {
  package func write(to writer: inout ByteWriter) {
    key.write(to: &writer)
    cell.write(to: &writer)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    key = try CellKey(from: &reader)
    cell = try Cell(from: &reader)
  }

  /// How many bytes it takes, at most.
  package var size: Int { 110 + cell.payload.count }
}

extension SyncID {
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(self)
    return writer.bytes
  }

  package init(bytes: [UInt8]) throws(WireError) {
    var reader = ByteReader(bytes)
    self = try reader.id()
    try reader.end()
  }
}
