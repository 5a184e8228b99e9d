import CoreData
import Foundation
import TestSupport
import Testing

/// Random steps in three contexts that hear of each other's saves, compared with plain values.
@Suite struct RandomMergingTests {
  @Test(arguments: Tries.dealt([1, 2, 3, 4, 5, 6, 7, 8, 35], to: StoreKind.with(.everyRequest)))
  func `contexts that merge hold what plain values hold, under their own drafts (83, 87, 91)`(
    kind: StoreKind,
    seed: UInt64
  ) throws {
    let stack = try NotesStack(kind)
    var dice = Dice(seed: seed)
    var office = Office(stack, mergesByItself: seed % 2 == 0, keepsObjects: seed % 3 > 0)
    for _ in 0..<24 {
      try office.session(&dice)
      try stack.work { context in
        let differences = try PlainNotes(context).differences(from: office.stored)
        try #require(differences == [], "stored: \(office.log)")
        try #require(checkInvariants(of: context) == [], "stored: \(office.log)")
      }
    }
  }
}

/// Two contexts of a coordinator, and a child of the first.
///
/// ```
/// coordinator ─┬─ desk ─── child
///              └─ reader
/// ```
///
/// One works at a time, and leaves its changes in the store or gives them up. Then it may draft some
/// titles, which stay there unsaved while the others work.
private struct Office {
  private(set) var stored = PlainNotes()
  private(set) var log: [String] = []
  private var works: [RandomWork]
  private var drafts: [[String: String]] = [[:], [:], [:]]
  private var number = 0
  private let mergesByItself: Bool

  private static let (desk, child, reader) = (0, 1, 2)

  init(_ stack: NotesStack, mergesByItself: Bool, keepsObjects: Bool) {
    let desk = stack.context()
    let contexts = [desk, desk.child(), stack.context()]
    for context in contexts {
      context.retainsRegisteredObjects = keepsObjects
      context.automaticallyMergesChangesFromParent = mergesByItself
    }
    works = zip(contexts, ["d", "c", "r"]).map { RandomWork($0, PlainNotes(), prefix: $1) }
    self.mergesByItself = mergesByItself
  }

  /// Works in one context until all is stored or given up, and leaves drafts there.
  mutating func session(_ dice: inout Dice) throws {
    number += 1
    let place = Int.random(in: 0...2, using: &dice)
    let areChanged = works.map { work in work.context.performAndWait { work.context.hasChanges } }
    log = ["context \(place) of \(areChanged)"]
    works[place].begin(expected(place))
    let canUndo = Bool.random(using: &dice)
    var walk = works[place].context.performAndWait { Walk(works[place], canUndo: canUndo) }
    for _ in 0..<16 { try turn(&walk, at: place, &dice) }
    if Int.random(in: 0..<5, using: &dice) == 0 {
      try giveUp(&walk, at: place)
    } else {
      try save(&walk, at: place)
    }
    works[place] = walk.work
    works[place].context.performAndWait { works[place].context.undoManager = nil }
    if Bool.random(using: &dice) { try draft(at: place, &dice) }
    for place in works.indices { try compare(place, "at the end") }
  }

  /// The notes that a context shows when nobody works.
  private func expected(_ place: Int) -> PlainNotes {
    var plain = stored
    for place in place == Self.child ? [Self.desk, Self.child] : [place] {
      for (key, title) in drafts[place] { plain.notes[key]?.title = title }
    }
    return plain
  }

  private func compare(_ place: Int, _ moment: String) throws {
    let context = works[place].context
    try context.performAndWait {
      let differences = try PlainNotes(context).differences(from: expected(place))
      try #require(differences == [], "context \(place) \(moment): \(log)")
      try #require(checkInvariants(of: context) == [], "context \(place) \(moment): \(log)")
    }
  }
}

// MARK: - Turns

extension Office {
  private mutating func turn(_ walk: inout Walk, at place: Int, _ dice: inout Dice) throws {
    let context = walk.work.context
    let kind = Int.random(in: 0..<20, using: &dice)
    switch kind {
    case 0..<13: try context.performAndWait { try walk.step(&dice) }
    case 13, 14: context.performAndWait { walk.undo() }
    case 15, 16: context.performAndWait { walk.redo() }
    case 17: try save(&walk, at: place)
    case 18: try giveUp(&walk, at: place)
    case _: if place == Self.child { try context.performAndWait { try walk.save() } }
    }
    log = [log[0]] + walk.log
    let looks = kind > 12 || Int.random(in: 0..<3, using: &dice) == 0
    try context.performAndWait {
      try #require(checkInvariants(of: context) == [], "context \(place): \(log)")
      // Reading everything each time would leave no faults to be found.
      if looks { try walk.compare() }
    }
  }

  /// Saves down to the store; the others hear of it.
  private mutating func save(_ walk: inout Walk, at place: Int) throws {
    if place == Self.child { try walk.work.context.performAndWait { try walk.save() } }
    let saver = place == Self.child ? Self.desk : place
    let context = works[saver].context
    let notification = try context.performAndWait {
      let received = Received(context, .NSManagedObjectContextDidSave)
      try saver == place ? walk.save() : context.save()
      try #require(!context.hasChanges, "\(walk.log)")
      return received.last.map {
        Notification(name: .NSManagedObjectContextDidSave, object: context, userInfo: $0)
      }
    }
    log = [log[0]] + walk.log
    stored = walk.expected
    for other in works.indices where other == place || other == saver { drafts[other] = [:] }
    for other in works.indices {
      let context = works[other].context
      drafts[other] = drafts[other].filter { stored.notes[$0.key] != nil }
      context.performAndWait {
        if let notification, !mergesByItself, other != place {
          context.mergeChanges(fromContextDidSave: notification)
        }
      }
    }
    for other in works.indices { try compare(other, "after a save") }
  }

  /// Goes back to the stored content; a child of the context looks again.
  private mutating func giveUp(_ walk: inout Walk, at place: Int) throws {
    drafts[place] = [:]
    if place == Self.child {
      drafts[Self.desk] = [:]
      works[Self.desk].context.performAndWait { works[Self.desk].context.rollback() }
    }
    walk.work.context.performAndWait { walk.rollback(to: stored) }
    log = [log[0]] + walk.log
    lookAgain()
    for other in works.indices { try compare(other, "after a rollback") }
  }

  /// Sets some titles and leaves them unsaved.
  private mutating func draft(at place: Int, _ dice: inout Dice) throws {
    let context = works[place].context
    for key in stored.notes.keys.sorted() where Int.random(in: 0..<4, using: &dice) == 0 {
      drafts[place][key] = "draft \(place) of \(number)"
    }
    try context.performAndWait {
      for note in try context.fetch(Note.fetchRequest()) {
        if let title = drafts[place][note.key] { note.title = title }
      }
      context.processPendingChanges()
    }
    lookAgain()
  }

  /// A child is not told of its parent's unsaved changes.
  private func lookAgain() {
    let child = works[Self.child].context
    child.performAndWait { child.refreshAllObjects() }
  }
}
