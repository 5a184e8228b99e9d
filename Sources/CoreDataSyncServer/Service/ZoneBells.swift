package import Foundation

/// Wakes whoever waits for a change of a zone.
///
/// Safety: the counts are behind the condition.
package final class ZoneBells: @unchecked Sendable {
  private let condition = NSCondition()
  private var heads: [String: UInt64] = [:]
  private var hasStopped = false

  package init() {}

  /// Notes the number of a zone's last change.
  package func ring(_ zone: String, head: UInt64) {
    condition.lock()
    heads[zone] = max(heads[zone] ?? 0, head)
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until a zone has a later change than that, for at most so long.
  package func wait(for zone: String, after number: UInt64, until end: Date) {
    condition.lock()
    defer { condition.unlock() }
    while !hasStopped, heads[zone] ?? 0 <= number {
      if !condition.wait(until: end) { return }
    }
  }

  package var isStopped: Bool {
    condition.lock()
    defer { condition.unlock() }
    return hasStopped
  }

  /// Lets everybody go, also those who come later.
  package func stop() {
    condition.lock()
    hasStopped = true
    condition.broadcast()
    condition.unlock()
  }
}
