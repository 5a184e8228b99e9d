import CMicroHTTPD
import Foundation
import Synchronization

/// The library's threads.
final class Daemon: Sendable {
  /// Nil when they have ended.
  private let pointer: Mutex<OpaquePointer?>
  private let engine: Engine

  init(_ engine: Engine, _ socket: ListeningSocket) throws(Problem) {
    OpenFiles.raiseLimit()
    cmhd_keep_memory_low()
    let limits = cmhd_limits(
      threads: UInt32(min(6, max(2, ProcessInfo.processInfo.activeProcessorCount))),
      connections: UInt32(engine.configuration.connectionLimit),
      idle_seconds: UInt32(clamping: engine.configuration.idleDeadline.components.seconds),
      connection_memory: 64 << 10
    )
    guard let pointer = cmhd_start(socket.descriptor, engine.callbacks, limits) else {
      close(socket.descriptor)
      throw Problem(500, "The server's threads cannot be started.")
    }
    self.pointer = Mutex(pointer)
    self.engine = engine
  }

  /// Takes no more clients.
  func quiesce() {
    let descriptor = pointer.withLock { $0.map { MHD_quiesce_daemon($0) } }
    if let descriptor, descriptor >= 0 { close(descriptor) }
  }

  /// Waits for the threads to end.
  func stop() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.pointer.withLock { pointer in
          if let pointer { MHD_stop_daemon(pointer) }
          pointer = nil
        }
        continuation.resume()
      }
    }
  }
}

/// How many files a process may have open: each client of an event stream is one.
private enum OpenFiles {
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 8_192))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
