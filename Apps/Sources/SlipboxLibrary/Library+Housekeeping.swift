import CoreData

extension Library {
  /// Does what has to be done now and then.
  ///
  /// - Takes notes that are not in the trash out of folders that are.
  /// - Adopts what other programs have written while no slip box was open.
  /// - Deletes what has been in the trash for thirty days, and what was deleted for good an hour ago.
  /// - Forgets the history of more than two weeks ago.
  public func purge() async throws {
    try await write(by: nil, Self.settle)
    try await catchUp()
    try await adoptWrittenMeanwhile()
    try await purgeTrash()
    try await purgeFiles()
    let limit = try await believedNow() - Self.historyLength
    try await write(by: nil) { context in
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: limit))
    }
  }

  /// Reads what searches read, so that whoever types first does not wait for the disk.
  ///
  /// With a hundred thousand notes the first search takes 150 ms without this, and 20 to 40 ms with it.
  public func warmUp() async throws {
    for sorting in NoteSorting.allCases {
      _ = try await notes(NoteQuery(NoteSearch(text: "a"), sorting: sorting, limit: 1))
    }
    _ = try await suggestions(text: "a", limit: 1)
  }

  private static let historyLength: TimeInterval = 14 * 86_400
}
