import Synchronization

/// Hears what the connections of the process do.
///
/// Called by the thread that has the connection, in the middle of its work.
package protocol ConnectionMeter: AnyObject, Sendable {
  /// How long a statement has to take for its plan to be in the report; nil for no plans.
  var timeForPlan: Duration? { get }
  func ran(_ report: StatementReport, in path: String)
  /// How long somebody waited until a connection was free; asked of those who had to wait.
  func waited(_ time: Duration, toWrite: Bool, in path: String)
}

/// The meter that observes connections.
///
/// Usually there is none, and then lending a connection costs one look.
package enum Metering {
  private static let isOn = Atomic(false)
  private static let current = Mutex<(any ConnectionMeter)?>(nil)

  package static func set(_ meter: (any ConnectionMeter)?) {
    current.withLock { current in
      current = meter
      isOn.store(meter != nil, ordering: .releasing)
    }
  }

  @inline(__always)
  static var meter: (any ConnectionMeter)? {
    isOn.load(ordering: .acquiring) ? current.withLock { $0 } : nil
  }
}

extension Connection {
  /// Reports to the present meter, if there is one; called whenever the connection is lent.
  func follow(_ meter: (any ConnectionMeter)?) {
    guard meter !== trace?.meter else { return }
    if trace == nil { follow(with: [], nil) }
    trace?.meter = meter
    if meter == nil, trace?.reportsToNobody == true { stopFollowing() }
  }
}
