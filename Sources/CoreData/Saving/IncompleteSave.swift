import Foundation

/// A save of several stores that some have written and others have not.
///
/// Stores are prepared so that this hardly happens: every plan is made, and everything written, before
/// the first commit. It can if a disk fails between two commits, and in custom stores, which cannot take back what
/// they have sent.
struct IncompleteSave {
  /// The parts that are in their stores.
  let saved: [StoreSave]
  let failed: [StoreSave]
  let cause: any Error

  /// 134040, with the stores and objects that were not saved.
  var error: NSError {
    let names = { (stores: [NSPersistentStore]) in
      stores.map { $0.url?.lastPathComponent ?? $0.type }.joined(separator: ", ")
    }
    return FailureText(
      description: "Some of the changes could not be saved.",
      reason: "\(names(saved.map(\.store))) has its changes, and "
        + "\(names(failed.map(\.store))) has not: \((cause as NSError).localizedDescription)",
      suggestion: "What is not saved is still in the context; mend the cause and save again."
    ).error(
      code: NSPersistentStoreIncompleteSaveError,
      userInfo: [
        NSAffectedStoresErrorKey: failed.map(\.store),
        NSAffectedObjectsErrorKey: failed.flatMap(\.changes.all),
        NSUnderlyingErrorKey: cause as NSError,
      ]
    )
  }
}
