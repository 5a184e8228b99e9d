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
/// Safety: every connection is lent to one thread at a time; the lists are behind a mutex and the
/// writer behind a lock of its own.
package final class Pool: @unchecked Sendable {
  private let open: @Sendable (_ isReader: Bool) throws(SQLiteError) -> Connection
  private let isStale: @Sendable (Connection) -> Bool
  /// Nil once the pool is closed; changed by whoever holds the lock.
  private var writer: Connection?
  private let writing = NSRecursiveLock()
  private let state = Mutex(State())
  private let readerAvailable: DispatchSemaphore
  private let sharesWriter: Bool
  /// The database's file.
  package let path: String

  /// Sees every statement of every connection before it runs, and may refuse it.
  package typealias Observer = @Sendable (_ sql: String) throws(SQLiteError) -> Void

  private struct State {
    var idleReaders: [Connection] = []
    var observer: Observer?
    var isClosed = false
  }

  /// Opens the writer at once, so that a database that cannot be opened is found here.
  ///
  /// With `readerLimit` 0 the writer reads too, which a database in memory needs. A reader that
  /// `isStale` says has no use any more is replaced before it is lent.
  package init(
    readerLimit: Int,
    open: @escaping @Sendable (_ isReader: Bool) throws(SQLiteError) -> Connection,
    isStale: @escaping @Sendable (Connection) -> Bool = { _ in false }
  ) throws(SQLiteError) {
    self.open = open
    self.isStale = isStale
    let writer = try open(false)
    self.writer = writer
    path = writer.path
    sharesWriter = readerLimit == 0
    readerAvailable = DispatchSemaphore(value: readerLimit)
  }

  /// Takes the one connection that reads and writes.
  package init(_ connection: Connection) {
    open = { _ throws(SQLiteError) in throw Self.closed }
    isStale = { _ in false }
    writer = connection
    path = connection.path
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
    guard let writer else {
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
      state.withLock { state in
        if !state.isClosed { state.idleReaders.append(Lent(reader).connection) }
      }
    }
    return try body(reader)
  }

  private func takeReader() throws(SQLiteError) -> Connection {
    let (isClosed, idle) = state.withLock { state in
      (state.isClosed, state.idleReaders.popLast().map(Lent.init))
    }
    if isClosed { throw Self.closed }
    if let reader = idle?.connection, !isStale(reader) {
      reader.observer = observer
      return reader
    }
    let reader = try open(true)
    reader.observer = observer
    return reader
  }

  /// Closes the readers that nobody has at the moment: new ones see statistics that were made meanwhile.
  package func forgetIdleReaders() {
    state.withLock { $0.idleReaders.removeAll() }
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
  /// A file must not be moved, replaced or removed before: SQLite would go on with what it has open, and
  /// tidy up under the old name.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      state.idleReaders.removeAll()
    }
    writing.lock()
    writer = nil
    writing.unlock()
  }

  package static let closed = SQLiteError(code: 21, message: "the database has been closed")
}

// MARK: - Observing

extension Pool {
  /// Has every statement pass by `observer` from now on: logs, counts, injected failures.
  ///
  /// A connection that is lent out already hears of it when it is lent the next time.
  package func observe(_ observer: Observer?) {
    state.withLock { $0.observer = observer }
  }

  private var observer: Observer? { state.withLock { $0.observer } }
}

/// Carries a connection over the mutex's border.
///
/// Safety: made only while the connection is in nobody's hands.
private struct Lent: @unchecked Sendable {
  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }
}
