import CoreDataPredicates
import Dispatch
import Foundation

/// Notices that somebody writes to a database's file or to its log.
///
/// On Linux the system reports writes; elsewhere, or if it is out of watches, the file is checked every tenth of a
/// second. After a sign it waits a moment, so that one call reports all that is written in it: an idle file costs
/// nothing, and a busy one twenty calls a second.
final class FileWatch: Sendable {
  /// Cancelled on any thread.
  private let source: Immutable<any DispatchSourceProtocol>

  /// How long writes are collected.
  private static let moment = DispatchTimeInterval.milliseconds(50)

  /// Calls `changed` on the queue, until it is stopped.
  init(
    of path: String,
    on queue: DispatchQueue,
    _ changed: @escaping @Sendable () -> Void
  ) {
    #if os(Linux)
    if let folder = WatchedFolder(of: path) {
      source = Immutable(Self.source(folder, queue, changed))
      return
    }
    #endif
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(100), leeway: .milliseconds(20))
    timer.setEventHandler(handler: changed)
    timer.activate()
    source = Immutable(timer)
  }

  func stop() { source.value.cancel() }

  #if os(Linux)
  private static func source(
    _ folder: WatchedFolder,
    _ queue: DispatchQueue,
    _ changed: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeReadSource(fileDescriptor: folder.descriptor, queue: queue)
    let pausing = Pausing(source: source)
    source.setEventHandler { [weak pausing] in
      guard folder.concernsFile(), let pausing else { return }
      pausing.source.value.suspend()
      // The owner of a waiting source also wakes it, so that none ends asleep.
      queue.asyncAfter(deadline: .now() + moment) {
        pausing.source.value.resume()
        changed()
      }
    }
    source.setCancelHandler {
      folder.close()
      withExtendedLifetime(pausing) {}
    }
    source.activate()
    return source
  }

  /// Used on the queue only.
  private final class Pausing: Sendable {
    let source: Handover<any DispatchSourceRead>

    init(source: any DispatchSourceRead) {
      self.source = Handover(source)
    }
  }
  #endif
}

#if os(Linux)
/// The files of a database, whose writes the kernel reports, and their folder, in which it reports files that come
/// and go.
///
/// Writes to other files of the folder wake nobody, however many there are.
private struct WatchedFolder: Sendable {
  let descriptor: Int32
  private let names: Set<String>
  private let folder: String

  /// `nil` if there are no watches left, or if the file system does not support them.
  init?(of path: String) {
    let file = path as NSString
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let name = file.lastPathComponent
    names = [name, "\(name)-wal", "\(name)-journal"]
    folder = file.deletingLastPathComponent
    guard watchFolder() else {
      _ = Glibc.close(descriptor)
      return nil
    }
    watchFiles()
  }

  /// Asks for reports of files that come and go, and of the other events in the mask.
  private func watchFolder(besides mask: Int32 = 0) -> Bool {
    let mask = UInt32(Int32(IN_CREATE | IN_MOVED_TO | IN_DELETE) | mask)
    return inotify_add_watch(descriptor, folder.isEmpty ? "." : folder, mask) >= 0
  }

  /// Asks for reports of writes to the files that exist; one that is watched already stays so.
  private func watchFiles() {
    for name in names {
      let file = folder.isEmpty ? name : "\(folder)/\(name)"
      if inotify_add_watch(descriptor, file, UInt32(IN_MODIFY)) >= 0 { continue }
      // A missing file is watched once its folder reports that it came. If there are no watches left, or the file may
      // not be read, the folder's own watch reports writes as well.
      if errno != ENOENT { _ = watchFolder(besides: Int32(IN_MODIFY)) }
    }
  }

  /// Takes the reports, and returns whether any of them was about the files.
  func concernsFile() -> Bool {
    var (concerns, hasOthers) = (false, false)
    let headSize = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count <= 0 { return }
        var place = 0
        while place + headSize <= count {
          let size = Int(buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
          let end = min(place + headSize + size, count)
          let name = buffer[(place + headSize)..<end].prefix { $0 != 0 }
          // Only reports of a folder have a name.
          if name.isEmpty {
            concerns = true
          } else if names.contains(String(decoding: name, as: UTF8.self)) {
            (concerns, hasOthers) = (true, true)
          }
          place = end
        }
      }
    }
    if hasOthers { watchFiles() }
    return concerns
  }

  func close() { _ = Glibc.close(descriptor) }
}
#endif
