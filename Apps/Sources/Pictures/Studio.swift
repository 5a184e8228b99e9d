import CVips
import Foundation

/// The place where pictures are worked on in this process: few at once, and never on the threads that tasks share.
enum Studio {
  static func work<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Result(catching: work)) }
    }
  }

  private static let queue: OperationQueue = {
    prepareLibrary()
    let queue = OperationQueue()
    queue.name = "Pictures"
    queue.maxConcurrentOperationCount = max(
      1,
      min(4, ProcessInfo.processInfo.activeProcessorCount / 2)
    )
    return queue
  }()

  /// Readers of formats that nobody should send are closed; nothing is kept between two pictures.
  static func prepareLibrary() {
    guard vips_init("pictures") == 0 else { return }
    cvips_silence()
    vips_concurrency_set(1)
    vips_block_untrusted_set(1)
    vips_cache_set_max(0)
    vips_cache_set_max_mem(0)
    vips_cache_set_max_files(0)
  }
}
