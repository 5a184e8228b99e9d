import Foundation
import Synchronization

/// The two ways in which a program is asked to end: Ctrl C, and a service manager.
///
/// The system calls a function of this file, which writes into a pipe, and a thread waits at the other end. All of it
/// is in place when ``init()`` returns. A signal source of Dispatch's is installed on another thread, later; a signal
/// before that is lost, and the program goes on for ever.
struct EndSignals {
  private let requests: AsyncStream<Void>

  init() {
    // The reader of the program's output may leave before it ends.
    signal(SIGPIPE, SIG_IGN)
    let requests = AsyncStream.makeStream(of: Void.self)
    self.requests = requests.stream
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writingEnd.store(ends[1], ordering: .relaxed)
    Thread.detachNewThread { [end = ends[0]] in
      var byte: UInt8 = 0
      while true {
        let count = read(end, &byte, 1)
        if count > 0 {
          requests.continuation.yield()
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
    for number in [SIGINT, SIGTERM] { signal(number, noteRequest) }
  }

  /// Waits until the program is asked to end.
  func wait() async {
    for await _ in requests { return }
  }
}

/// The pipe's end for writing; a program has one server that is asked to end.
private let writingEnd = Atomic<Int32>(-1)

/// Does what a program may do in the middle of anything, and no more.
private func noteRequest(_ signal: Int32) {
  let before = errno
  var byte: UInt8 = 0
  _ = write(writingEnd.load(ordering: .relaxed), &byte, 1)
  errno = before
}
