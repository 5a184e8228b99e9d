import Foundation

/// One start of a program that gets bytes, gives bytes, and ends.
///
/// Foundation's `Process` is not used: it copies this program's environment and waits on a run loop.
final class HelperRun {
  private let process: pid_t
  private let output: Int32

  /// Starts the program with the bytes as its standard input.
  init(_ program: String, _ arguments: [String], input: Data) throws(PictureError) {
    let file = try Self.unnamedFile(of: input)
    defer { close(file) }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Self.cannotStart(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, file, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var process: pid_t = 0
    let (words, world) = (Self.copies([program] + arguments), Self.copies(Self.environment))
    defer { for text in words + world { free(text) } }
    let code = posix_spawn(&process, program, &actions, nil, words, world)
    guard code == 0 else {
      close(ends[0])
      throw Self.cannotStart(code)
    }
    self.process = process
    output = ends[0]
  }

  /// Texts as C has them, with nothing behind the last.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var copies: [UnsafeMutablePointer<CChar>?] = []
    for text in texts { copies.append(strdup(text)) }
    return copies + [nil]
  }

  /// The variables that the program needs to find its libraries, and no more.
  private static var environment: [String] {
    var texts = ["LC_ALL=C", "MALLOC_ARENA_MAX=2"]
    if let path = getenv("LD_LIBRARY_PATH") {
      texts.append("LD_LIBRARY_PATH=\(String(cString: path))")
    }
    return texts
  }

  private static func cannotStart(_ code: Int32) -> PictureError {
    .noHelper("the helper cannot be started: \(String(cString: strerror(code)))")
  }

  /// A file without a name, read from its beginning.
  private static func unnamedFile(of data: Data) throws(PictureError) -> Int32 {
    var template = Array(
      FileManager.default.temporaryDirectory.appendingPathComponent("picture-XXXXXX").path
        .utf8CString
    )
    let file = mkstemp(&template)
    guard file >= 0 else { throw cannotStart(errno) }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    var isWritten = true
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Foundation.write(file, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else {
          isWritten = false
          return
        }
        sent += count
      }
    }
    guard isWritten, lseek(file, 0, SEEK_SET) == 0 else {
      let code = errno
      close(file)
      throw cannotStart(code)
    }
    return file
  }

  deinit { close(output) }
}

// MARK: - Waiting

extension HelperRun {
  /// Waits for the end of the program.
  ///
  /// When the time is over, or nobody waits any more, the program is ended.
  ///
  /// - Parameters:
  ///   - patience: The time that the program has.
  ///   - enough: So many bytes of the output are all that is wanted: the program is ended in good order then.
  ///   - isOver: Whether nobody waits any more.
  /// - Returns: The program's exit status, `nil` if a signal ended it, and its output.
  func finish(
    within patience: Duration,
    enough: Int = .max,
    unless isOver: () -> Bool
  ) -> (Int32?, Data) {
    let deadline = ContinuousClock.now + patience
    var data = Data()
    var isEnded = false
    while let piece = read(until: deadline, unless: isOver), !piece.isEmpty {
      data += piece
      if data.count > min(Self.limit, enough) { break }
    }
    let isEnough = data.count > enough
    if .now >= deadline || isOver() || isEnough || data.count > Self.limit {
      kill(process, SIGKILL)
      isEnded = true
    }
    let status = wait()
    return (isEnough ? 0 : isEnded ? nil : status, isEnough ? data.prefix(enough) : data)
  }

  /// More than any thumbnail has.
  private static let limit = 64 << 20

  /// The next bytes; none at the end, nil when the time is over.
  private func read(until deadline: ContinuousClock.Instant, unless isOver: () -> Bool) -> Data? {
    while .now < deadline, !isOver() {
      var line = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&line, 1, 100) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = Foundation.read(output, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      return Data(bytes.prefix(max(0, count)))
    }
    return nil
  }

  private func wait() -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
