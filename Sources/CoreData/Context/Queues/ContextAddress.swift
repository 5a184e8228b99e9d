import CoreDataCRuntime
import Synchronization

/// The address of a context, as long as it lives.
///
/// Safety: the pointer is behind the mutex, and the context takes it away before it dies.
final class ContextAddress: Sendable {
  private let pointer = Mutex<UInt>(0)

  var context: NSManagedObjectContext? {
    let found = pointer.withLock { address -> UInt in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address),
        coredata_retain_if_alive(pointer)
      else { return 0 }
      return address
    }
    return UnsafeMutableRawPointer(bitPattern: found).map {
      Unmanaged<NSManagedObjectContext>.fromOpaque($0).takeRetainedValue()
    }
  }

  /// Asks the context a short question without keeping it alive.
  ///
  /// Returns `nil` if it has ended.
  ///
  /// It cannot end during the question: it would have to take its address away first.
  func ask<Answer: Sendable>(_ question: (NSManagedObjectContext) -> Answer) -> Answer? {
    pointer.withLock { address in
      UnsafeMutableRawPointer(bitPattern: address).map {
        Unmanaged<NSManagedObjectContext>.fromOpaque($0)._withUnsafeGuaranteedRef(question)
      }
    }
  }

  func connect(_ context: NSManagedObjectContext?) {
    let address = context.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    pointer.withLock { $0 = address }
  }
}
