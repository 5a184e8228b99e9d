import Foundation

// Started with -com.apple.CoreData.ConcurrencyDebug 1 or COREDATA_CONCURRENCY_DEBUG=1, a program stops
// if it touches a context, or a property of a context's object, outside the context's queue. Otherwise the check is a
// bit of a byte that is read anyway.

extension ObjectRecord.Watch {
  /// Why accesses of a context's objects take the long way.
  static func watch(of type: NSManagedObjectContextConcurrencyType) -> Self {
    var watch: Self = type == .mainQueueConcurrencyType ? .trackable : []
    if DebugSettings.current.checksQueues, !type.isConfinement { watch.insert(.guarded) }
    return watch
  }
}

extension NSManagedObjectContext {
  /// Stops the program outside this context's queue, if it was asked to; every verb begins with it.
  @inline(__always)
  func checkQueue(_ verb: StaticString = #function) {
    if watch.contains(.guarded) { requireQueue("\(verb) was called") }
  }

  @inline(never)
  fileprivate func requireQueue(_ deed: @autoclosure () -> String) {
    if queue.isCurrent { return }
    stop(
      """
      \(deed())\(CallSite.current.map { " by \($0)" } ?? "") outside the queue of the context \
      \(nameForLogs), which is \(queue.isMain ? "the main queue" : "a private one"). Use perform or \
      performAndWait, or a context of its own; the backtrace says who called.
      """
    )
  }

  /// The name, or the address if it is `nil`.
  private var nameForLogs: String {
    name ?? "0x" + String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
  }
}

extension NSManagedObject {
  @inline(never)
  func checkQueue(_ slot: Int, _ use: SlotUse) {
    let verb = use == .reading ? "read" : "written"
    managedObjectContext?.requireQueue("\(layout.name).\(layout.slots[slot].name) was \(verb)")
  }
}

/// Finds the caller of this module; `nil` if the program's symbols do not show it.
private enum CallSite {
  static var current: String? {
    let frames = Thread.callStackSymbols
    guard let inside = frames.lastIndex(where: { $0.contains("$s8CoreData") }) else { return nil }
    return frames.dropFirst(inside + 1).first
  }
}
