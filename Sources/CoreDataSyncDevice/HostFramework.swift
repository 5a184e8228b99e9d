import CoreDataSync
import Foundation

/// The demands of an engine's driver on the framework below it, beside the engine's own use of it.
///
/// `current` is that of the framework of the package: Apple's, or ours.
struct HostFramework: Sendable {
  /// The numbers in the tokens of a history; `nil` if the framework does not reveal them.
  let tokens: @Sendable () -> TokenNumbers?
  /// Does the work of the engine's thread.
  let run: @Sendable (Wishes, () -> Void) -> Void
  /// Whether the calling code runs on the main queue, for which observers with `queue: .main` wait.
  let isMainQueueRunning: @Sendable () -> Bool
  /// Called by the engine's thread between its steps, and before it saves at somebody's request.
  let pass: @Sendable (Wishes, SyncMoment) throws -> Void
}

extension HostFramework {
  /// Apple's framework, as far as it is documented.
  ///
  /// It does not say when it tells observers of a save, so the whole save counts as that: somebody who ends the exchange
  /// waits for a save that takes longer than a second no more than for its observers.
  static let documented = HostFramework(
    tokens: { nil },
    run: { _, work in work() },
    isMainQueueRunning: { Thread.isMainThread },
    pass: { wishes, moment in
      // A save that has failed comes by at another moment.
      if wishes.isAnnouncing { wishes.announcementEnds() }
      guard moment == .beforeSave else { return }
      try wishes.checkSave()
      wishes.announcementBegins()
    }
  )
}
