import Foundation

// Started with -com.apple.CoreData.ConcurrencyDebug 1 or COREDATA_CONCURRENCY_DEBUG=1, a program stops
// where it touches a context, or a property of a context's object, outside the context's queue. Else
// the check is a bit of a byte that is read anyway.

extension ObjectRecord.Watch {
  /// Why accesses of a context's objects take the long way.
  static func watch(of type: NSManagedObjectContextConcurrencyType) -> Self {
    var watch: Self = type == .mainQueueConcurrencyType ? .trackable : []
    if DebugSettings.current.checksQueues { watch.insert(.guarded) }
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
      \(deed()) outside the queue of the context \(nameForLogs), \
      \(queue.isMain ? "which is the main queue" : "which is a private one"), by \(CallSite.current). \
      Use perform or performAndWait, or a context of its own.
      """
    )
  }

  /// The name, or the address where there is none.
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

/// Who called into this module, as far as the program's symbols say.
private enum CallSite {
  static var current: String {
    let frames = Thread.callStackSymbols
    let own = "$s8CoreData"
    let inside = frames.lastIndex { $0.contains(own) } ?? 0
    return frames.dropFirst(inside + 1).first ?? "an unknown caller"
  }
}
