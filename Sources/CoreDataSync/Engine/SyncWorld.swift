package import CoreDataSyncCore
package import Foundation

/// The engine's view of the world: the time, random numbers, and the actions of a test between its
/// steps.
package struct SyncWorld {
  /// Milliseconds since 1970.
  package var time: () -> UInt64
  package var random: () -> UInt64
  /// The device's name for people; empty if it is not told to anybody.
  package var deviceName = ""
  /// The time of a save, by this device's clock, from the one that the store's history has.
  package var timeOfSave: (Date) -> Date = { $0 }
  /// By which stamp an occurrence of a member is known.
  package var dot: (Stamp) -> Stamp = { $0 }
  /// The numbers in tokens; `nil` if they are unknown.
  package var tokens: TokenNumbers?
  /// How many cells go in one message.
  package var cellsPerPush = 20_000
  package var cellsPerPage = 5_000
  /// How many objects are in memory at once.
  package var objectsPerPortion = 1_000
  /// Called where the program might end, or somebody else might write to the store.
  package var pass: (SyncMoment) throws -> Void = { _ in }

  package init(time: @escaping () -> UInt64, random: @escaping () -> UInt64) {
    self.time = time
    self.random = random
  }
}

/// A moment between two things that are done.
package enum SyncMoment: String, CaseIterable {
  case beforeDrain, whileDraining, beforeDrainIsKept, afterDrain
  case beforeMeeting, whileLearning
  case beforePush, afterPush, afterConfirmation
  case beforePull, afterPull, afterReceipt
  case beforeApply, beforeEdit, beforePending, beforeSave, afterSave, afterMark
}
