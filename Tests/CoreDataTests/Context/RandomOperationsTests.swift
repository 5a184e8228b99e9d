import CoreData
import TestSupport
import Testing

/// Hundreds of random steps in two contexts, compared with plain values.
@Suite struct RandomOperationsTests {
  @Test(arguments: Tries.dealt(Array(1...9) + [38, 42], to: StoreKind.with(.everyRequest)))
  func `two contexts hold what plain values hold`(kind: StoreKind, seed: UInt64) throws {
    try work(in: NotesStack(kind), seed)
  }

  @Test(arguments: StoreKind.with(.reopening), [1, 2, 3] as [UInt64])
  func `two contexts of other stores hold what plain values hold, and so do their files`(
    store: StoreKind,
    seed: UInt64
  ) throws {
    let stack = try store.stack()
    try work(in: stack, seed)
    let before = try stack.work { context in try PlainNotes(context) }
    let again = try store.reopened(stack)
    try again.work { context in
      let found = try PlainNotes(context)
      #expect(found.differences(from: before) == [])
    }
  }

  private func work(in stack: NotesStack, _ seed: UInt64) throws {
    var dice = Dice(seed: seed)
    var works = [
      RandomWork(stack.context(), PlainNotes(), prefix: "a"),
      RandomWork(stack.context(), PlainNotes(), prefix: "b"),
    ]
    var stored = PlainNotes()
    for session in 0..<24 {
      let index = session % 2
      let context = works[index].context
      stored = try context.performAndWait {
        context.refreshAllObjects()
        works[index].begin(stored)
        try run(&works[index], &dice, stored, steps: 12)
        return try end(&works[index], &dice, stored, in: stack)
      }
      try stack.work { context in
        let found = try PlainNotes(context)
        try #require(found.differences(from: stored) == [], "\(works[index].steps)")
        try #require(checkInvariants(of: context) == [], "\(works[index].steps)")
      }
    }
  }

  private func run(
    _ work: inout RandomWork,
    _ dice: inout Dice,
    _ stored: PlainNotes,
    steps: Int
  ) throws {
    for _ in 0..<steps {
      try work.step(&dice)
      try #require(checkInvariants(of: work.context) == [], "\(work.steps)")
      // Reading everything each time would leave no faults to be found.
      if Int.random(in: 0..<4, using: &dice) == 0 { try compare(work) }
    }
    try compare(work)
  }

  private func compare(_ work: RandomWork) throws {
    let found = try PlainNotes(work.context)
    try #require(found.differences(from: work.plain) == [], "\(work.steps)")
    try #require(checkInvariants(of: work.context) == [], "\(work.steps)")
  }

  /// Ends the session with a rollback or a save, which may meet a change made in between; returns the notes that are
  /// stored then.
  private func end(
    _ work: inout RandomWork,
    _ dice: inout Dice,
    _ stored: PlainNotes,
    in stack: NotesStack
  ) throws -> PlainNotes {
    let context = work.context
    if Int.random(in: 0..<4, using: &dice) == 0 {
      context.rollback()
      #expect(!context.hasChanges)
      work.begin(stored)
      try compare(work)
      return stored
    }
    let changed = try interfere(stack, &dice, stored)
    do {
      try context.save()
    } catch let error as NSError where error.code == 133_020 && changed != nil {
      let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict]
      #expect(conflicts?.map { ($0.sourceObject as? Note)?.key } == [changed])
      try compare(work)
      return try resolve(work, changed, stored)
    }
    #expect(!context.hasChanges)
    var result = work.plain
    if let changed { result.notes[changed]?.title = "theirs" }
    context.refreshAllObjects()
    work.begin(result)
    try compare(work)
    return result
  }

  /// Sometimes changes the title of a stored note in a third context.
  private func interfere(
    _ stack: NotesStack,
    _ dice: inout Dice,
    _ stored: PlainNotes
  ) throws -> String? {
    guard Bool.random(using: &dice),
      let key = stored.notes.keys.sorted().randomElement(using: &dice)
    else { return nil }
    try stack.work { context in
      for note in try context.fetch(Note.fetchRequest()) where note.key == key {
        note.title = "theirs"
      }
      try context.save()
    }
    return key
  }

  /// Takes in a change made in between, or gives up if the changed note should have been deleted.
  private func resolve(
    _ work: RandomWork,
    _ changed: String?,
    _ stored: PlainNotes
  ) throws -> PlainNotes {
    let context = work.context
    var result = work.plain
    if let changed, result.notes[changed] == nil {
      context.rollback()
      context.refreshAllObjects()
      result = stored
      result.notes[changed]?.title = "theirs"
    } else {
      context.refreshAllObjects()
      if let changed, !work.retitled.contains(changed) {
        result.notes[changed]?.title = "theirs"
      }
      try context.save()
    }
    let found = try PlainNotes(context)
    try #require(found.differences(from: result) == [], "\(work.steps)")
    return result
  }
}
