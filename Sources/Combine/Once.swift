import Foundation

/// A closure that runs at most once.
final class Once {
  private let lock = NSLock()
  private var body: (() -> Void)?

  func set(_ body: @escaping () -> Void) {
    lock.withLock { self.body = body }
  }

  func run() {
    let body = lock.withLock {
      defer { self.body = nil }
      return self.body
    }
    body?()
  }
}

/// A value that several threads set and read.
final class Latest<Value> {
  private let lock = NSLock()
  private var stored: Value?

  init(_ value: Value? = nil) { stored = value }

  var value: Value? { lock.withLock { stored } }

  /// Sets the value unless it is set already.
  func setFirst(_ value: Value) {
    lock.withLock { if stored == nil { stored = value } }
  }

  /// Changes the value, and returns what the change returns.
  func change<Answer>(_ body: (inout Value?) -> Answer) -> Answer {
    lock.withLock { body(&stored) }
  }
}

/// A value that goes to another thread, where only one of them uses it at a time.
///
/// Safety: Combine leaves it to the program which thread uses a value.
struct Carried<Value>: @unchecked Sendable {
  let value: Value
}
