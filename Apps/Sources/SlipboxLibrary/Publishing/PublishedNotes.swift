import CoreDataStrictJSON
import Foundation
import Synchronization

/// The file `published` in the folder of this machine, with the links of published notes.
///
/// ```json
/// {"links": [{"note": "0b8e…", "secret": "q7m2…", "since": 816134400, "language": "de"}]}
/// ```
///
/// A link is one of this server, so it is not in the notes, which other devices have, too. The file has the secrets themselves,
/// because a link is shown again; it is for its owner alone, as the access key beside it, which opens all notes.
///
/// Another program with the same folder may end a link, so the file is read again when it has changed.
final class PublishedNotes: Sendable {
  private let file: URL?
  private let state = Mutex(State())

  private struct State {
    var notes: [PublishedNote] = []
    var stamp: Stamp?
    var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]
  }

  private struct Stamp: Equatable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  private struct Contents: Codable {
    let links: [PublishedNote]
  }

  /// So many notes can be published.
  static let most = 1_000
  private static let longestFile = 1 << 20

  /// - Parameter folder: The folder of this machine; `nil` to keep the links in memory.
  init(in folder: URL?) {
    file = folder?.appendingPathComponent("published")
  }

  /// All published notes.
  ///
  /// - Throws: ``LibraryProblem/unable(_:)`` if the file cannot be read.
  var all: [PublishedNote] {
    get throws { try state.withLock { try read(into: &$0) } }
  }

  /// Changes the published notes, and keeps the file before anybody learns of it.
  ///
  /// - Throws: ``LibraryProblem/unable(_:)`` if the file cannot be read or written; nothing has changed then.
  func change<Result: Sendable>(
    _ change: (inout [PublishedNote]) throws -> Result
  ) throws -> Result {
    typealias Told = (Result, [AsyncStream<Void>.Continuation])
    let (result, listeners) = try state.withLock { state throws -> Told in
      var notes = try read(into: &state)
      let old = notes
      let result = try change(&notes)
      guard notes != old else { return (result, []) }
      try write(notes)
      state.notes = notes
      state.stamp = stamp
      return (result, Array(state.listeners.values))
    }
    for listener in listeners { listener.yield() }
    return result
  }

  /// Reports each change by this program.
  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let id = UUID()
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    state.withLock { $0.listeners[id] = continuation }
    return stream
  }
}

// MARK: - The file

extension PublishedNotes {
  private var stamp: Stamp? {
    var status = stat()
    guard let file, lstat(file.path, &status) == 0 else { return nil }
    return Stamp(
      inode: UInt64(status.st_ino),
      size: Int64(status.st_size),
      seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec
    )
  }

  private func read(into state: inout State) throws -> [PublishedNote] {
    guard let file else { return state.notes }
    let stamp = stamp
    if stamp != state.stamp {
      state.notes = stamp == nil ? [] : try contents(of: file)
      state.stamp = stamp
    }
    return state.notes
  }

  /// Reads a file that belongs to this user and that others cannot have written.
  private func contents(of file: URL) throws -> [PublishedNote] {
    do {
      let links = try JSONReading.decode(
        Contents.self,
        from: try JSONValue(parsing: try bytes(of: file))
      ).links
      guard links.count <= Self.most, links.allSatisfy(\.isSound) else { throw POSIXError(.EINVAL) }
      return links
    } catch {
      // It is the same remedy for all that can be wrong with it.
      throw LibraryProblem.unable(
        "The file \(file.path), which has the links of published notes, cannot be read. Remove it, and publish the notes again."
      )
    }
  }

  private func bytes(of file: URL) throws -> Data {
    let descriptor = open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw POSIXError(.EACCES) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_size <= Self.longestFile
    else { throw POSIXError(.EACCES) }
    return try handle.read(upToCount: Self.longestFile) ?? Data()
  }

  private func write(_ notes: [PublishedNote]) throws {
    guard let file else { return }
    let new = file.appendingPathExtension("new-\(getpid())")
    unlink(new.path)
    let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    var isWritten = false
    if descriptor >= 0 {
      let bytes = Array(try JSONEncoder().encode(Contents(links: notes)))
      isWritten =
        Foundation.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
      close(descriptor)
    }
    guard isWritten, rename(new.path, file.path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(new.path)
      throw LibraryProblem.unable("The file \(file.path) cannot be written: \(reason).")
    }
  }
}
