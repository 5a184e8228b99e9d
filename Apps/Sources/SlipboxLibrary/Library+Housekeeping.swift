import CoreData

extension Library {
  /// What is done now and then: takes what is not in the trash out of trashed folders, adopts what other programs
  /// have written while no slip box was open, deletes what was in the trash for thirty days or deleted for good an hour ago, and forgets the history of more than
  /// two weeks ago.
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
