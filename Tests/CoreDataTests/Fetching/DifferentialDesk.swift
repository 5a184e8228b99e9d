import Foundation
import TestSupport

@testable import CoreData

/// The same notes, folders and tags in a store of each kind, under the same keys.
struct DifferentialDesk {
  let memory: NotesStack
  /// The one that has to find the same.
  let other: NotesStack

  static let noteCount = 48
  static let folderCount = 8
  static let tagCount = 6

  init(seed: UInt64, against kind: StoreKind = .sqlite) throws {
    memory = try NotesStack(.memory)
    other = try NotesStack(kind)
    for stack in [memory, other] {
      var random = SeededGenerator(state: seed)
      let context = stack.context()
      try context.performAndWait { try Self.fill(context, &random, kind) }
    }
  }

  /// Each object is saved by itself, so that its key is its number; then they are connected.
  private static func fill(
    _ context: NSManagedObjectContext,
    _ random: inout SeededGenerator,
    _ kind: StoreKind
  ) throws {
    let names = DifferentialValues.texts(for: kind).filter { !$0.isEmpty }
    let tags = try (0..<tagCount).map { _ in
      try saved(TestSupport.Tag(context: context)) { $0.name = random.one(of: names) }
    }
    let folders = try (0..<folderCount).map { _ in
      try saved(Folder(context: context)) { $0.name = random.one(of: names) }
    }
    let notes = try (0..<noteCount).map { number in
      try saved(number % 4 == 0 ? Checklist(context: context) : Note(context: context)) { note in
        note.uuid = DifferentialValues.code(number)
        DifferentialValues.fill(note, &random, for: kind)
      }
    }
    for (index, folder) in folders.enumerated().dropFirst(2) where random.chance(3, of: 4) {
      folder.parent = folders[random.index(below: index)]
      folder.cover = random.perhaps(notes)
    }
    for note in notes {
      note.folder = random.perhaps(Array(folders.dropLast(2)))
      if random.chance(1, of: 3) { note.pinnedIn = random.one(of: folders) }
      note.tags = NSSet(array: tags.filter { _ in random.chance(1, of: 4) })
      for other in notes where random.chance(1, of: 30) { note.addToRelated(other) }
    }
    try context.save()
  }

  private static func saved<Object: NSManagedObject>(
    _ object: Object,
    _ fill: (Object) -> Void
  ) throws -> Object {
    fill(object)
    try object.managedObjectContext?.save()
    return object
  }
}

/// The few values that are drawn from, so that predicates meet them.
enum DifferentialValues {
  static let texts = [
    "", "Swift", "swift", "SWIFT guide", "Café", "cafe", "Ärger", "ärger", "a_b%c",
    "O'Brien", "say \"hi\"", "日本語", "straße", "STRASSE", "a.b", "note 2", "note 10", "i", "I", "İ",
    "ﬁne", "fine", "*?\\", "a\u{0}b", "😀 ok", "naïve – “quoted”", "Ελλάδα", "line\r\nend", "łódź",
  ]
  static let integers: [Int64] = [-2, 0, 1, 2, 3, 5, 7, .max, .min, 1 << 53, (1 << 53) + 1]
  static let reals = [
    -1.5, -0.0, 0, 0.1, 0.30000000000000004, 1, 2.5, 1e300, -1e300, .leastNonzeroMagnitude,
    9_007_199_254_740_992,
  ]
  static let decimals = ["0", "0.1", "0.3", "1", "2.50", "-7", "12345.6789"]
    .compactMap { Decimal(string: $0) }
  static let dates = [-3600.0, 0, 1, 0.1, 700_000_000.123456, -1e9].map {
    Date(timeIntervalSinceReferenceDate: $0)
  }
  static let links = ["https://swift.org", "https://swift.org/a", "note:1"]
    .compactMap { URL(string: $0) }

  static func code(_ number: Int) -> UUID {
    let byte = UInt8(truncatingIfNeeded: number &* 37)
    return UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  }

  /// The texts that a kind of stores can keep, as many for all.
  static func texts(for kind: StoreKind) -> [String] {
    kind.has(.zeroInText) ? texts : texts.map { $0.replacing("\0", with: "0") }
  }

  static func fill(
    _ note: Note,
    _ random: inout SeededGenerator,
    for kind: StoreKind = .sqlite
  ) {
    note.title = random.perhaps(texts(for: kind))
    note.text = random.perhaps(texts(for: kind))
    note.stars = Int16(random.index(below: 6))
    note.views = random.perhaps(integers).map { NSNumber(value: $0) }
    note.rating = random.one(of: reals)
    note.price = random.perhaps(decimals).map { NSDecimalNumber(decimal: $0) }
    note.created = random.perhaps(dates)
    note.link = random.perhaps(links)
    note.isFavourite = random.chance(1, of: 2)
    (note as? Checklist)?.itemCount = Int32(random.index(below: 4))
  }
}
