import CoreData

// While a slip box is open it notices the changes of other programs, and updates the dependent parts of a note: its
// text, the words and signs that searches read, its tasks and links. Changes made while none is open are in the
// history. The store keeps the position up to which that has been read.

extension Library {
  /// Adopts the texts and titles that other programs have written while no slip box was open.
  func adoptWrittenMeanwhile() async throws {
    let (first, last) = changes.span
    let known = try await read { Self.transactionKnown($0) }
    if known < first {
      let edited = try await read {
        try HistoryReader($0).uncountedEdits(after: known, through: first)
      }
      let (ids, now) = (Array(edited.notes), now())
      for start in stride(from: 0, to: ids.count, by: Self.adoptedAtOnce) {
        let some = ids[start..<min(start + Self.adoptedAtOnce, ids.count)]
        try await write(by: nil) { context in
          try Self.adopt(some, of: edited, at: now, in: context)
          if some.endIndex == ids.endIndex { Self.markKnown(first, context) }
          try context.save()
          context.reset()
        }
      }
    }
    // From here on it was heard.
    if known < last { try await write(by: nil) { Self.markKnown(last, $0) } }
  }

  private static let adoptedAtOnce = 200
}

// MARK: - The mark

extension Library {
  private static let knownMark = "SlipboxTransactionKnown"

  private static func transactionKnown(_ context: NSManagedObjectContext) -> Int64 {
    let store = context.persistentStoreCoordinator?.persistentStores.first
    let number = store?.metadata[knownMark] as? Int ?? 0
    return Int64(number)
  }

  /// The mark is written with the next save.
  private static func markKnown(_ number: Int64, _ context: NSManagedObjectContext) {
    guard let coordinator = context.persistentStoreCoordinator,
      let store = coordinator.persistentStores.first
    else { return }
    var metadata = coordinator.metadata(for: store)
    metadata[knownMark] = Int(number)
    coordinator.setMetadata(metadata, for: store)
  }
}
