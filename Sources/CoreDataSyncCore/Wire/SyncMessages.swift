/// How far a device has read, as the server counts.
package struct Cursor: Hashable, Sendable {
  /// The number of the last change that was read; zero before the first.
  package var position: UInt64
  /// The random number of the server's run that wrote that change.
  ///
  /// A server that was restored from a backup has not had that run, or had it end earlier.
  package var era: UInt64

  package init(position: UInt64, era: UInt64) {
    self.position = position
    self.era = era
  }

  package static let start = Cursor(position: 0, era: 0)
}

/// A request of a device to the server.
package enum SyncRequest: Hashable, Sendable {
  case push(Push)
  case pull(Pull)

  package struct Push: Hashable, Sendable {
    package var replica: SyncID
    /// How far the device had read.
    package var cursor: Cursor
    /// The latest that the device knows the server to have had.
    package var seen: Cursor
    /// The milliseconds of the latest stamp that the server had taken before it was restored from a backup; `nil` if
    /// the device does not know of such a backup.
    package var latestTaken: UInt64?
    /// The time in milliseconds by the clock that has given the stamps; `nil` if the device does not send it, as
    /// earlier versions do not.
    package var clock: UInt64?
    /// In the order of their stamps.
    package var cells: [KeyedCell]

    package init(
      replica: SyncID,
      cursor: Cursor,
      seen: Cursor,
      latestTaken: UInt64? = nil,
      clock: UInt64? = nil,
      cells: [KeyedCell]
    ) {
      self.replica = replica
      self.cursor = cursor
      self.seen = seen
      self.latestTaken = latestTaken
      self.clock = clock
      self.cells = cells
    }
  }

  package struct Pull: Hashable, Sendable {
    package var replica: SyncID
    package var after: Cursor
    /// The latest that the device knows the server to have had.
    package var seen: Cursor
    /// Everything that the device wrote before it saw this has been pushed.
    package var acknowledged: Cursor
    /// Whether all is read from the beginning, to replace what the device knows.
    package var isSnapshot: Bool
    package var limit: Int
    /// The writers of cells that were not confirmed, in a snapshot.
    package var writers: [UInt64]

    package init(
      replica: SyncID,
      after: Cursor,
      seen: Cursor,
      acknowledged: Cursor,
      isSnapshot: Bool,
      limit: Int,
      writers: [UInt64] = []
    ) {
      self.replica = replica
      self.after = after
      self.seen = seen
      self.acknowledged = acknowledged
      self.isSnapshot = isSnapshot
      self.limit = limit
      self.writers = writers
    }
  }
}

/// An answer of the server.
package enum SyncResponse: Hashable, Sendable {
  case pushed(Pushed)
  case page(Page)
  case refused(Refusal)

  package struct Pushed: Hashable, Sendable {
    /// The position of the last change that the server has.
    package var head: Cursor
    /// Milliseconds since 1970 by the server's clock.
    package var time: UInt64

    package init(head: Cursor, time: UInt64) {
      self.head = head
      self.time = time
    }
  }

  package struct Page: Hashable, Sendable {
    package var cells: [KeyedCell]
    package var next: Cursor
    /// Whether nothing more was there when the page was made.
    package var isLast: Bool
    package var time: UInt64
    /// The latest stamp that came from each of the writers that were asked for, on the last page.
    package var watermarks: [UInt64: Stamp]

    package init(
      cells: [KeyedCell],
      next: Cursor,
      isLast: Bool,
      time: UInt64,
      watermarks: [UInt64: Stamp] = [:]
    ) {
      self.cells = cells
      self.next = next
      self.isLast = isLast
      self.time = time
      self.watermarks = watermarks
    }
  }

  /// Why the server did not do what it was asked to.
  package enum Refusal: Hashable, Sendable {
    /// The device was away for so long that the server has forgotten deletions since.
    case resync
    /// The server lacks cells that the device has read: it is a backup's.
    case rewound
    /// Cells are stamped later than the server's clock allows; this is its time.
    case clockAhead(UInt64)
  }
}
