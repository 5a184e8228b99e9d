// MARK: - Bytes

/// By their bytes the keys of one object stand together, its life first.
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
    case let kind:
      throw reader.failure("The message has a cell of kind \(kind), of which there is none.")
    }
  }
}

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
  package var size: Int { 110 + cell.payload.count }
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
    self.init(moment: try reader.number(), writer: try reader.number())
  }
}
