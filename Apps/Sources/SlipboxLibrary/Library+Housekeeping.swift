import CoreData

extension Library {
  /// What is done once when the program starts: deletes what was in the trash for thirty days, and
  /// forgets the history of more than two weeks ago.
  public func purge() async throws {
    try await purgeTrash()
    let limit = now() - Self.historyLength
    try await write(by: nil) { context in
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: limit))
    }
  }

  private static let historyLength: TimeInterval = 14 * 86_400
}
