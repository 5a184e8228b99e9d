import Foundation

/// The ends of several pipes, read as something comes.
struct ReadEnds {
  private let handles: [FileHandle]

  init(_ handles: [FileHandle]) {
    self.handles = handles
  }

  /// Reads every pipe to its end; nothing from a null device.
  func all() -> [Data] {
    var data = handles.map { _ in Data() }
    var lines = handles.map { handle in
      pollfd(
        fd: handle === FileHandle.nullDevice ? -1 : handle.fileDescriptor,
        events: Int16(POLLIN),
        revents: 0
      )
    }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while lines.contains(where: { $0.fd >= 0 }) {
      _ = poll(&lines, nfds_t(lines.count), -1)
      for place in lines.indices where lines[place].fd >= 0 && lines[place].revents != 0 {
        let count = read(lines[place].fd, &bytes, bytes.count)
        if count < 0 && errno == EINTR { continue }
        data[place] += bytes.prefix(max(0, count))
        if count <= 0 { lines[place].fd = -1 }
      }
    }
    return data
  }
}
