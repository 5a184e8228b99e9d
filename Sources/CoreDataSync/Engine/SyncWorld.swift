/// What the engine knows of the world: the time, chance, and what a test does between its steps.
struct SyncWorld {
  /// Milliseconds since 1970.
  var time: () -> UInt64
  var random: () -> UInt64
  /// Called where the program might end, or somebody else might write to the store.
  var pass: (SyncMoment) throws -> Void = { _ in }
}

/// A moment between two things that are done.
enum SyncMoment: String, CaseIterable {
  case beforeDrain, whileDraining, beforeDrainIsKept, afterDrain
  case beforePush, afterPush, afterConfirmation
  case beforePull, afterPull, afterReceipt
  case beforeApply, beforeEdit, beforePending, beforeSave, afterSave, afterMark
}
