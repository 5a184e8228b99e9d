// A message is the number of the protocol, the kind of the message, and its parts one after the other.

// MARK: - Requests

extension SyncRequest: WirePart {
  /// The number of the protocol, which is the same on both sides.
  package static let version: UInt8 = 1

  package func write(to writer: inout ByteWriter) {
    writer.write(Self.version)
    switch self {
    case .push(let push):
      writer.write(push.kind)
      writer.write(push)
      if let clock = push.clock { writer.write(clock) }
      if let taken = push.latestTaken { writer.write(taken) }
    case .pull(let pull):
      writer.write(UInt8(2))
      writer.write(pull)
    }
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    try reader.beginMessage()
    switch try reader.number(UInt8.self) {
    case 1: self = .push(try reader.part())
    case 2: self = .pull(try reader.part())
    case let kind where 3...5 ~= kind:
      var push: Push = try reader.part()
      if kind > 3 { push.clock = try reader.time() }
      if kind != 4 { push.latestTaken = try reader.time() }
      self = .push(push)
    case let kind:
      // Later versions of a protocol add kinds.
      throw reader.failure(
        "The message is a request of kind \(kind), of which there is none.",
        sender: .newer
      )
    }
  }
}

extension SyncRequest.Push: WirePart {
  /// Says which times follow the cells.
  fileprivate var kind: UInt8 {
    switch (clock != nil, latestTaken != nil) {
    case (false, false): 1
    case (false, true): 3
    case (true, false): 4
    case (true, true): 5
    }
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(replica)
    writer.write(cursor)
    writer.write(seen)
    writer.write(cells)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    self.init(
      replica: try reader.part(),
      cursor: try reader.part(),
      seen: try reader.part(),
      cells: try reader.cells()
    )
    guard cells.allSatisfy({ $0.lostValue == nil }) else {
      throw reader.failure("The message has a value that has lost, of which only servers tell.")
    }
  }
}

extension SyncRequest.Pull: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(replica)
    writer.write(after)
    writer.write(seen)
    writer.write(acknowledged)
    writer.write(isSnapshot)
    writer.write(count: limit)
    writer.write(count: writers.count)
    for number in writers { writer.write(number) }
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    self.init(
      replica: try reader.part(),
      after: try reader.part(),
      seen: try reader.part(),
      acknowledged: try reader.part(),
      isSnapshot: try reader.flag(),
      limit: try reader.count(upTo: WireLimits.cells)
    )
    for _ in 0..<(try reader.count(upTo: WireLimits.writers)) {
      writers.append(try reader.number())
    }
  }
}

// MARK: - Responses

extension SyncResponse: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(SyncRequest.version)
    switch self {
    case .pushed(let pushed):
      writer.write(UInt8(1))
      writer.write(pushed.head)
      writer.write(pushed.time)
    case .page(let page):
      writer.write(UInt8(2))
      writer.write(page)
    case .refused(.resync): writer.write(UInt8(3))
    case .refused(.rewound): writer.write(UInt8(4))
    case .refused(.clockAhead(let time)):
      writer.write(UInt8(5))
      writer.write(time)
    }
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    try reader.beginMessage()
    switch try reader.number(UInt8.self) {
    case 1: self = .pushed(Pushed(head: try reader.part(), time: try reader.time()))
    case 2: self = .page(try reader.part())
    case 3: self = .refused(.resync)
    case 4: self = .refused(.rewound)
    case 5: self = .refused(.clockAhead(try reader.time()))
    case let kind:
      throw reader.failure(
        "The message is an answer of kind \(kind), of which there is none.",
        sender: .newer
      )
    }
  }
}

extension SyncResponse.Page: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(cells)
    writer.write(next)
    writer.write(isLast)
    writer.write(time)
    writer.write(watermarks.values.sorted { $0.writer < $1.writer })
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    self.init(
      cells: try reader.cells(),
      next: try reader.part(),
      isLast: try reader.flag(),
      time: try reader.time()
    )
    guard cells.allSatisfy({ $0.cell.stamp.moment <= HybridClock.latestMoment }) else {
      throw reader.failure("The message has a change that is so late that none can replace it.")
    }
    let stamps: [Stamp] = try reader.parts(upTo: WireLimits.writers, ofAtLeast: 16)
    for stamp in stamps { watermarks[stamp.writer] = stamp }
  }
}

// MARK: - Pieces

extension Cursor: WirePart {
  package func write(to writer: inout ByteWriter) {
    writer.write(position)
    writer.write(era)
  }

  package init(from reader: inout ByteReader) throws(WireError) {
    self.init(position: try reader.number(), era: try reader.number())
  }
}

extension ByteReader {
  fileprivate mutating func beginMessage() throws(WireError) {
    guard remaining <= WireLimits.message else {
      throw failure("The message is larger than \(WireLimits.message) bytes.")
    }
    let given: UInt8 = try number()
    guard given == SyncRequest.version else {
      throw WireError(
        sentence:
          "The message is of protocol \(given), and this program speaks \(SyncRequest.version).",
        offset: 0,
        sender: given < SyncRequest.version ? .older : .newer
      )
    }
  }

  /// A time in milliseconds, with which clocks can reckon.
  fileprivate mutating func time() throws(WireError) -> UInt64 {
    let time: UInt64 = try number()
    guard time <= HybridClock.latest else {
      throw failure("The message has a time of \(time) milliseconds, which no clock tells.")
    }
    return time
  }

  fileprivate mutating func cells() throws(WireError) -> [KeyedCell] {
    // Of the smallest cell the key has 17 bytes, epoch, stamp and base have 26, and the length one.
    try parts(upTo: WireLimits.cells, ofAtLeast: 44)
  }
}
