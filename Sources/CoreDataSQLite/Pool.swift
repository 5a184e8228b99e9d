import Foundation
import Synchronization

/// The open connections to one database: one that writes, a few that read.
///
/// ```
/// pool.read  { connection in … }   any number at once, up to the limit; each sees a committed state
/// pool.write { connection in … }   one at a time
/// ```
///
/// With a write-ahead log readers never wait for the writer. A database in memory has a single
/// connection, which reads and writes in turn.
///
/// Every connection is lent to one thread at a time.
package final class Pool: Sendable {
  private let open: @Sendable (_ isReader: Bool) throws(SQLiteError) -> Connection
  private let isStale: @Sendable (Connection) -> Bool
  /// Held by the thread that has the writer.
  private let writing = NSRecursiveLock()
  private let connections: Mutex<Connections>
  private let readerAvailable: DispatchSemaphore
  private let sharesWriter: Bool
  /// The database's file.
  package let path: String

  /// Sees every statement of every connection before it runs, and may refuse it.
  package typealias Observer = @Sendable (_ sql: String) throws(SQLiteError) -> Void

  private struct Connections: Sendable {
    /// Nil once nobody will have it any more.
    var writer: Lent<Connection>?
    var idleReaders: [Lent<Connection>] = []
    var observer: Observer?
    var isClosed = false
  }

  /// Opens the writer at once, so that a database that cannot be opened is found here.
  ///
  /// With `readerLimit` 0 the writer reads too, which a database in memory needs. A reader for which `isStale` returns
  /// `true` is replaced before it is lent.
  package init(
    readerLimit: Int,
    open: @escaping @Sendable (_ isReader: Bool) throws(SQLiteError) -> Connection,
    isStale: @escaping @Sendable (Connection) -> Bool = { _ in false }
  ) throws(SQLiteError) {
    self.open = open
    self.isStale = isStale
    let writer = try open(false)
    path = writer.path
    connections = Mutex(Connections(writer: Lent(writer)))
    sharesWriter = readerLimit == 0
    readerAvailable = DispatchSemaphore(value: readerLimit)
  }

  /// Takes the one connection that reads and writes.
  package init(_ connection: Connection) {
    open = { _ throws(SQLiteError) in throw Self.closed }
    isStale = { _ in false }
    path = connection.path
    connections = Mutex(Connections(writer: Lent(connection)))
    sharesWriter = true
    readerAvailable = DispatchSemaphore(value: 0)
  }
}

// MARK: - Lending

extension Pool {
  /// Lends the writer; other writers wait, and may call themselves again.
  package func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let writer = try takeWriter()
    defer { returnWriter() }
    return try body(writer)
  }

  /// Lends the writer unless another thread has it.
  package func writeIfIdle<Result>(_ body: (Connection) throws -> Result) throws -> Result? {
    guard writing.try() else { return nil }
    defer { writing.unlock() }
    return try write(body)
  }

  /// Lends the writer until it is returned, on the same thread.
  package func takeWriter() throws(SQLiteError) -> Connection {
    let meter = Metering.meter
    if let meter { lockWriting(telling: meter) } else { writing.lock() }
    let (lent, observer) = connections.withLock { ($0.writer, $0.observer) }
    guard let writer = lent?.value else {
      writing.unlock()
      throw Self.closed
    }
    writer.observer = observer
    writer.follow(meter)
    return writer
  }

  package func returnWriter() {
    writing.unlock()
  }

  /// Lends a connection that only reads.
  package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    if sharesWriter { return try write(body) }
    let meter = Metering.meter
    if let meter { waitForReader(telling: meter) } else { readerAvailable.wait() }
    defer { readerAvailable.signal() }
    let reader = try takeReader()
    reader.follow(meter)
    defer {
      let lent = Lent(reader)
      connections.withLock { if !$0.isClosed { $0.idleReaders.append(lent) } }
    }
    return try body(reader)
  }

  private func takeReader() throws(SQLiteError) -> Connection {
    let (isClosed, idle, observer) = connections.withLock { connections in
      (connections.isClosed, connections.idleReaders.popLast(), connections.observer)
    }
    if isClosed { throw Self.closed }
    if let reader = idle?.value, !isStale(reader) {
      reader.observer = observer
      return reader
    }
    let reader = try open(true)
    reader.observer = observer
    return reader
  }

  /// Closes the readers that are idle: new ones see statistics that were made since.
  package func forgetIdleReaders() {
    connections.withLock { $0.idleReaders.removeAll() }
  }

  private func lockWriting(telling meter: any ConnectionMeter) {
    if writing.try() { return }
    let begin = ContinuousClock.now
    writing.lock()
    meter.waited(begin.duration(to: .now), toWrite: true, in: path)
  }

  private func waitForReader(telling meter: any ConnectionMeter) {
    if readerAvailable.wait(timeout: .now()) == .success { return }
    let begin = ContinuousClock.now
    readerAvailable.wait()
    meter.waited(begin.duration(to: .now), toWrite: false, in: path)
  }

  /// Closes the connections: waits for the writer, and readers close when they are returned.
  ///
  /// A file must not be moved, replaced or removed before: SQLite would go on with the open file, and tidy up under the
  /// old name.
  package func close() {
    connections.withLock { connections in
      connections.isClosed = true
      connections.idleReaders.removeAll()
    }
    writing.lock()
    let writer = connections.withLock { $0.writer.take() }
    writing.unlock()
    withExtendedLifetime(writer) {}
  }

  package static let closed = SQLiteError(code: 21, message: "the database has been closed")
}

// MARK: - Observing

extension Pool {
  /// Has every statement pass by `observer` from now on: logs, counts, injected failures.
  ///
  /// A connection that is lent out already hears of it when it is lent the next time.
  package func observe(_ observer: Observer?) {
    connections.withLock { $0.observer = observer }
  }
}
