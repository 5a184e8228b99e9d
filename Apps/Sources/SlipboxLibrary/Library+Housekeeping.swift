import CoreData

extension Library {
  /// Does the regular housekeeping.
  ///
  /// - Takes notes that are not in the trash out of folders that are.
  /// - Adopts the changes of other programs while no slip box was open.
  /// - Deletes notes that have been in the trash for thirty days, and those that were deleted for good an hour ago.
  /// - Ends the links of published notes that are gone.
  /// - Begins to read the texts of PDFs that were not read yet.
  /// - Forgets the history of more than two weeks ago.
  public func purge() async throws {
    try await write(by: nil, Self.settle)
    try await catchUp()
    try await recognizeFiles()
    try await adoptWrittenMeanwhile()
    try await adoptArrivals()
    try await adoptLostTexts()
    try await purgeWordings()
    try await purgeTrash()
    try await purgeFiles()
    fileTexts.readSoon()
    let limit = try await believedNow() - Self.historyLength
    try await write(by: nil) { context in
      _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: limit))
    }
    // A damaged file of links is reported, and does not keep the rest from being done.
    try await stopPublishingErased()
  }

  /// Reads the tables that searches read, so that the first person to type does not wait for the disk.
  ///
  /// Questions are answered at the same time. With a hundred thousand notes the first search takes 150 ms without this,
  /// and 20 to 40 ms with it.
  public func warmUp() async throws {
    let context = controller.container.newBackgroundContext()
    context.name = PersistenceController.contextName("warming up")
    let (search, now) = (NoteSearch(text: "a"), now())
    for sorting in NoteSorting.allCases {
      try await context.performCancellable {
        let list = try NoteList(search, sorting, now: now, in: context)
        _ = try list.rows(0..<1, of: try list.outline(today: now), words: search.words)
        context.reset()
      }
    }
    try await context.performCancellable {
      _ = try Self.notes(named: "a", limit: 1, in: context)
      _ = try Self.keywords(named: "a", limit: 1, in: context)
      context.reset()
    }
  }

  private static let historyLength: TimeInterval = 14 * 86_400
}
