public import CoreData

/// Saves that leave a store which says of itself what it should be.
///
/// ```
/// the note "ledger"     views   how many steps there were: each changes it, so that the history has
///                               as many transactions that do
///                       text    what everything else was like when the last one was saved
/// notes "account 0" …   views   always 800 in all
/// notes "work 7" …              those of the last twelve steps; in folders, pinned, with tags and
///                               related notes, and images in files of their own
/// ```
public struct Ledger: EndlessWork {
  private let stack: NotesStack
  private let context: NSManagedObjectContext
  public static let accountCount = 8
  public static let total: Int64 = 800
  private static let workCount = 12

  public init(at file: URL) throws {
    // So small a cache lets pages of unfinished saves reach the log.
    try self.init(at: file, pragmas: ["cache_size": "4"])
  }

  private init(at file: URL, pragmas: [String: String]) throws {
    stack = try NotesStack(
      file: file,
      options: [
        NSPersistentHistoryTrackingKey: NSNumber(value: true), NSSQLitePragmasOption: pragmas,
      ]
    )
    context = stack.context()
    context.transactionAuthor = "ledger"
  }

  public static func begin(at file: URL) throws {
    let work = try Ledger(at: file, pragmas: [:])
    try work.context.performAndWait { [context = work.context] in
      for number in 0..<4 { context.folder("folder \(number)") }
      for number in 0..<5 { context.tag("tag \(number)") }
      for number in 0..<accountCount {
        context.note("account \(number)").views = NSNumber(value: total / Int64(accountCount))
      }
      let ledger = context.note("ledger")
      ledger.views = 0
      try context.save()
      ledger.text = try picture(context).joined(separator: "\n")
      try context.save()
    }
  }

  public mutating func step() throws -> Int {
    try context.performAndWait { [context] in
      let notes = try context.fetch(Note.fetchRequest())
      let byTitle = Dictionary(uniqueKeysWithValues: notes.map { ($0.title ?? "", $0) })
      guard let ledger = byTitle["ledger"] else { throw CocoaError(.fileReadCorruptFile) }
      let number = (ledger.views?.intValue ?? 0) + 1
      var random = RepeatableNumbers(seed: number)
      try Self.work(number, byTitle, context, &random)
      Self.transfer(byTitle, &random)
      ledger.views = NSNumber(value: number)
      context.processPendingChanges()
      ledger.text = try Self.picture(context).joined(separator: "\n")
      try context.save()
      return number
    }
  }
}

// MARK: - A step

extension Ledger {
  private static func work(
    _ number: Int,
    _ notes: [String: Note],
    _ context: NSManagedObjectContext,
    _ random: inout RepeatableNumbers
  ) throws {
    let folders = try context.fetch(Folder.fetchRequest()).sorted { $0.name ?? "" < $1.name ?? "" }
    let tags = try context.fetch(Tag.fetchRequest()).sorted { $0.name ?? "" < $1.name ?? "" }
    let works = (max(1, number - workCount)..<number).compactMap { notes["work \($0)"] }
    let new = context.note("work \(number)", in: folders.randomElement(using: &random))
    new.image = image(number, &random)
    new.tags = NSSet(array: tags.filter { _ in Bool.random(using: &random) })
    new.related = NSSet(array: works.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
    if Bool.random(using: &random) { folders.randomElement(using: &random)?.addToPinned(new) }
    if let other = works.randomElement(using: &random) {
      other.folder = folders.randomElement(using: &random)
      other.image = image(number + 100, &random)
      other.tags = NSSet(array: tags.filter { _ in Bool.random(using: &random) })
      other.text = "changed by \(number)"
    }
    if let last = notes["work \(number - workCount)"] { context.delete(last) }
  }

  /// None, a small one, or one that gets a file of its own.
  private static func image(_ number: Int, _ random: inout RepeatableNumbers) -> Data? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: nil
    case 1: plainData(number, count: 110_000)
    case _: plainData(number, count: Int.random(in: 1..<3000, using: &random))
    }
  }

  private static func transfer(_ notes: [String: Note], _ random: inout RepeatableNumbers) {
    let amount = Int64.random(in: 1...20, using: &random)
    for sign: Int64 in [-1, 1] {
      let account = notes["account \(Int.random(in: 0..<accountCount, using: &random))"]
      account?.views = NSNumber(value: (account?.views?.int64Value ?? 0) + sign * amount)
    }
  }
}

// MARK: - Looking

extension Ledger {
  /// Everything but the ledger itself, a line for each object, from both ends of every relationship.
  public static func picture(_ context: NSManagedObjectContext) throws -> [String] {
    let notes = try context.fetch(Note.fetchRequest()).filter { $0.title != "ledger" }
    let folders = try context.fetch(Folder.fetchRequest())
    let tags = try context.fetch(Tag.fetchRequest())
    return notes.map(line).sorted() + folders.map(line).sorted() + tags.map(line).sorted()
  }

  private static func line(_ note: Note) -> String {
    """
    note \(note.title ?? "-") \(note.views ?? 0) \(note.text ?? "-") \(plainWord(note.image)) \
    in \(note.folder?.name ?? "-") on \(note.pinnedIn?.name ?? "-") \
    tags \(names(note.tags, "name").sorted()) related \(names(note.related, "title").sorted())
    """
  }

  private static func line(_ folder: Folder) -> String {
    """
    folder \(folder.name ?? "-") notes \(folder.titles) pinned \(folder.pinnedTitles)
    """
  }

  private static func line(_ tag: Tag) -> String {
    "tag \(tag.name ?? "-") notes \((tag.notes?.array as? [Note] ?? []).map { $0.title ?? "-" })"
  }

  private static func names(_ set: NSSet?, _ key: String) -> [String] {
    (set as? Set<NSManagedObject> ?? []).map { $0.value(forKey: key) as? String ?? "-" }
  }
}
