import CoreData
import TestSupport
import Testing

/// Random steps in three generations, compared with plain values.
///
/// Changes go up some levels at the end of each session, and may wait there; the next session is at
/// the deepest level that has unsaved changes, or below.
@Suite struct RandomFamilyTests {
  @Test(arguments: Tries.dealt(1...8, to: StoreKind.with(.everyRequest)))
  func `three generations hold what plain values hold`(kind: StoreKind, seed: UInt64) throws {
    let stack = try NotesStack(kind)
    let root = stack.context()
    try root.performAndWait {
      var dice = Dice(seed: seed)
      var family = Family(root, keepsObjects: seed % 2 == 0)
      var plain = PlainNotes()
      for _ in 0..<24 {
        plain = try family.session(plain, &dice)
        guard family.isStored else { continue }
        try stack.work { context in
          try #require(try PlainNotes(context).differences(from: plain) == [])
          try #require(checkInvariants(of: context) == [])
        }
      }
    }
  }
}

/// A context, its child and its grandchild at work.
private struct Family {
  private var works: [RandomWork]
  /// The deepest level with unsaved changes; nil when all is stored.
  private var deepest: Int?

  var isStored: Bool { deepest == nil }

  init(_ root: NSManagedObjectContext, keepsObjects: Bool) {
    let child = root.child()
    let contexts = [root, child, child.child()]
    for context in contexts { context.retainsRegisteredObjects = keepsObjects }
    works = zip(contexts, ["a", "b", "c"]).map { RandomWork($0, PlainNotes(), prefix: $1) }
  }

  /// Works at one level and takes the changes up; returns the level's content afterwards.
  mutating func session(_ plain: PlainNotes, _ dice: inout Dice) throws -> PlainNotes {
    let level = Int.random(in: (deepest ?? 0)..<works.count, using: &dice)
    for work in works[...level] { refresh(work.context) }
    works[level].begin(plain)
    try compare(level, "at the beginning")
    for _ in 0..<10 { try step(level, &dice) }
    try compare(level, "after its steps")
    if level > deepest ?? -1, Int.random(in: 0..<5, using: &dice) == 0 {
      let context = works[level].context
      context.performAndWait { context.rollback() }
      works[level].begin(plain)
      try compare(level, "after a rollback")
      return plain
    }
    try save(from: level, to: Int.random(in: -1...level, using: &dice))
    return works[level].plain
  }

  private mutating func step(_ level: Int, _ dice: inout Dice) throws {
    let context = works[level].context
    try context.performAndWait {
      try works[level].step(&dice)
      try #require(checkInvariants(of: context) == [], "\(works[level].steps)")
    }
  }

  private mutating func save(from level: Int, to target: Int) throws {
    for saving in stride(from: level, to: target, by: -1) {
      let context = works[saving].context
      try context.performAndWait {
        try context.save()
        try #require(!context.hasChanges)
      }
      try compare(saving, "after its save", to: works[level].plain)
      if saving > 0 {
        try compare(saving - 1, "after its child's save", to: works[level].plain)
      }
    }
    deepest = target < 0 ? nil : target
  }

  private func refresh(_ context: NSManagedObjectContext) {
    context.performAndWait {
      if !context.hasChanges { context.refreshAllObjects() }
    }
  }

  private func compare(_ level: Int, _ moment: String, to plain: PlainNotes? = nil) throws {
    let context = works[level].context
    try context.performAndWait {
      let differences = try PlainNotes(context).differences(from: plain ?? works[level].plain)
      try #require(differences == [], "level \(level) \(moment): \(works.map(\.steps))")
      try #require(checkInvariants(of: context) == [], "level \(level) \(moment)")
    }
  }
}
