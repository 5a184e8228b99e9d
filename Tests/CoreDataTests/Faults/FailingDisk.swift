import CoreDataCSQLite
import Foundation
import Synchronization

/// A folder on a disk that does not take what SQLite writes: full, or read-only from one moment on.
///
/// ```swift
/// let disk = FailingDisk(folder, .full, afterWrites: 3)
/// …                          // the fourth write, and each that follows, fails with ENOSPC
/// disk.mend()
/// ```
///
/// The system calls of SQLite's own file layer are replaced, so that permissions do not matter and every
/// write is reached: of the file, of the log, of its index, and of copies.
final class FailingDisk: Sendable {
  private let folder: String
  private let refusal: Refusal
  private let left: Atomic<Int>
  private let refusals = Atomic<Int>(0)

  enum Refusal: CaseIterable {
    case full, readOnly

    var number: Int32 { self == .full ? ENOSPC : EROFS }
  }

  init(_ folder: URL, _ refusal: Refusal, afterWrites count: Int = 0) {
    // As the system spells it.
    self.folder = folder.resolvingSymlinksInPath().path + "/"
    self.refusal = refusal
    left = Atomic(count)
    SystemCalls.install()
    SystemCalls.disks.withLock { $0.append(self) }
    SystemCalls.diskCount.add(1, ordering: .sequentiallyConsistent)
  }

  /// How many calls were refused.
  var refusalCount: Int { refusals.load(ordering: .relaxed) }

  /// From here on everything is written again.
  func mend() {
    let count = SystemCalls.disks.withLock { disks in
      let before = disks.count
      disks.removeAll { $0 === self }
      return before - disks.count
    }
    SystemCalls.diskCount.subtract(count, ordering: .sequentiallyConsistent)
  }

  /// Whether the disk is the place of a path, and refuses to write there now.
  fileprivate func refuses(_ path: String) -> Int32? {
    guard path.hasPrefix(folder) else { return nil }
    if left.subtract(1, ordering: .relaxed).oldValue > 0 { return nil }
    refusals.add(1, ordering: .relaxed)
    return refusal.number
  }

  /// Whether it refuses to make a file, or to open one for writing.
  fileprivate func refusesOpening(_ path: String, _ flags: Int32) -> Int32? {
    guard path.hasPrefix(folder), left.load(ordering: .relaxed) <= 0 else { return nil }
    let isNew = flags & O_CREAT != 0 && access(path, F_OK) != 0
    let writes = refusal == .readOnly && flags & (O_RDWR | O_WRONLY) != 0
    guard isNew || writes else { return nil }
    refusals.add(1, ordering: .relaxed)
    return refusal.number
  }
}

/// The calls that SQLite makes to the system, each asked of the failing disks first.
private enum SystemCalls {
  static let disks = Mutex<[FailingDisk]>([])
  static let diskCount = Atomic<Int>(0)

  private typealias Open = @convention(c) (UnsafePointer<CChar>, Int32, Int32) -> Int32
  private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int
  private typealias PlacedWrite = @convention(c) (Int32, UnsafeRawPointer?, Int, Int) -> Int
  private typealias Truncate = @convention(c) (Int32, Int) -> Int32

  static func install() { _ = installed }

  private static let installed: Void = {
    let open: Open = { path, flags, mode in
      if let number = SystemCalls.refusal(ofOpening: path, flags) {
        errno = number
        return -1
      }
      return unsafeBitCast(SystemCalls.original.open, to: Open.self)(path, flags, mode)
    }
    let write: Write = { file, bytes, count in
      guard SystemCalls.allows(file) else { return -1 }
      return unsafeBitCast(SystemCalls.original.write, to: Write.self)(file, bytes, count)
    }
    let placedWrite: PlacedWrite = { file, bytes, count, place in
      guard SystemCalls.allows(file) else { return -1 }
      return pwrite(file, bytes, count, place)
    }
    let truncate: Truncate = { file, size in
      guard SystemCalls.allows(file) else { return -1 }
      return ftruncate(file, size)
    }
    replace("open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self))
    replace("write", unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
    for name in ["pwrite", "pwrite64"] {
      replace(name, unsafeBitCast(placedWrite, to: sqlite3_syscall_ptr.self))
    }
    replace("ftruncate", unsafeBitCast(truncate, to: sqlite3_syscall_ptr.self))
  }()

  /// The calls before they were replaced.
  private static let original: (open: sqlite3_syscall_ptr, write: sqlite3_syscall_ptr) = {
    let files = sqlite3_vfs_find(nil)
    guard let open = files?.pointee.xGetSystemCall(files, "open"),
      let write = files?.pointee.xGetSystemCall(files, "write")
    else { fatalError("SQLite's file layer has no calls that can be replaced") }
    return (open, write)
  }()

  private static func replace(_ name: String, _ call: sqlite3_syscall_ptr) {
    _ = original
    let files = sqlite3_vfs_find(nil)
    // A call that this SQLite does not use has nothing to be replaced.
    _ = files?.pointee.xSetSystemCall(files, name, call)
  }

  private static func refusal(ofOpening path: UnsafePointer<CChar>, _ flags: Int32) -> Int32? {
    if diskCount.load(ordering: .sequentiallyConsistent) == 0 { return nil }
    let path = String(cString: path)
    return disks.withLock { $0 }.lazy.compactMap { $0.refusesOpening(path, flags) }.first
  }

  /// Whether a file may be written; sets the system's number for why not.
  private static func allows(_ file: Int32) -> Bool {
    if diskCount.load(ordering: .sequentiallyConsistent) == 0 { return true }
    guard
      let path = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(file)"
      )
    else { return true }
    let refusal = disks.withLock { $0 }.lazy.compactMap { $0.refuses(path) }.first
    guard let refusal else { return true }
    errno = refusal
    return false
  }
}
