public import CoreData
import Synchronization

extension NSManagedObjectContext {
  /// A helper as libraries have it from the time when Apple's method took only blocks without a result.
  @discardableResult
  public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
    ownCalls.withLock { $0 += 1 }
    return try through(performAndWait(_:), block) { throw $0 }
  }

  private func through<T>(
    _ run: (() -> Void) -> Void,
    _ block: () throws -> T,
    rescue: (any Error) throws -> T
  ) rethrows -> T {
    var result: Result<T, any Error>?
    withoutActuallyEscaping(block) { block in
      run { result = Result { try block() } }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    case nil: preconditionFailure("the block was not run")
    }
  }

  /// How often the helper was called.
  public static var ownPerformCount: Int { ownCalls.withLock { $0 } }
}

private let ownCalls = Mutex(0)
