import CVips
import CoreDataStrictJSON
import Foundation
import Synchronization

/// The process that reads one picture or PDF, or makes one document, and ends.
///
/// ```
/// program ─ spawn ─▶ slipbox --picture-helper thumbnail 600          pdf-page 3 1200          pdf-text /usr/bin/pdftotext
///                                                                    word /usr/bin/pandoc
///         ─ bytes ─▶ its standard input
///         ◀─ size, picture or text ─ its standard output   ◀─ what was wrong ─ its exit status
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

  static func pageCount(of pdf: Data) async throws -> Int {
    let answer = try await askPDF(["pdf-pages"], pdf)
    let text = String(decoding: answer, as: UTF8.self)
    guard let count = WholeNumber.read(text, within: 1...Int(Int32.max)) else {
      throw PDFError.damaged
    }
    return count
  }

  static func page(_ number: Int, of pdf: Data, longestSide: Int) async throws -> Data {
    try await askPDF(["pdf-page", "\(number)", "\(longestSide)"], pdf, page: number)
  }

  static func text(of pdf: Data, atMost limit: Int, tool: String) async throws -> Data {
    try await askPDF(["pdf-text", tool], pdf, enough: limit)
  }

  static func wordFile(of page: Data, tool: String) async throws -> Data {
    do {
      let (status, output) = try await run(["word", tool], page)
      if let error = HelperStatus.wordError(status, output) { throw error }
      return output
    } catch PictureError.noHelper(let reason) {
      throw WordError.noHelper(reason)
    }
  }

  private static func askPDF(
    _ job: [String],
    _ pdf: Data,
    page: Int = 1,
    enough: Int = .max
  ) async throws -> Data {
    do {
      let (status, output) = try await run(job, pdf, enough: enough)
      if let error = HelperStatus.pdfError(status, page: page) { throw error }
      return output
    } catch PictureError.noHelper(let reason) {
      throw PDFError.noHelper(reason)
    }
  }

  private static func ask(
    _ job: [String],
    _ picture: (data: Data, kind: PictureKind)
  ) async throws -> Data {
    let (status, output) = try await run(job, picture.data)
    return try HelperStatus.result(status, output, picture.kind)
  }

  /// The helper's exit status, `nil` if a limit has ended it, and its output.
  private static func run(
    _ job: [String],
    _ data: Data,
    enough: Int = .max
  ) async throws -> (Int32?, Data) {
    try Task.checkCancellation()
    let isCancelled = CancelledFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.addOperation {
          continuation.resume(
            with: Result {
              if isCancelled.isRaised { throw CancellationError() }
              let run = try HelperRun(try program(), [word] + job, input: data)
              let result = run.finish(
                within: patience,
                enough: enough,
                unless: { isCancelled.isRaised }
              )
              if isCancelled.isRaised { throw CancellationError() }
              return result
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
