import CChildPrograms
import Foundation

/// The arguments of `posix_spawn`, as long as they are needed.
struct ChildStart {
  private var actions = posix_spawn_file_actions_t()
  private var attributes = posix_spawnattr_t()
  /// The child's ends of pipes and files, which the tests close when it has them.
  private var ends: [Int32] = []

  init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
  }

  mutating func end() {
    for end in ends { close(end) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
  }
}

extension ChildStart {
  /// Leads a channel of the child somewhere, and gives the tests' end of it.
  mutating func lead(_ number: Int32, to channel: ChildProgram.Channel) throws -> FileHandle {
    switch channel {
    case .inherited: break
    case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    case .file(let file):
      let flags = number == 0 ? O_RDONLY : O_WRONLY | O_APPEND
      posix_spawn_file_actions_addopen(&actions, number, file.path, flags, 0)
    case .pipe:
      var pair: [Int32] = [0, 0]
      guard Foundation.pipe(&pair) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let (own, other) = number == 0 ? (pair[1], pair[0]) : (pair[0], pair[1])
      ends.append(other)
      posix_spawn_file_actions_adddup2(&actions, other, number)
      return FileHandle(fileDescriptor: own, closeOnDealloc: true)
    }
    return .nullDevice
  }

  mutating func work(in folder: URL) {
    child_programs_work_in(&actions, folder.path)
  }

  /// Starts the child with no other file and no signal held back or ignored.
  mutating func run(_ program: URL, _ arguments: [String], _ variables: [String]) throws -> pid_t {
    child_programs_close_from(&actions, 3)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var texts = ([program.path] + arguments).map { strdup($0) } + [nil]
    let count = texts.count
    texts += variables.map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var process: pid_t = 0
    let code = texts.withUnsafeMutableBufferPointer { texts in
      let (words, world) = (texts.baseAddress, texts.baseAddress.map { $0 + count })
      guard let words, let world else { return EINVAL }
      return posix_spawn(&process, program.path, &actions, &attributes, words, world)
    }
    guard code == 0 else {
      throw CocoaError(
        .fileReadUnknown,
        userInfo: [NSFilePathErrorKey: program.path, NSDebugDescriptionErrorKey: "errno \(code)"]
      )
    }
    return process
  }
}
