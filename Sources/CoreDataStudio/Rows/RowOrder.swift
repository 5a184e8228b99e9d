import Foundation
import Synchronization

/// The keys of all rows that a table shows, in its order, in a file without a name.
///
/// ```
/// the statement, on a thread of its own ─▶ 8 bytes for each row ─▶ any part of it, at once
/// ```
///
/// A million rows take 8 MB on the disk and nothing in memory. The first rows can be read as soon as the statement has
/// found them, and any other place a moment later, whatever the condition and the order are.
final class RowOrder: Sendable {
  /// No table is longer than this; the pages say so.
  static let limit = 20_000_000

  private struct State {
    var count = 0
    var isComplete = false
    var isCut = false
    var isAbandoned = false
    var failure: (any Error)?
  }

  /// A part of the order.
  struct Part {
    let keys: [Int64]
    /// The rows that are known so far.
    let total: Int
    let isComplete: Bool
    /// Whether there are more rows than an order has.
    let isCut: Bool
  }

  /// Statements that run at once; others wait, so that pages always find a connection.
  private static let turns = DispatchSemaphore(value: 2)

  private let descriptor: Int32
  private let state = Mutex(State())
  private let progress = NSCondition()

  /// - Throws: An error of POSIX if a temporary file cannot be made.
  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "coredata-studio-XXXXXX")
    var path = Array(folder.path.utf8CString)
    descriptor = mkstemp(&path)
    if descriptor < 0 { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Nobody looks at it any more: the statement ends with its next row.
  func abandon() { state.withLock { $0.isAbandoned = true } }
}

// MARK: - Writing

extension RowOrder {
  /// Collects keys on a thread of its own.
  ///
  /// - Parameter source: Hands over each key; called on that thread.
  func fill(from source: @escaping @Sendable ((Int64) throws -> Void) throws -> Void) {
    Thread.detachNewThread { [self] in
      Self.turns.wait()
      defer { Self.turns.signal() }
      var waiting: [Int64] = []
      // Somebody waits for the first screen.
      var portion = 64
      do {
        if state.withLock({ $0.isAbandoned }) { throw CancellationError() }
        try source { key in
          waiting.append(key)
          if waiting.count < portion { return }
          try write(&waiting)
          portion = min(portion * 2, 65_536)
        }
        try write(&waiting)
        end(nil)
      } catch is Full {
        state.withLock { $0.isCut = true }
        end(nil)
      } catch {
        end(error)
      }
    }
  }

  private struct Full: Error {}

  private func write(_ keys: inout [Int64]) throws {
    let (count, isAbandoned) = state.withLock { ($0.count, $0.isAbandoned) }
    if isAbandoned { throw CancellationError() }
    let new = keys.prefix(Self.limit - count)
    try new.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(count * 8 + done))
        if written > 0 { done += written }
        if written <= 0, errno != EINTR { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      }
    }
    announce { $0.count += new.count }
    if new.count < keys.count { throw Full() }
    keys.removeAll(keepingCapacity: true)
  }

  private func end(_ failure: (any Error)?) {
    announce { state in
      state.isComplete = true
      state.failure = failure
    }
  }

  private func announce(_ change: (inout State) -> Void) {
    progress.lock()
    state.withLock { change(&$0) }
    progress.broadcast()
    progress.unlock()
  }
}

// MARK: - Reading

extension RowOrder {
  /// Reads a part; waits a while for rows that are not found yet.
  ///
  /// - Parameters:
  ///   - first: The number of the first row, from 0.
  ///   - count: How many rows at most.
  ///   - patience: Seconds to wait.
  /// - Returns: The keys that are known; fewer than `count` at the end and while the statement runs.
  /// - Throws: The failure of the statement.
  func part(from first: Int, count: Int, patience: Double) throws -> Part {
    wait(for: first + count, until: Date(timeIntervalSinceNow: patience))
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    let found = max(0, min(count, state.count - first))
    let keys = try [Int64](unsafeUninitializedCapacity: found) { buffer, read in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      let got = found == 0 ? 0 : pread(descriptor, bytes.baseAddress, found * 8, off_t(first * 8))
      guard got == found * 8 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      read = found
    }
    return Part(
      keys: keys,
      total: state.count,
      isComplete: state.isComplete,
      isCut: state.isCut
    )
  }

  private func wait(for rows: Int, until end: Date) {
    progress.lock()
    defer { progress.unlock() }
    while state.withLock({ !$0.isComplete && $0.count < rows }) {
      if !progress.wait(until: end) { return }
    }
  }
}
