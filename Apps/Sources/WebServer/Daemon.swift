import CMicroHTTPD
import Foundation
import Synchronization

/// The library's threads.
final class Daemon: Sendable {
  /// Nil when they have ended.
  private let pointer: Mutex<OpaquePointer?>
  private let engine: Engine
  private let socket: ListeningSocket

  init(_ engine: Engine, _ socket: ListeningSocket) throws(Problem) {
    cmhd_keep_memory_low()
    let limits = cmhd_limits(
      threads: UInt32(min(6, max(2, ProcessInfo.processInfo.activeProcessorCount))),
      connections: UInt32(engine.connectionLimit),
      idle_seconds: UInt32(clamping: engine.configuration.idleDeadline.components.seconds),
      connection_memory: 64 << 10
    )
    guard let pointer = cmhd_start(socket.descriptor, engine.callbacks, limits) else {
      close(socket.descriptor)
      throw Problem(500, "The server's threads cannot be started.")
    }
    self.pointer = Mutex(pointer)
    self.engine = engine
    self.socket = socket
  }

  /// Takes no more clients, and leaves the port to others.
  func quiesce() {
    pointer.withLock { pointer in
      guard let pointer, MHD_quiesce_daemon(pointer) >= 0 else { return }
      // A program that is being started has a copy of the socket until it runs; this ends the listening there, too. It is
      // closed when the threads have ended, which may still use it.
      shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }
  }

  /// Waits for the threads to end, after ``quiesce()``.
  func stop() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.pointer.withLock { pointer in
          guard let running = pointer else { return }
          MHD_stop_daemon(running)
          close(self.socket.descriptor)
          pointer = nil
        }
        continuation.resume()
      }
    }
  }
}
