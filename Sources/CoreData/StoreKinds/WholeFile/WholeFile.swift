import Foundation
import Synchronization

/// A file that is replaced whole: it has the old content or the new one, whatever happens.
///
/// ```
/// stage     Notes.xml~<UUID>   written, and on the disk
/// commit    renamed to Notes.xml
/// ```
struct WholeFile: Sendable {
  let url: URL
  /// Asked before each step; tests let steps fail.
  let steps: FileSteps

  var path: String { url.path }

  /// Writes the content beside the file; nothing is replaced before the commit.
  ///
  /// The file keeps its mode; a new one gets that of the `original`, if there is one.
  func stage(_ content: Data, modeOf original: URL? = nil) throws -> StagedFile {
    try stage(modeOf: original) { try $0.append(content) }
  }

  /// The same for a content that comes in pieces, so that it is never in memory as a whole.
  func stage(
    modeOf original: URL? = nil,
    _ write: (inout FileBytes) throws -> Void
  ) throws -> StagedFile {
    try refuseDevice()
    let target = url.resolvingSymlinksInPath().path
    let staged = StagedFile(path: "\(target)~\(UUID().uuidString)", target: target, steps: steps)
    do {
      let mode = FileMode(of: target) ?? original.flatMap { FileMode(of: $0.path) }
      try staged.write(mode, write)
      return staged
    } catch {
      staged.discard()
      throw error
    }
  }

  /// The content; `nil` if the file does not exist.
  func read() throws -> Data? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    try refuseDevice()
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw StoreFailure(.unreadable, path: path).error()
    }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw WholeFileFailure(.damaged("cannot be read: \(error.localizedDescription)"), path: path)
        .error
    }
  }

  /// Removes the file, if it exists.
  func remove() throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    try refuseDevice()
    try FileManager.default.removeItem(at: url)
  }

  /// Throws 259 for what is neither file nor folder, such as a device, which all programs would miss.
  private func refuseDevice() throws {
    var state = stat()
    guard stat(path, &state) == 0, ![S_IFREG, S_IFDIR].contains(state.st_mode & S_IFMT) else {
      return
    }
    throw WholeFileFailure(.damaged("is no file"), path: path).error
  }

  /// A mark that changes when somebody writes the file.
  var mark: FileMark? { FileMark(path) }
}

/// New content for a file, beside it.
final class StagedFile {
  private let path: String
  private let target: String
  private let steps: FileSteps

  fileprivate init(path: String, target: String, steps: FileSteps) {
    self.path = path
    self.target = target
    self.steps = steps
  }

  fileprivate func write(
    _ mode: FileMode?,
    _ write: (inout FileBytes) throws -> Void
  ) throws {
    let file = try perform("creating a file beside it") {
      open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode == nil ? 0o644 : 0o600)
    }
    defer { close(file) }
    mode?.apply(to: file)
    var bytes = FileBytes { [self] bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 20))
        let count = try perform("writing") {
          Int32(truncatingIfNeeded: Foundation.write(file, chunk.baseAddress, chunk.count))
        }
        rest = rest.dropFirst(Int(count))
      }
    }
    try write(&bytes)
    try bytes.passOn()
    _ = try perform("writing to the disk") { fsync(file) }
  }

  /// Replaces the old content by the new; if that fails, the new content is gone.
  func commit() throws {
    do {
      _ = try perform("putting the new file in its place") { rename(path, target) }
    } catch {
      discard()
      throw error
    }
    let folder = open((target as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    // The file is in its place; that its folder cannot be flushed changes nothing any more.
    fsync(folder)
    close(folder)
  }

  func discard() {
    unlink(path)
  }

  private func perform(_ step: String, _ body: () -> Int32) throws -> Int32 {
    if let refusal = steps.refusal(of: step) {
      throw WholeFileFailure(.system(refusal, doing: step), path: target).error
    }
    while true {
      let result = body()
      if result >= 0 { return result }
      if errno != EINTR {
        throw WholeFileFailure(.system(errno, doing: step), path: target).error
      }
    }
  }
}

/// Sees the steps of writing a file before they happen, and may refuse them.
final class FileSteps: Sendable {
  /// Gives the system's number for a reason to refuse; nil to let the step happen.
  typealias Observer = @Sendable (_ step: String) -> Int32?

  private let observer = Mutex<Observer?>(nil)

  func observe(_ observer: Observer?) {
    self.observer.withLock { $0 = observer }
  }

  fileprivate func refusal(of step: String) -> Int32? {
    observer.withLock { $0 }?(step)
  }
}

/// A mark that distinguishes a file from the same file after a change, as far as the system knows.
struct FileMark: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  private let changed: Double

  /// `nil` if the file does not exist.
  init?(_ path: String) {
    var state = stat()
    guard stat(path, &state) == 0 else { return nil }
    device = UInt64(state.st_dev)
    number = UInt64(state.st_ino)
    size = Int64(state.st_size)
    #if canImport(Darwin)
    changed = Double(state.st_mtimespec.tv_sec) + Double(state.st_mtimespec.tv_nsec) / 1e9
    #else
    changed = Double(state.st_mtim.tv_sec) + Double(state.st_mtim.tv_nsec) / 1e9
    #endif
  }
}
