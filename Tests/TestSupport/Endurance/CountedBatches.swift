public import CoreData

/// Batch requests, one for each step, after which it is known what the store holds.
///
/// ```
/// 5g + 1   inserts the folder "group g"
/// 5g + 2   inserts twenty notes into it, two of them with images in files
/// 5g + 3   adds 1 to the rating of every note there is, the note "ledger" included
/// 5g + 4   gives every note with five stars another image
/// 5g + 5   deletes the folder "group g − 2", by Cascade with its notes
/// ```
///
/// The history has one transaction for each, after that of the beginning.
public struct CountedBatches: EndlessWork {
  private let stack: NotesStack
  private let context: NSManagedObjectContext
  private var number: Int
  private static let size = 20

  public init(at file: URL) throws {
    stack = try NotesStack(
      file: file,
      options: [
        NSPersistentHistoryTrackingKey: NSNumber(value: true),
        NSSQLitePragmasOption: ["cache_size": "4"],
      ]
    )
    context = stack.context()
    number = try context.performAndWait { [context] in try Self.stepCount(context) }
  }

  public static func begin(at file: URL) throws {
    let stack = try NotesStack(
      file: file,
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
    )
    try stack.work { context in
      context.note("ledger")
      try context.save()
    }
  }

  /// How many steps the store has seen.
  public static func stepCount(_ context: NSManagedObjectContext) throws -> Int {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(
      after: nil as NSPersistentHistoryToken?
    )
    request.resultType = .transactionsOnly
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return (result?.result as? [NSPersistentHistoryTransaction] ?? []).count - 1
  }

  public mutating func step() throws -> Int {
    number += 1
    try context.performAndWait { [context, number] in try Self.take(number, context) }
    return number
  }
}

// MARK: - A step

extension CountedBatches {
  private static func take(_ number: Int, _ context: NSManagedObjectContext) throws {
    let group = (number - 1) / 5
    switch (number - 1) % 5 {
    case 0:
      let folder: [String: Any] = ["name": "group \(group)"]
      try context.execute(NSBatchInsertRequest(entityName: "Folder", objects: [folder]))
    case 1:
      let request = NSFetchRequest<Folder>(entityName: "Folder")
      request.predicate = NSPredicate(format: "name == %@", "group \(group)")
      guard let folder = try context.fetch(request).first?.objectID else {
        throw CocoaError(.fileReadCorruptFile)
      }
      let rows = (0..<size).map { row(group, $0, folder) }
      try context.execute(NSBatchInsertRequest(entityName: "Note", objects: rows))
    case 2:
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.propertiesToUpdate = ["rating": NSExpression(format: "rating + 1")]
      try context.execute(request)
    case 3:
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.predicate = NSPredicate(format: "stars == 5")
      request.propertiesToUpdate = ["image": plainData(number, count: 105_000)]
      try context.execute(request)
    case _ where group < 2:
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.propertiesToUpdate = ["text": "nothing to delete yet"]
      try context.execute(request)
    case _:
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Folder")
      request.predicate = NSPredicate(format: "name == %@", "group \(group - 2)")
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
  }

  private static func row(_ group: Int, _ index: Int, _ folder: NSManagedObjectID) -> [String: Any]
  {
    [
      "title": "note \(group).\(index)", "views": group, "folder": folder,
      "stars": index < 2 ? 5 : 0, "image": plainData(group, count: index < 2 ? 110_000 : 20),
    ]
  }
}

// MARK: - Looking

extension CountedBatches {
  /// The content that the store must have after so many steps.
  public static func picture(after count: Int) -> [String] {
    let updates = (count + 2) / 5
    var lines = ["ledger \(updates)"]
    for group in 0...(max(count, 1) / 5) {
      let first = 5 * group + 1
      // Group g goes with the last step of group g + 2.
      if count < first || count >= first + 14 { continue }
      lines.append("group \(group)")
      if count < first + 1 { continue }
      for index in 0..<size {
        let last = (first...count).last { $0 % 5 == 4 }
        let image =
          index < 2
          ? last.map { "\($0 % 256)x105000" } ?? "\(group % 256)x110000" : "\(group % 256)x20"
        lines.append("note \(group).\(index) in group \(group) \(updates - group) \(image)")
      }
    }
    return lines.sorted()
  }

  /// The content of the store.
  public static func picture(_ context: NSManagedObjectContext) throws -> [String] {
    let folders = try context.fetch(Folder.fetchRequest()).map { $0.name ?? "-" }
    let notes = try context.fetch(Note.fetchRequest()).map { note in
      guard note.title != "ledger" else { return "ledger \(Int(note.rating))" }
      return """
        \(note.title ?? "-") in \(note.folder?.name ?? "-") \(Int(note.rating)) \
        \(plainWord(note.image))
        """
    }
    return (folders + notes).sorted()
  }
}
