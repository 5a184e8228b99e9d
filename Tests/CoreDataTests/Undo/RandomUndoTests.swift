import CoreData
import TestSupport
import Testing

/// Random steps, taken back and made again, compared with plain values at each turn.
@Suite struct RandomUndoTests {
  @Test(arguments: StoreKind.allCases, Array(1...5) as [UInt64])
  func `undo and redo walk through the same states, over saves (90, 91)`(
    kind: StoreKind,
    seed: UInt64
  ) throws {
    let stack = try NotesStack(kind)
    let context = stack.context()
    try context.performAndWait {
      var walk = Walk(context)
      var dice = Dice(seed: seed)
      for turn in 0..<240 {
        switch Int.random(in: 0..<20, using: &dice) {
        case 0..<13: try walk.step(&dice)
        case 13..<16: walk.undo()
        case 16..<18: walk.redo()
        case _: try walk.save()
        }
        if turn % 3 == 0 { try walk.compare() }
      }
      try walk.save()
      try walk.compare()
      try stack.work { other in
        let found = try PlainNotes(other)
        try #require(found.differences(from: walk.expected) == [], "\(walk.log)")
        try #require(checkInvariants(of: other) == [], "\(walk.log)")
      }
      while context.undoManager?.canUndo == true { walk.undo() }
      try walk.compare()
      #expect(walk.expected == PlainNotes())
    }
  }
}

/// A context whose steps can be taken back, and the states it went through.
private struct Walk {
  private var work: RandomWork
  private let undoManager = UndoManager()
  private let mark = Mark()
  private var states = [PlainNotes()]
  private var position = 0
  private(set) var log: [String] = []

  init(_ context: NSManagedObjectContext) {
    work = RandomWork(context, PlainNotes(), prefix: "u")
    undoManager.groupsByEvent = false
    context.undoManager = undoManager
  }

  var expected: PlainNotes { states[position] }

  /// Each step is one group; a mark of our own keeps also those that have changed nothing.
  mutating func step(_ dice: inout Dice) throws {
    work.begin(expected)
    undoManager.beginUndoGrouping()
    mark.set(undoManager)
    try work.step(&dice)
    work.context.processPendingChanges()
    undoManager.endUndoGrouping()
    log += work.steps
    states = states.prefix(position + 1) + [work.plain]
    position += 1
  }

  mutating func undo() {
    guard undoManager.canUndo else { return }
    log.append("undo")
    work.context.undo()
    position -= 1
  }

  mutating func redo() {
    guard undoManager.canRedo else { return }
    log.append("redo")
    work.context.redo()
    position += 1
  }

  mutating func save() throws {
    log.append("save")
    try work.context.save()
  }

  func compare() throws {
    let found = try PlainNotes(work.context)
    try #require(found.differences(from: expected) == [], "\(log)")
    try #require(checkInvariants(of: work.context) == [], "\(log)")
  }
}

/// Something that can be undone and does nothing.
private final class Mark {
  func set(_ undoManager: UndoManager) {
    undoManager.registerUndo(withTarget: self) { $0.set(undoManager) }
  }
}
