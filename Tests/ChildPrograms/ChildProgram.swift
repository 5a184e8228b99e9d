public import Foundation
import Synchronization

/// A program that a test has started.
///
/// Foundation's `Process` is not used: where a test program has more than a thousand files open, it reads beyond the
/// end of their list, and ends the tests now and then.
public final class ChildProgram: Sendable {
  /// The destination of a program's channel.
  public enum Channel: Sendable {
    /// To where the tests' own leads.
    case inherited
    /// To nowhere.
    case nothing
    /// To the tests, which hold the other end.
    case pipe
    /// To a file that is there.
    case file(URL)
  }

  /// How a program has ended.
  public enum Ending: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
  }

  public let processIdentifier: pid_t
  /// The tests' ends of the pipes, and the null device for a channel without a pipe.
  public let input: FileHandle
  public let output: FileHandle
  public let errors: FileHandle
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program that gets no file of the tests but its three channels, in a group of processes of its own.
  ///
  /// It has the variables and the folder of the tests if it is given none.
  public init(
    _ program: URL,
    _ arguments: [String] = [],
    environment: [String: String]? = nil,
    in folder: URL? = nil,
    input: Channel = .inherited,
    output: Channel = .inherited,
    errors: Channel = .inherited
  ) throws {
    var start = ChildStart()
    defer { start.end() }
    self.input = try start.lead(0, to: input)
    self.output = try start.lead(1, to: output)
    self.errors = try start.lead(2, to: errors)
    if let folder { start.work(in: folder) }
    let variables = environment ?? ProcessInfo.processInfo.environment
    processIdentifier = try start.run(program, arguments, variables.map { "\($0)=\($1)" })
  }

  /// Has the system forget the program once it has ended, also if a test that failed did not wait for it.
  ///
  /// Swift Testing's exit tests would wait in vain beside a process that has ended and that nobody has waited for.
  deinit {
    guard isRunning else { return }
    let process = processIdentifier
    Thread.detachNewThread { _ = Self.ending(of: process, 0) }
  }
}

// MARK: - Its end

extension ChildProgram {
  public var isRunning: Bool {
    ending.withLock { ending in
      if ending == nil { ending = Self.ending(of: processIdentifier, WNOHANG) }
      return ending == nil
    }
  }

  /// Waits until the program has ended.
  @discardableResult
  public func wait() -> Ending {
    ending.withLock { ending in
      while true {
        if let ending { return ending }
        ending = Self.ending(of: processIdentifier, 0)
      }
    }
  }

  /// Sends a signal to the program unless it has ended.
  public func send(_ signal: Int32) {
    ending.withLock { ending in
      if ending == nil { _ = Foundation.kill(processIdentifier, signal) }
    }
  }

  /// Ends the program at once, as a power failure would, and waits for that.
  @discardableResult
  public func kill() -> Ending {
    send(SIGKILL)
    return wait()
  }

  /// Asks the program to end, and waits until it has.
  @discardableResult
  public func terminate() -> Ending {
    send(SIGTERM)
    return wait()
  }

  /// How the process has ended; nil while it has not.
  private static func ending(of process: pid_t, _ options: Int32) -> Ending? {
    var status: Int32 = 0
    guard waitpid(process, &status, options) == process else { return nil }
    return status & 0x7F == 0 ? .status((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }
}

// MARK: - One run

extension ChildProgram {
  /// The output of a program, and its end: its status, or the negative number of a signal.
  public struct Outcome: Sendable {
    public let status: Int32
    public let output: String
    public let errors: String
  }

  /// Runs a program to its end, with a text on its input.
  public static func run(
    _ program: URL,
    _ arguments: [String] = [],
    environment: [String: String]? = nil,
    in folder: URL? = nil,
    input: String = "",
    output: Channel = .pipe
  ) throws -> Outcome {
    let child = try ChildProgram(
      program,
      arguments,
      environment: environment,
      in: folder,
      input: input.isEmpty ? .nothing : .pipe,
      output: output,
      errors: .pipe
    )
    if !input.isEmpty {
      // It may end before it has read all; that would end the tests too.
      signal(SIGPIPE, SIG_IGN)
      try? child.input.write(contentsOf: Data(input.utf8))
      try child.input.close()
    }
    // Reading one channel to its end first would wait for ever for a program that has filled the other.
    let words = ReadEnds([child.output, child.errors]).all()
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    switch child.wait() {
    case .status(let status): return Outcome(status: status, output: texts[0], errors: texts[1])
    case .signal(let signal): return Outcome(status: -signal, output: texts[0], errors: texts[1])
    }
  }
}

extension URL {
  /// A program that was built with the tests, and is beside them.
  public static func built(_ name: String) throws -> URL {
    guard let tests = Bundle.main.executableURL else { throw CocoaError(.fileNoSuchFile) }
    return tests.deletingLastPathComponent().appending(component: name)
  }
}
