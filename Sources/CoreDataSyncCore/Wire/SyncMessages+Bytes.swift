// MARK: - Requests

extension SyncRequest {
  package static let version: UInt8 = 1

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.version)
    switch self {
    case .push(let push):
      writer.write(UInt8(1))
      writer.write(push.replica)
      writer.write(push.cursor)
      writer.write(push.seen)
      writer.write(push.cells)
    case .pull(let pull):
      writer.write(UInt8(2))
      writer.write(pull.replica)
      writer.write(pull.after)
      writer.write(pull.seen)
      writer.write(pull.acknowledged)
      writer.write(UInt8(pull.isSnapshot ? 1 : 0))
      writer.write(count: pull.limit)
      writer.write(count: pull.writers.count)
      for number in pull.writers { writer.write(number) }
    }
    return writer.bytes
  }

  package init(bytes: [UInt8]) throws(WireError) {
    var reader = try ByteReader(message: bytes, version: Self.version)
    switch try reader.number(UInt8.self) {
    case 1:
      let push = Push(
        replica: try reader.id(),
        cursor: try reader.cursor(),
        seen: try reader.cursor(),
        cells: try reader.cells()
      )
      self = .push(push)
    case 2: self = .pull(try Pull(from: &reader))
    case let kind:
      throw reader.failure("The message is a request of kind \(kind), of which there is none.")
    }
    try reader.end()
  }
}

extension SyncRequest.Pull {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    self.init(
      replica: try reader.id(),
      after: try reader.cursor(),
      seen: try reader.cursor(),
      acknowledged: try reader.cursor(),
      isSnapshot: try reader.number(UInt8.self) != 0,
      limit: try reader.count(upTo: WireLimits.cells)
    )
    for _ in 0..<(try reader.count(upTo: WireLimits.writers)) {
      writers.append(try reader.number())
    }
  }
}

// MARK: - Responses

extension SyncResponse {
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(SyncRequest.version)
    switch self {
    case .pushed(let pushed):
      writer.write(UInt8(1))
      writer.write(pushed.head)
      writer.write(pushed.time)
    case .page(let page):
      writer.write(UInt8(2))
      writer.write(page.cells)
      writer.write(page.next)
      writer.write(UInt8(page.isLast ? 1 : 0))
      writer.write(page.time)
      writer.write(count: page.watermarks.count)
      for (_, stamp) in page.watermarks.sorted(by: { $0.key < $1.key }) { writer.write(stamp) }
    case .refused(.resync): writer.write(UInt8(3))
    case .refused(.rewound): writer.write(UInt8(4))
    case .refused(.clockAhead(let time)):
      writer.write(UInt8(5))
      writer.write(time)
    }
    return writer.bytes
  }

  package init(bytes: [UInt8]) throws(WireError) {
    var reader = try ByteReader(message: bytes, version: SyncRequest.version)
    switch try reader.number(UInt8.self) {
    case 1: self = .pushed(Pushed(head: try reader.cursor(), time: try reader.number()))
    case 2: self = .page(try Page(from: &reader))
    case 3: self = .refused(.resync)
    case 4: self = .refused(.rewound)
    case 5: self = .refused(.clockAhead(try reader.number()))
    case let kind:
      throw reader.failure("The message is an answer of kind \(kind), of which there is none.")
    }
    try reader.end()
  }
}

extension SyncResponse.Page {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    self.init(
      cells: try reader.cells(),
      next: try reader.cursor(),
      isLast: try reader.number(UInt8.self) != 0,
      time: try reader.number()
    )
    for _ in 0..<(try reader.count(upTo: WireLimits.writers)) {
      let stamp = try reader.stamp()
      watermarks[stamp.writer] = stamp
    }
  }
}

// MARK: - Pieces

extension ByteWriter {
  fileprivate mutating func write(_ cursor: Cursor) {
    write(cursor.position)
    write(cursor.era)
  }

  fileprivate mutating func write(_ cells: [KeyedCell]) {
    write(count: cells.count)
    for cell in cells { cell.write(to: &self) }
  }
}

extension ByteReader {
  fileprivate init(message: [UInt8], version: UInt8) throws(WireError) {
    self.init(message)
    guard message.count <= WireLimits.message else {
      throw failure("The message is larger than \(WireLimits.message) bytes.")
    }
    let given: UInt8 = try number()
    guard given == version else {
      throw failure("The message is of protocol \(given), and this program speaks \(version).")
    }
  }

  fileprivate mutating func cursor() throws(WireError) -> Cursor {
    Cursor(position: try number(), era: try number())
  }

  fileprivate mutating func cells() throws(WireError) -> [KeyedCell] {
    let count = try count(upTo: WireLimits.cells)
    // A cell has at least 43 bytes, so a count cannot make room for what is not there.
    guard count <= remaining / 43 + 1 else { throw failure("The message ends within its cells.") }
    var cells: [KeyedCell] = []
    cells.reserveCapacity(count)
    for _ in 0..<count { cells.append(try KeyedCell(from: &self)) }
    return cells
  }
}
