import CoreDataHTTP
import Foundation
import Synchronization

/// One request, from its first line to the last byte of its answer.
///
///     begun ─▶ reading ─▶ working ─▶ ready ─▶ sent
///       ╰────────┴▶ settled ───────────────▶╯
final class Exchange: HTTPReception {
  enum Stage: Sendable {
    /// The first line is there.
    case begun
    /// The body arrives.
    case reading(Request, Route, BodyReader)
    /// The answer is known before the body is there; the rest of the body is thrown away.
    case settled(Response, thrownAway: Int)
    /// The connection is suspended while a handler makes the answer.
    case working(Task<Void, Never>?)
    case ready(Response)
    case sent(status: Int, byteCount: Int)
  }

  struct Progress: Sendable {
    var stage = Stage.begun
    var method: Method?
    var headers: Headers = [:]
    /// The path in the log, if the path itself has a secret in it.
    var shownPath: String?
    /// When the handler's turn came.
    var workBegan: ContinuousClock.Instant?
    /// Whether the client may still have the answer that is being sent; `nil` if nothing changes that.
    var isAllowed: (@Sendable () -> Bool)?
  }

  /// The server's side.
  let line: HTTPExchange
  private let engine: Engine
  private let began = ContinuousClock.now
  let progress = Mutex(Progress())

  init(_ line: HTTPExchange, of engine: Engine) {
    self.line = line
    self.engine = engine
  }

  func screen(_ head: HTTPHead) -> HTTPStep { engine.screen(self, head) }

  func refuse(_ refusal: HTTPRefusal, method: String?) -> HTTPReply {
    progress.withLock { $0.method = method.flatMap(Method.init) }
    return engine.reply(Problem(refusal).response, to: self)
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> HTTPStep { engine.take(bytes, self) }

  func finish() -> HTTPStep { engine.work(self) }

  func end() { engine.log(self) }

  /// Takes over the answer of a handler; false when nobody waits for it any more.
  func ready(_ response: Response) -> Bool {
    progress.withLock { progress in
      guard case .working = progress.stage else { return false }
      progress.stage = .ready(response)
      return true
    }
  }

  /// Answers in the place of the handler; false when nobody waits for an answer any more.
  ///
  /// The handler is cancelled afterwards: one that ends at once must not be quicker.
  func giveUp(with response: Response) -> Bool {
    let task = workingTask
    guard ready(response) else { return false }
    task?.cancel()
    return true
  }

  /// Breaks off an answer that the client may no longer have.
  func breakOffIfNotAllowed() {
    let isAllowed = progress.withLock { $0.isAllowed }
    if let isAllowed, !isAllowed() { line.breakOff() }
  }

  /// Keeps the task of the handler, so that a server that stops can cancel it.
  func keep(_ task: Task<Void, Never>) {
    progress.withLock { progress in
      if case .working = progress.stage { progress.stage = .working(task) }
    }
  }

  func cancel() {
    workingTask?.cancel()
  }

  /// Whether a handler makes the answer now.
  var isWorking: Bool {
    progress.withLock { progress in
      if case .working = progress.stage { true } else { false }
    }
  }

  /// Whether the request may change something; an unknown one may.
  var writes: Bool { progress.withLock { $0.method?.writes ?? true } }

  /// Whether the handler has worked for longer than it may.
  func isLate(_ now: ContinuousClock.Instant, _ deadline: Duration) -> Bool {
    progress.withLock { progress in
      guard case .working = progress.stage, let began = progress.workBegan else { return false }
      return began + deadline < now
    }
  }

  private var workingTask: Task<Void, Never>? {
    progress.withLock { progress in
      if case .working(let task) = progress.stage { task } else { nil }
    }
  }

  /// The line in the log.
  var logLine: String {
    let target = line.target.prefix { $0 != "?" }
    let time = String(format: "%.1f", began.duration(to: .now) / .milliseconds(1))
    return progress.withLock { progress in
      let method = progress.method?.rawValue ?? "-"
      let path = progress.shownPath ?? String(target)
      return switch progress.stage {
      case .sent(let status, let count): "\(method) \(path) \(status) \(count) bytes \(time) ms"
      case .begun, .reading, .settled, .working, .ready: "\(method) \(path) broken off \(time) ms"
      }
    }
  }
}
