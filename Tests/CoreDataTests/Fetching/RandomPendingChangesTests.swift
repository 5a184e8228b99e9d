import CoreData
import TestSupport
import Testing

/// Fetches with unsaved changes, beside a plain model of the results.
@Suite struct RandomPendingChangesTests {
  @Test(arguments: StoreKind.with(.everyRequest), [1, 2, 3, 4] as [UInt64])
  func
    `what is found with unsaved changes is what a list that is sorted anew has, and a range is a part of that`(
      kind: StoreKind,
      seed: UInt64
    ) throws
  {
    try NotesStack(kind).work { context in
      var notes = PlainList(context, seed)
      for _ in 0..<40 { notes.insert() }
      try context.save()
      for _ in 0..<Tries.count(12, long: 200) {
        for _ in 0..<Int.random(in: 0..<8, using: &notes.dice) { notes.change() }
        try notes.compare()
        if Int.random(in: 0..<6, using: &notes.dice) == 0 { try notes.save() }
      }
    }
  }
}

/// Notes whose stars are often the same, in the order in which they were stored.
private struct PlainList {
  var dice: Dice
  private let context: NSManagedObjectContext
  private var stored: [Note] = []
  private var inserted: [Note] = []
  /// Stored notes, by their first change since the last save.
  private var updated: [Note] = []

  init(_ context: NSManagedObjectContext, _ seed: UInt64) {
    self.context = context
    dice = Dice(seed: seed)
  }

  mutating func insert() {
    let note = context.note("\(Int.random(in: 0..<8, using: &dice))")
    note.stars = Int16.random(in: 0..<4, using: &dice)
    inserted.append(note)
  }

  mutating func change() {
    guard Int.random(in: 0..<4, using: &dice) > 0, let note = stored.randomElement(using: &dice)
    else { return insert() }
    if Int.random(in: 0..<5, using: &dice) == 0 {
      context.delete(note)
      stored.removeAll { $0 === note }
      updated.removeAll { $0 === note }
      return
    }
    if !updated.contains(note) { updated.append(note) }
    if Bool.random(using: &dice) {
      note.stars = Int16.random(in: 0..<4, using: &dice)
    } else {
      note.title = "\(Int.random(in: 0..<8, using: &dice))"
    }
  }

  mutating func save() throws {
    try context.save()
    stored += inserted
    (inserted, updated) = ([], [])
    // In the order that the store has.
    let request = Note.fetchRequest()
    stored = try context.fetch(request)
  }

  mutating func compare() throws {
    let request = Note.fetchRequest()
    request.predicate = predicate()
    let descriptors = [
      NSSortDescriptor(key: "stars", ascending: Bool.random(using: &dice)),
      NSSortDescriptor(key: "title", ascending: Bool.random(using: &dice)),
    ]
    request.sortDescriptors = Array(descriptors.prefix(Int.random(in: 0...2, using: &dice)))
    let all = try context.fetch(request)
    let matching = (stored + inserted).filter { request.predicate?.evaluate(with: $0) ?? true }
    let expected = Set(matching)
    #expect(all.count == expected.count && Set(all) == expected)
    if request.sortDescriptors?.isEmpty == false {
      let values = all.map { "\($0.stars) \($0.title ?? "")" }
      let sorted = (matching as NSArray).sortedArray(using: request.sortDescriptors ?? [])
      let wanted = sorted.compactMap { $0 as? Note }.map { "\($0.stars) \($0.title ?? "")" }
      let columns = request.sortDescriptors?.count ?? 0
      #expect(values.map { key(of: $0, columns) } == wanted.map { key(of: $0, columns) })
    }
    request.fetchBatchSize = [0, 0, 3][Int.random(in: 0..<3, using: &dice)]
    request.fetchLimit = Int.random(in: 0..<12, using: &dice)
    request.fetchOffset = Int.random(in: 0..<12, using: &dice)
    let range = all.dropFirst(request.fetchOffset)
    let part = request.fetchLimit > 0 ? range.prefix(request.fetchLimit) : range
    #expect(try context.fetch(request).map(\.objectID) == part.map(\.objectID))
    #expect(try context.count(for: request) == part.count)
  }

  /// Some demand a value by which notes are told before the whole predicate is asked.
  private mutating func predicate() -> NSPredicate? {
    let stars = Int.random(in: 0...4, using: &dice)
    let title = "\(Int.random(in: 0..<8, using: &dice))"
    return switch Int.random(in: 0..<7, using: &dice) {
    case 0: NSPredicate(format: "stars < %d", stars)
    case 1: NSPredicate(format: "stars == %d", stars)
    case 2: NSPredicate(format: "title == %@", title)
    case 3: NSPredicate(format: "stars < %d AND title == %@", stars, title)
    case 4: NSPredicate(format: "title == %@ OR stars == %d", title, stars)
    case _: nil
    }
  }

  /// The part of a note's values that was sorted.
  private func key(of values: String, _ columns: Int) -> Substring {
    columns == 1 ? values.prefix(1) : values[...]
  }
}
