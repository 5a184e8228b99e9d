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
  private let writer: Connection
  private let writing = NSRecursiveLock()
  private let readers: Mutex<Readers>
  private let readerAvailable: DispatchSemaphore

  private struct Readers {
    var idle: [Connection] = []
  }

  /// Opens the writer at once, so that a database that cannot be opened is found here.
  ///
  /// With `readerLimit` 0 the writer reads too, which a database in memory needs.
  package init(
    readerLimit: Int,
    open: @escaping @Sendable (_ isReader: Bool) throws(SQLiteError) -> Connection
  ) throws(SQLiteError) {
    self.open = open
    writer = try open(false)
    readers = Mutex(Readers())
    sharesWriter = readerLimit == 0
    readerAvailable = DispatchSemaphore(value: readerLimit)
  }

  private let sharesWriter: Bool
}

// MARK: - Lending

extension Pool {
  /// Lends the writer; other writers wait, and may call themselves again.
  package func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    writing.lock()
    defer { writing.unlock() }
    return try body(writer)
  }

  /// Lends the writer until it is returned, on the same thread.
  package func takeWriter() -> Connection {
    writing.lock()
    return writer
  }

  package func returnWriter() {
    writing.unlock()
  }

  /// Lends a connection that only reads.
  package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    if sharesWriter { return try write(body) }
    readerAvailable.wait()
    defer { readerAvailable.signal() }
    let reader = try takeReader()
    defer { readers.withLock { $0.idle.append(Lent(reader).connection) } }
    return try body(reader)
  }

  private func takeReader() throws(SQLiteError) -> Connection {
    if let idle = readers.withLock({ $0.idle.popLast().map(Lent.init) }) { return idle.connection }
    return try open(true)
  }

  /// Closes the readers that nobody uses.
  package func closeIdleReaders() {
    readers.withLock { $0.idle.removeAll() }
  }
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
