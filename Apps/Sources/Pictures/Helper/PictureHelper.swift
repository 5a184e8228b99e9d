import CVips
import CoreDataStrictJSON
import Foundation
import Synchronization

/// The process that reads one picture, and ends.
///
/// ```
/// program ─ spawn ─▶ slipbox --picture-helper thumbnail 600
///         ─ bytes ─▶ its standard input
///         ◀─ size or thumbnail ─ its standard output       ◀─ what was wrong ─ its exit status
/// ```
///
/// It is the program itself, started once more; other programs find `slipbox` beside them. It has a gigabyte of
/// memory, twenty seconds of a processor, no files to write, and dies with its parent.
public enum PictureHelper {
  private static let word = "--picture-helper"
  private static let isThisProgram = Mutex(false)

  /// Says that this program is a helper when it is asked to be; to be called first of all.
  ///
  /// Does not return if it was started as one.
  public static func offer(_ arguments: [String]) {
    isThisProgram.withLock { $0 = true }
    if arguments.dropFirst().first == word { HelperJob.perform(Array(arguments.dropFirst(2))) }
  }

  static func size(of picture: (data: Data, kind: PictureKind)) async throws -> PictureSize {
    let answer = try await ask(["size"], picture)
    guard let size = PictureSize(text: answer) else { throw PictureError.damaged(picture.kind) }
    return size
  }

  static func thumbnail(
    of picture: (data: Data, kind: PictureKind),
    longestSide: Int
  ) async throws -> Data {
    try await ask(["thumbnail", "\(longestSide)"], picture)
  }

  private static func ask(
    _ job: [String],
    _ picture: (data: Data, kind: PictureKind)
  ) async throws -> Data {
    try Task.checkCancellation()
    let isCancelled = CancelledFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.addOperation {
          continuation.resume(
            with: Result {
              if isCancelled.isRaised { throw CancellationError() }
              let run = try HelperRun(try program(), [word] + job, input: picture.data)
              let (status, output) = run.finish(within: patience, unless: { isCancelled.isRaised })
              if isCancelled.isRaised { throw CancellationError() }
              return try HelperStatus.result(status, output, picture.kind)
            }
          )
        }
      }
    } onCancel: {
      isCancelled.raise()
    }
  }

  /// How long the helper may take by the clock on the wall.
  private static let patience = Duration.seconds(60)

  private static func program() throws(PictureError) -> String {
    if isThisProgram.withLock({ $0 }) { return "/proc/self/exe" }
    let beside = Bundle.main.executableURL?.deletingLastPathComponent()
      .appendingPathComponent("slipbox").path
    guard let beside, access(beside, X_OK) == 0 else {
      throw .noHelper("the program slipbox is not beside this one")
    }
    return beside
  }

  /// Few at once, and never on the threads that tasks share.
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "Picture helpers"
    queue.maxConcurrentOperationCount = max(
      1,
      min(4, ProcessInfo.processInfo.activeProcessorCount / 2)
    )
    return queue
  }()
}

/// Says that nobody waits for a picture any more.
private final class CancelledFlag: Sendable {
  private let state = Mutex(false)

  func raise() { state.withLock { $0 = true } }

  var isRaised: Bool { state.withLock { $0 } }
}

extension PictureSize {
  /// As the helper writes it: `4032 3024`.
  var text: String { "\(width) \(height)" }

  init?(text: Data) {
    let numbers = String(decoding: text, as: UTF8.self).split(separator: " ")
      .compactMap { WholeNumber.read($0, within: 0...Int(Int32.max)) }
    guard numbers.count == 2 else { return nil }
    self.init(width: numbers[0], height: numbers[1])
  }
}
