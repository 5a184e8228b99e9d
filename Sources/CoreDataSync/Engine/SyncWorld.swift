import CoreDataSyncCore
import Foundation

/// What the engine knows of the world: the time, chance, and what a test does between its steps.
struct SyncWorld {
  /// Milliseconds since 1970.
  var time: () -> UInt64
  var random: () -> UInt64
  /// The time of a save, by this device's clock, from the one that the store's history has.
  var timeOfSave: (Date) -> Date = { $0 }
  /// By which stamp an occurrence of a member is known.
  var dot: (Stamp) -> Stamp = { $0 }
  /// How many cells go in one message.
  var cellsPerPush = 20_000
  var cellsPerPage = 5_000
  /// How many objects are in memory at once.
  var objectsPerPortion = 1_000
  /// Called where the program might end, or somebody else might write to the store.
  var pass: (SyncMoment) throws -> Void = { _ in }
}

/// A moment between two things that are done.
enum SyncMoment: String, CaseIterable {
  case beforeDrain, whileDraining, beforeDrainIsKept, afterDrain
  case beforeMeeting, whileLearning
  case beforePush, afterPush, afterConfirmation
  case beforePull, afterPull, afterReceipt
  case beforeApply, beforeEdit, beforePending, beforeSave, afterSave, afterMark
}
