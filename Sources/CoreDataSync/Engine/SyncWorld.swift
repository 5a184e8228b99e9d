package import CoreDataSyncCore
package import Foundation

/// What the engine knows of the world: the time, chance, and what a test does between its steps.
package struct SyncWorld {
  /// Milliseconds since 1970.
  package var time: () -> UInt64
  package var random: () -> UInt64
  /// What people call this device; empty where that is told to nobody.
  package var deviceName = ""
  /// The time of a save, by this device's clock, from the one that the store's history has.
  package var timeOfSave: (Date) -> Date = { $0 }
  /// By which stamp an occurrence of a member is known.
  package var dot: (Stamp) -> Stamp = { $0 }
  /// What tokens say; nil where nobody tells.
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
